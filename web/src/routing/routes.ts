import type { Component } from 'svelte';
import { matchPath, type Params } from './match.ts';

export interface PageProps {
  readonly params: Params;
}

export interface Route {
  readonly path: string;
  /** Pages of one route keep what they hold when only the address changes within it. */
  readonly page: string;
  /** Shown to whoever is not signed in, without the rest of the house around it. */
  readonly isOpen?: boolean;
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component<Record<string, never>> }>;
}

const collection = {
  page: 'collection',
  load: () => import('../knowledge/CollectionPage.svelte'),
};

export const SIGN_IN = '/sign-in';
export const HOME = '/knowledge';

/** A new address here is also one in src/http/routes/web.ts, unless it lies below one that is there. */
export const ROUTES: readonly Route[] = [
  { path: SIGN_IN, page: 'sign-in', isOpen: true, load: () => import('../sign-in/SignInPage.svelte') },
  { path: '/knowledge', page: 'collections', load: () => import('../knowledge/CollectionsPage.svelte') },
  { path: '/knowledge/:collection', ...collection },
  { path: '/knowledge/:collection/ask', ...collection },
  { path: '/knowledge/:collection/settings', ...collection },
  {
    path: '/knowledge/:collection/documents/:document',
    page: 'document',
    load: () => import('../knowledge/DocumentPage.svelte'),
  },
];

const NOWHERE: Route = {
  path: '',
  page: 'nowhere',
  load: () => import('../shell/NotFoundPage.svelte'),
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
