import type { PageRoot } from '../../../src/http/contract/pages.ts';
import { adminRoutes } from '../admin/routes.ts';
import { assistantsRoutes } from '../assistants/routes.ts';
import { builderRoutes } from '../builder/routes.ts';
import { chatRoutes } from '../chat/routes.ts';
import { filesRoutes } from '../files/routes.ts';
import type { Messages } from '../i18n/en.ts';
import { knowledgeRoutes } from '../knowledge/routes.ts';
import { rubricsRoutes } from '../rubrics/routes.ts';
import { runsRoutes } from '../runs/routes.ts';
import type { IconName } from '../ui/icons.ts';
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

/** Where an invitation leads; what opens it is behind the #. */
const INVITATION = '/invitation';

const INVITATION_PAGE: Route = {
  path: INVITATION,
  page: 'invitation',
  isOpen: true,
  isAlone: true,
  load: () => import('../sign-in/InvitationPage.svelte'),
};

/** Where programs send people who are to let them in; the metadata of the service names it. */
const CONSENT = '/oauth/authorize';

const CONSENT_PAGE: Route = {
  path: CONSENT,
  page: 'consent',
  isAlone: true,
  load: () => import('../sign-in/ConsentPage.svelte'),
};

interface Area {
  readonly routes: readonly Route[];
  /** In the navigation; an area without it is reached by other ways. */
  readonly link?: AreaLink;
}

interface AreaLink {
  readonly icon: IconName;
  readonly title: (t: Messages['shell']) => string;
  /** Another area that belongs to it. */
  readonly also?: PageRoot;
  readonly isForAdministrators?: boolean;
}

/** By the first part of their addresses. The first route that fits an address is taken. */
const AREAS: Readonly<Record<PageRoot, Area>> = {
  [SIGN_IN]: { routes: [SIGN_IN_PAGE] },
  [INVITATION]: { routes: [INVITATION_PAGE] },
  [CONSENT]: { routes: [CONSENT_PAGE] },
  [HOME]: { routes: welcomeRoutes, link: { icon: 'home', title: (t) => t.home } },
  '/assistants': {
    routes: [...assistantsRoutes, ...builderRoutes],
    link: { icon: 'spark', title: (t) => t.assistants, also: '/multi-tool-assistants' },
  },
  // Its routes are among those above.
  '/multi-tool-assistants': { routes: [] },
  '/chat': { routes: chatRoutes, link: { icon: 'chat', title: (t) => t.chat } },
  '/knowledge': { routes: knowledgeRoutes, link: { icon: 'book', title: (t) => t.knowledge } },
  '/rubrics': { routes: rubricsRoutes, link: { icon: 'rubric', title: (t) => t.rubrics } },
  '/files': { routes: filesRoutes, link: { icon: 'folder', title: (t) => t.files } },
  '/runs': { routes: runsRoutes, link: { icon: 'runs', title: (t) => t.runs } },
  '/usage': { routes: usageRoutes, link: { icon: 'chart', title: (t) => t.usage } },
  '/admin': {
    routes: adminRoutes,
    link: { icon: 'gear', title: (t) => t.admin, isForAdministrators: true },
  },
};

export const ROUTES: readonly Route[] = Object.values(AREAS).flatMap(({ routes }) => routes);

/** What the navigation lists, in its order. */
export const LINKS = Object.entries(AREAS).flatMap(([href, { link }]) => (link ? [{ href, ...link }] : []));
