import type { Component } from 'svelte';
import { HOME, SIGN_IN } from './areas.ts';
import { isOurs, findRoute } from './find-route.ts';
import type { Here, PageProps, Router } from './route.ts';

export function createRouter(): Router {
  // At once: whether somebody has to sign in first is asked of where they are going.
  if (location.pathname === '/') history.replaceState(null, '', HOME);
  let here = $state.raw<Here>();
  let isBroken = $state(false);
  let hasMoved = $state(false);
  let isUnderWay = $state(false);
  let path = $state(location.pathname);
  let latest = 0;
  /** Of the page that is here, with what it has noted. */
  let asked = '';

  async function show(): Promise<void> {
    const turn = ++latest;
    const { pathname, search, hash } = location;
    const { route, params } = findRoute(pathname);
    if (route.leadsTo !== undefined) {
      history.replaceState(null, '', route.leadsTo);
      return show();
    }
    path = pathname;
    isUnderWay = true;
    try {
      const page = (await route.load()).default as Component<PageProps>;
      // Somebody who has clicked on in the meantime is not taken back.
      if (turn !== latest) return;
      const visit = (here?.visit ?? 0) + (here?.path === pathname && asked !== search ? 1 : 0);
      here = { route, params, path: pathname, query: new URLSearchParams(search), hash, page, visit };
      asked = search;
      isBroken = false;
    } catch {
      if (turn === latest) isBroken = true;
    } finally {
      if (turn === latest) isUnderWay = false;
    }
  }

  async function go(to: string, { replace = false } = {}): Promise<void> {
    const before = location.pathname;
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    hasMoved = true;
    await show();
    if (location.pathname !== before && location.hash === '') scrollTo(0, 0);
  }

  return {
    get here() {
      return here;
    },
    get isBroken() {
      return isBroken;
    },
    get path() {
      return path;
    },
    get isUnderWay() {
      return isUnderWay;
    },
    get hasMoved() {
      return hasMoved;
    },
    async start() {
      addEventListener('popstate', () => {
        hasMoved = true;
        void show();
      });
      document.addEventListener('click', (event) => {
        const to = followed(event);
        if (to === undefined) return;
        event.preventDefault();
        void go(to);
      });
      await show();
    },
    go,
    note(query) {
      // The code of another page is on its way: its address is not the business of the one that is left.
      if (location.pathname !== here?.path) return;
      const url = new URL(location.href);
      for (const [name, value] of Object.entries(query)) {
        if (value === undefined || value === '') url.searchParams.delete(name);
        else url.searchParams.set(name, value);
      }
      history.replaceState(null, '', url);
      asked = url.search;
    },
    become(address) {
      history.replaceState(null, '', address);
      path = address;
      asked = '';
      if (here) here = { ...here, ...findRoute(address), path, query: new URLSearchParams(), hash: '' };
    },
    async retry() {
      await show();
      // A browser may remember that it could not be fetched, and a newer version has other files.
      if (isBroken && (await isAnswered())) location.reload();
    },
    async toSignIn() {
      const { pathname, search, hash } = location;
      if (pathname === SIGN_IN) return;
      const back = pathname === HOME ? '' : `?return=${encodeURIComponent(pathname + search + hash)}`;
      await go(SIGN_IN + back, { replace: true });
    },
    async afterSignIn() {
      const to = new URLSearchParams(location.search).get('return') ?? HOME;
      await go(isOwnAddress(to) ? to : HOME, { replace: true });
    },
  };
}

async function isAnswered(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The address may have been written by somebody else. */
function isOwnAddress(to: string): boolean {
  if (!URL.canParse(to, location.origin)) return false;
  const { origin, pathname } = new URL(to, location.origin);
  return origin === location.origin && isOurs(pathname) && pathname !== SIGN_IN;
}

/** Where a plain click on one of our own links leads; undefined when the browser is to see to it. */
function followed(event: MouseEvent): string | undefined {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || event.defaultPrevented || !(event.target instanceof Element)) return undefined;
  const link = event.target.closest('a');
  if (!link || link.target !== '' || link.hasAttribute('download')) return undefined;
  const isWithinPage = link.hash !== '' && link.pathname === location.pathname;
  if (link.origin !== location.origin || !isOurs(link.pathname) || isWithinPage) return undefined;
  return link.pathname + link.search + link.hash;
}
