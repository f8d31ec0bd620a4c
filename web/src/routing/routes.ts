import { adminRoutes } from '../admin/routes.ts';
import { assistantsRoutes } from '../assistants/routes.ts';
import { builderRoutes } from '../builder/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { filesRoutes } from '../files/routes.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { rubricsRoutes } from '../rubrics/routes.ts';
import { runsRoutes } from '../runs/routes.ts';
import NotFoundPage from '../shell/NotFoundPage.svelte';
import { usageRoutes } from '../usage/routes.ts';
import { welcomeRoutes } from '../welcome/routes.ts';
import { matchPath, type Params } from './match.ts';
import type { Route } from './route.ts';

export const SIGN_IN = '/sign-in';
export const HOME = '/welcome';

const SIGN_IN_PAGE: Route = {
  path: SIGN_IN,
  page: 'sign-in',
  isOpen: true,
  isAlone: true,
  load: () => import('../sign-in/SignInPage.svelte'),
};

/** Each area lists its own. A new first part of an address is also one in src/http/routes/web.ts. */
const ROUTES: readonly Route[] = [
  SIGN_IN_PAGE,
  ...welcomeRoutes,
  ...assistantsRoutes,
  ...builderRoutes,
  ...chatRoutes,
  ...knowledgeRoutes,
  ...rubricsRoutes,
  ...filesRoutes,
  ...runsRoutes,
  ...usageRoutes,
  ...adminRoutes,
];

const NOWHERE: Route = {
  path: '',
  page: 'nowhere',
  isOpen: true,
  load: () => Promise.resolve({ default: NotFoundPage }),
};

export interface Place {
  readonly route: Route;
  readonly params: Params;
}

export function placeAt(path: string): Place {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path);
    if (params) return { route, params };
  }
  return { route: NOWHERE, params: {} };
}

/** Whether an address, perhaps from outside, is one of our own pages. */
export const isOurs = (path: string): boolean => placeAt(path).route !== NOWHERE;
