import type { Route } from '../routing/route.ts';

export const welcomeRoutes: readonly Route[] = [];
