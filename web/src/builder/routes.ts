import type { Route } from '../routing/route.ts';

export const builderRoutes: readonly Route[] = [];
