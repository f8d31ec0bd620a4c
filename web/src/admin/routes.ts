import type { Route } from '../routing/route.ts';

export const adminRoutes: readonly Route[] = [];
