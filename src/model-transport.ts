import { type Agent, request } from 'undici';
import type { ModelTransport } from './core/run-context.js';

const LARGEST_DISCARDED = 64 * 1024;

/** Kept-alive HTTP to the providers an administrator has set. No streams of the web platform: they cost too much here. */
export function createModelTransport(dispatcher: Agent): ModelTransport {
  return {
    async post({ url, headers, body, signal }) {
      const response = await request(url, { dispatcher, method: 'POST', headers, body, signal });
      return {
        status: response.statusCode,
        header: (name) => {
          const value = response.headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body: response.body as AsyncIterable<Uint8Array>,
        discard: () => response.body.dump({ limit: LARGEST_DISCARDED }),
      };
    },
  };
}
