import { z } from 'zod';
import { vectorOf } from '../embedding-vectors.js';
import { departure, sendJson, type Exchange, type Fake } from './ledger-server.js';

/** What a fault does, in the order it was asked for; afterwards the fake answers well again. */
export type EmbeddingFault =
  | 'refuse-429'
  | 'refuse-429-for-an-hour'
  | 'error-500'
  | 'error-401'
  | 'reset'
  | 'silent'
  | 'html'
  | 'too-few'
  | 'uneven'
  | 'not-finite'
  | 'zero'
  | 'reversed';

const Vectors = z.object({ model: z.string(), input: z.array(z.string()) });
/** Of documents the one with most letters is the best: nobody here reads them. */
const Order = z
  .object({ model: z.string(), query: z.string(), documents: z.array(z.string()), top_n: z.number() })
  .transform(({ model, documents }) => ({ model, input: documents }));
const Body = z.union([Vectors, Order]);

type Reply = (
  exchange: Exchange,
  vectors: readonly (readonly number[])[],
  texts: readonly string[],
) => Promise<void>;

const REPLIES: Readonly<Record<string, Reply>> = {
  '/v1/embeddings': ({ res, row }, vectors) => {
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    if (row.outcome === 'reversed') data.reverse();
    return sendJson(res, 200, { object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } });
  },
  '/v1/rerank': ({ res, row }, _vectors, texts) => {
    const sign = row.outcome === 'reversed' ? -1 : 1;
    const results = texts.map((text, index) => ({ index, relevance_score: sign * text.length }));
    return sendJson(res, 200, { results, usage: { total_tokens: 77 } });
  },
  '/api/embed': ({ res }, embeddings) => sendJson(res, 200, { model: 'fake', embeddings }),
};

const LIES: Readonly<Partial<Record<EmbeddingFault, (vectors: number[][]) => unknown[]>>> = {
  'too-few': (vectors) => vectors.slice(1),
  uneven: (vectors) => vectors.map((vector, i) => (i === 0 ? vector.slice(1) : vector)),
  'not-finite': (vectors) => vectors.map((vector) => [null, ...vector.slice(1)]),
  zero: (vectors) => vectors.map((vector) => vector.map(() => 0)),
};

const STATUSES: Readonly<Partial<Record<EmbeddingFault, readonly [status: number, retryAfter?: string]>>> = {
  'refuse-429': [429, '0'],
  'refuse-429-for-an-hour': [429, '3600'],
  'error-500': [500],
  'error-401': [401],
};

async function refuse({ res, hangUp, left }: Exchange, fault: EmbeddingFault): Promise<boolean> {
  const [status, retryAfter] = STATUSES[fault] ?? [];
  if (retryAfter !== undefined) res.setHeader('retry-after', retryAfter);
  if (fault === 'reset') hangUp('reset');
  else if (fault === 'silent') await departure(left);
  else if (fault === 'html') res.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>');
  else if (status !== undefined) await sendJson(res, status, { error: 'The key sk-secret' });
  else return false;
  return true;
}

/** `waiting`: the faults to come, by model. */
export const fakeEmbeddings = (waiting: ReadonlyMap<string, EmbeddingFault[]>): Fake => ({
  subjectOf: (_url, body) => Body.safeParse(body).data?.model ?? '',
  async answer(exchange) {
    const reply = REPLIES[exchange.url.pathname];
    const body = Body.safeParse(exchange.body);
    if (!reply || !body.success)
      return sendJson(exchange.res, reply ? 400 : 404, { error: 'not understood' });
    const fault = waiting.get(body.data.model)?.shift();
    exchange.row.outcome = fault ?? 'answered';
    if (fault && (await refuse(exchange, fault))) return;
    const vectors = body.data.input.map(vectorOf);
    const lie = fault && LIES[fault];
    await reply(exchange, (lie ? lie(vectors) : vectors) as number[][], body.data.input);
  },
});
