import type { Route } from '../routing/route.ts';

export const runsRoutes: readonly Route[] = [];
