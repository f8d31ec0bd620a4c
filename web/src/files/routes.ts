import type { Route } from '../routing/route.ts';

export const filesRoutes: readonly Route[] = [];
