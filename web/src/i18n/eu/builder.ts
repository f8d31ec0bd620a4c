import type { builder as english } from '../en/builder.ts';

export const builder: typeof english = {};
