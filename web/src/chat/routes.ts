import type { Route } from '../routing/route.ts';

export const chatRoutes: readonly Route[] = [];
