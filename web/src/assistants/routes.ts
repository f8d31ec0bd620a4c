import type { Route } from '../routing/route.ts';

export const assistantsRoutes: readonly Route[] = [];
