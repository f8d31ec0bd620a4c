import type { Route } from '../routing/route.ts';

export const usageRoutes: readonly Route[] = [];
