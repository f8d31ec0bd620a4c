import type { missing as english } from '../../en/tests/missing.ts';

export const missing: typeof english = { lead: 'Proves que anomenen alguna cosa que no és aquí' };
