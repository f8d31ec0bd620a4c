import type { Api } from '../api/api.ts';
import type { Setup } from '../../../src/http/contract/admin.ts';

export const readSetup = (api: Api): Promise<Setup> => api.get<Setup>('/lamb/v1/setup');
