import type { usage as english } from '../en/usage.ts';

export const usage: typeof english = {};
