import type { builder as english } from '../en/builder.ts';

export const builder = {} as typeof english;
