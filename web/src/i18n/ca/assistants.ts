import type { assistants as english } from '../en/assistants.ts';

export const assistants: typeof english = {};
