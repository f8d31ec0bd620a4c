import type { Component } from 'svelte';
import type { Params } from './match.ts';

export interface PageProps {
  readonly params: Params;
}

export interface Route {
  readonly path: string;
  /** Pages of one route keep what they hold when only the address changes within it. */
  readonly page: string;
  /** Shown to whoever is not signed in. */
  readonly isOpen?: boolean;
  /** Without the navigation around it. */
  readonly isAlone?: boolean;
  /** What it shows has another address as well, which is the one to be kept. */
  readonly leadsTo?: string;
  /** The page sees to it itself when another address within it is called. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component<Record<string, never>> }>;
}

export interface Here {
  readonly route: Route;
  readonly params: Params;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly hash: string;
  readonly page: Component<PageProps>;
  /** Another one each time that something else is asked for at the same address: the page begins anew. */
  readonly visit: number;
}

export interface Router {
  /** Undefined until the first page is loaded. */
  readonly here: Here | undefined;
  /** The page could not be fetched: the network, or a newer version has taken its place. */
  readonly isBroken: boolean;
  /** Where somebody is, or is going: a page that is being fetched is not here yet. */
  readonly path: string;
  /** A page is being fetched. */
  readonly isUnderWay: boolean;
  /** True once somebody has gone somewhere: the heading of the first page is not given the focus. */
  readonly hasMoved: boolean;
  start(): Promise<void>;
  go(to: string, options?: { readonly replace?: boolean }): Promise<void>;
  /** Rewrites the query of this address, so that a reload or a way back finds the same. */
  note(query: Readonly<Record<string, string | undefined>>): void;
  /** What this page shows has got an address of its own; the page stays. */
  become(path: string): void;
  /** Once more, after the page could not be fetched. */
  retry(): Promise<void>;
  toSignIn(): Promise<void>;
  /** Where somebody was going before they had to sign in. */
  afterSignIn(): Promise<void>;
}
