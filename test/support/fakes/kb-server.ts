import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { departure, sendJson, write, type Exchange, type Fake } from './ledger-server.js';

/** How a collection answers; see `kb-server.ts` for what a test may set. */
export const Traits = z.object({
  results: z.array(z.unknown()).default([]),
  shape: z
    .enum(['results', 'documents', 'garbage', 'html', 'huge', 'silent', 'redirect', 'reset', 'echo'])
    .default('results'),
  status: z.number().optional(),
  gate: z.string().optional(),
  to: z.string().default(''),
});
export type Traits = z.output<typeof Traits>;

const Query = z.looseObject({ query_text: z.string(), top_k: z.number(), threshold: z.number() });

const idIn = (url: URL): string => {
  const [, id = ''] = /^\/collections\/([^/]*)\/query$/.exec(url.pathname) ?? [];
  return decodeURIComponent(id);
};

type Answer = (exchange: Exchange, traits: Traits) => Promise<void>;

const ANSWERS: Readonly<Record<Traits['shape'], Answer>> = {
  results: ({ res, body }, { results }) => {
    const { query_text: query } = Query.parse(body);
    return sendJson(res, 200, { results, count: results.length, timing: { total_ms: 1 }, query });
  },
  documents: ({ res }, { results }) => sendJson(res, 200, { documents: results }),
  garbage: ({ res }) => sendJson(res, 200, { answer: 42, results: 'none' }),
  html: async ({ res }) => {
    res.writeHead(200, { 'content-type': 'text/html' });
    await new Promise<void>((sent) => res.end('<html>words of the server</html>', sent));
  },
  huge: async (exchange) => {
    exchange.res.writeHead(200, { 'content-type': 'application/json' });
    await write(exchange, '{"results":[{"data":"');
    for (;;) {
      await write(exchange, 'x'.repeat(64 * 1024));
      // Without a turn of the event loop the client's leaving would go unnoticed.
      await setImmediate();
    }
  },
  silent: ({ left }) => departure(left),
  redirect: async ({ res }, { to }) => {
    res.writeHead(307, { location: to });
    await new Promise<void>((sent) => res.end(sent));
  },
  reset: (exchange) => {
    exchange.hangUp('reset');
    return Promise.resolve();
  },
  echo: ({ res, row }) =>
    sendJson(res, 200, {
      results: [
        {
          similarity: 0.9,
          data: `You sent ${String(row.authorization)}`,
          metadata: { filename: String(row.authorization), file_url: `/static/${String(row.authorization)}` },
        },
      ],
    }),
};

async function answer(exchange: Exchange, traits: Traits | undefined): Promise<void> {
  const { row, res, gates, left } = exchange;
  if (!traits) return sendJson(res, 404, { detail: `no collection at ${row.path}` });
  row.outcome = traits.shape;
  if (traits.gate !== undefined) await gates.pass(traits.gate, left);
  if (traits.status !== undefined) return sendJson(res, traits.status, { detail: 'words of the server' });
  await ANSWERS[traits.shape](exchange, traits);
}

export const fakeKbServer = (collections: ReadonlyMap<string, Traits>): Fake => ({
  subjectOf: idIn,
  answer: async (exchange) => {
    try {
      await answer(exchange, collections.get(idIn(exchange.url)));
    } catch (error) {
      if (!exchange.left.aborted) throw error;
    }
  },
});
