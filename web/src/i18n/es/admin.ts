import type { admin as english } from '../en/admin.ts';

export const admin: typeof english = {};
