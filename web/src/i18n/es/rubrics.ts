import type { rubrics as english } from '../en/rubrics.ts';

export const rubrics: typeof english = {};
