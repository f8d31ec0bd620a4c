import NotFoundPage from '../shell/NotFoundPage.svelte';
import { ROUTES } from './areas.ts';
import { matchPath, type Params } from './match.ts';
import type { Route } from './route.ts';

const NOWHERE: Route = {
  path: '',
  page: 'nowhere',
  isOpen: true,
  load: () => Promise.resolve({ default: NotFoundPage }),
};

export interface FoundRoute {
  readonly route: Route;
  readonly params: Params;
}

export function findRoute(path: string): FoundRoute {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return { route: NOWHERE, params: {} };
}

/** Whether an address, perhaps from outside, is one of our own pages. */
export const isOurs = (path: string): boolean => findRoute(path).route !== NOWHERE;
