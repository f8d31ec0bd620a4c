import type { Route } from '../routing/route.ts';

export const rubricsRoutes: readonly Route[] = [];
