import type { Setup } from '../../../src/http/contract/admin.ts';
import type { Api } from '../api/api.ts';

export const readSetup = (api: Api): Promise<Setup> => api.get<Setup>('/lamb/v1/setup');
