import { join } from 'node:path';
import { request } from 'undici';
import { startPostgres } from '../../test/support/runner/postgres-server.js';
import { cpuSecondsOfAll } from '../cpu.js';
import { CONTENDER_CORE, pin, type Running, startNode } from '../processes.js';
import { makeCollection, sizeOf, upload } from '../retrieval/collection-client.js';
import { type BenchService, startService } from '../service.js';
import type { CorpusPart } from './corpus.js';
import { installedPgvector } from './installed-pgvector.js';
import type { PassageRequest } from './passage-request.js';

/** Who finds passages here: each a process of its own behind HTTP. */

export const DIMENSIONS = 384;
const TOP_K = 5;
const MODEL = 'openai:made-up';
const PASSAGES_A_TRANSACTION = 1_000;

export interface Finder {
  /** Returns when all of it can be found. */
  takeIn(part: CorpusPart): Promise<void>;
  /** The texts of the best passages. */
  ask(question: string): Promise<readonly string[]>;
  /** Of all its processes so far. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly dataDir: string;
  /** Of the collection, where it was made before. */
  readonly collection?: string | undefined;
  readonly byMeaning: boolean;
  /** The one of contenders unless given. */
  readonly core?: number;
}

/** Our service: questions and documents go where those of its pages go. */
export async function startBellwether(
  modelUrl: string,
  { dataDir, collection, byMeaning, core = CONTENDER_CORE }: ServiceOptions,
): Promise<Finder & { readonly collection: string }> {
  const env = { EMBEDDINGS: byMeaning ? MODEL : 'none', TOOLS_DIR: '' };
  const service = await startService(modelUrl, { dataDir, core, env });
  const id = collection ?? (await makeCollection(service));
  return {
    collection: id,
    async takeIn({ files }) {
      await upload(service, id, files);
      if (byMeaning) await mustHaveVectors(service, id);
    },
    async ask(question) {
      const found = (await post(
        `${service.url}/lamb/v1/collections/${id}/query`,
        { query_text: question, top_k: TOP_K },
        service.adminKey,
      )) as { readonly results: readonly { readonly data: string }[]; readonly embeddings: string | null };
      if ((found.embeddings !== null) !== byMeaning) throw new Error('It was looked for in another way.');
      return found.results.map(({ data }) => data);
    },
    cpuSeconds: () => cpuSecondsOfAll(service.pid),
    stop: () => service.stop(),
  };
}

/** Where the model had not answered, passages would be found by words alone. */
async function mustHaveVectors(service: BenchService, id: string): Promise<void> {
  const { awaiting_vectors: missing } = await sizeOf(service, id);
  if (missing > 0) throw new Error(`${String(missing)} documents have no vectors.`);
}

export async function startFts5(folder: string): Promise<Finder> {
  const running = await startNode(['bench/knowledge/fts5-server.ts', join(folder, 'fts5.db')], {
    core: CONTENDER_CORE,
  });
  return plainFinder(running, { cpuSeconds: () => cpuSecondsOfAll(running.pid), stop: () => running.stop() });
}

/** Undefined where this machine has no pgvector. */
export async function startPgvector(modelUrl: string): Promise<Finder | undefined> {
  const installed = installedPgvector();
  if (!installed) return undefined;
  const postgres = await startPostgres('durable', undefined, installed);
  pin(postgres.pid(), CONTENDER_CORE);
  const program = 'bench/knowledge/pgvector-server.ts';
  const running = await startNode([program, postgres.url, modelUrl, String(DIMENSIONS)], {
    core: CONTENDER_CORE,
  });
  return plainFinder(running, {
    cpuSeconds: () => cpuSecondsOfAll(running.pid) + cpuSecondsOfAll(postgres.pid()),
    async stop() {
      await running.stop();
      await postgres.remove();
    },
  });
}

function plainFinder({ url }: Running, rest: Pick<Finder, 'cpuSeconds' | 'stop'>): Finder {
  const tell = (body: PassageRequest) => post(url, body);
  return {
    ...rest,
    async takeIn({ passages }) {
      for (let at = 0; at < passages.length; at += PASSAGES_A_TRANSACTION)
        await tell({ add: passages.slice(at, at + PASSAGES_A_TRANSACTION) });
      await tell({ index: true });
    },
    ask: async (question) => (await tell({ find: question, most: TOP_K })) as readonly string[],
  };
}

async function post(url: string, body: object, key?: string): Promise<unknown> {
  const answer = await request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // To make an index of many vectors takes minutes.
    headersTimeout: 0,
  });
  if (answer.statusCode !== 200) {
    throw new Error(`It answered ${String(answer.statusCode)}: ${await answer.body.text()}`);
  }
  return await answer.body.json();
}
