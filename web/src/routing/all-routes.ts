import { adminRoutes } from '../admin/routes.ts';
import { assistantsRoutes } from '../assistants/routes.ts';
import { builderRoutes } from '../builder/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { filesRoutes } from '../files/routes.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { rubricsRoutes } from '../rubrics/routes.ts';
import { runsRoutes } from '../runs/routes.ts';
import { usageRoutes } from '../usage/routes.ts';
import { welcomeRoutes } from '../welcome/routes.ts';
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

/** Each area lists its own. A new first part of an address is also one in src/http/resources/web.ts. */
export const ROUTES: readonly Route[] = [
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
