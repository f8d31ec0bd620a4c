import type { missing as english } from '../../en/tests/missing.ts';

export const missing: typeof english = { lead: 'Hemen ez dagoen zerbait izendatzen duten probak' };
