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
  /** Without the rest of the house around it. */
  readonly isAlone?: boolean;
  /** What it shows has another address as well, which is the one to be kept. */
  readonly leadsTo?: string;
  /** The page sees to it itself when another address within it is called. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component<Record<string, never>> }>;
}
