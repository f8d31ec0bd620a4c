import type { News } from '../http/middleware/peers.js';

/** What a worker hears from its keeper. */
export type ToWorker =
  | { readonly say: 'start'; readonly port: number; readonly prepares: boolean }
  | { readonly say: 'stop'; readonly why: string }
  | { readonly say: 'news'; readonly news: News };

/** What a keeper hears from its workers. */
export type ToKeeper =
  /** It listens from now on; what was said before is lost. */
  | { readonly say: 'here' }
  | { readonly say: 'up'; readonly url: string; readonly banner: string | undefined }
  /** It will end by itself, and wants to be replaced already. */
  | { readonly say: 'leaving' }
  | { readonly say: 'news'; readonly news: News };

/** The rate limiter talks on the same line; what it says is none of ours. */
export const heardByWorker = (message: unknown) => (isOurs(message) ? (message as ToWorker) : undefined);
export const heardByKeeper = (message: unknown) => (isOurs(message) ? (message as ToKeeper) : undefined);

function isOurs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'say' in message;
}
