import type { missing as english } from '../../en/tests/missing.ts';

export const missing: typeof english = { lead: 'Pruebas que nombran algo que no está aquí' };
