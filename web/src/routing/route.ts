import type { Component } from 'svelte';
import type { Params } from './match.ts';

export interface PageProps {
  readonly params: Params;
}

export interface Route {
  readonly path: string;
  /** Pages of one route keep what they hold when only the address changes within it. */
  readonly page: string;
  /** Shown to whoever is not signed in, without the rest of the house around it. */
  readonly isOpen?: boolean;
  /** The page sees to it itself when another address within it is called. */
  readonly isLasting?: boolean;
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component<Record<string, never>> }>;
}
