import { type Dispatcher, fetch as undiciFetch } from 'undici';

/** `fetch` for addresses that an administrator has set, which may be private. No tool gets to see it. */
export function createTrustedFetch(dispatcher: Dispatcher): typeof fetch {
  const trusted = (input: string | URL, init: object = {}) => undiciFetch(input, { ...init, dispatcher });
  return trusted as unknown as typeof fetch;
}
