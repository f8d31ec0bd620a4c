import pg from 'pg';
import { request } from 'undici';
import { listenWith } from './listen.js';
import type { PassageRequest } from './passage-request.js';

/** A table with pgvector's index (HNSW, as it comes), behind the simplest server: vectors of the same model as the service's. */

const [databaseUrl = '', modelUrl = '', dimensions = ''] = process.argv.slice(2);
const TEXTS_A_REQUEST = 96;

const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
await pool.query('CREATE EXTENSION vector');
await pool.query(`CREATE TABLE passages (id serial PRIMARY KEY, text text, embedding vector(${dimensions}))`);

listenWith(async (_path, body) => {
  const asked = body as PassageRequest;
  if ('find' in asked) return await find(asked.find, asked.most);
  if ('add' in asked) await add(asked.add);
  else await index();
  return {};
});

async function find(question: string, most: number): Promise<readonly string[]> {
  const [vector = ''] = await vectorsOf([question]);
  const { rows } = await pool.query<{ readonly text: string }>({
    name: 'find',
    text: 'SELECT text FROM passages ORDER BY embedding <=> $1 LIMIT $2',
    values: [vector, most],
  });
  return rows.map(({ text }) => text);
}

/** In one transaction, and without the index, which is made anew when all are there: far faster than passage by passage. */
async function add(texts: readonly string[]): Promise<void> {
  await pool.query('DROP INDEX IF EXISTS passages_embedding');
  const vectors: string[] = [];
  for (let at = 0; at < texts.length; at += TEXTS_A_REQUEST)
    vectors.push(...(await vectorsOf(texts.slice(at, at + TEXTS_A_REQUEST))));
  await pool.query(
    'INSERT INTO passages (text, embedding) SELECT text, embedding::vector FROM unnest($1::text[], $2::text[]) AS new(text, embedding)',
    [texts, vectors],
  );
}

/** In memory that holds all of it. */
async function index(): Promise<void> {
  await pool.query(`
    SET maintenance_work_mem = '1GB';
    SET max_parallel_maintenance_workers = 0;
    CREATE INDEX passages_embedding ON passages USING hnsw (embedding vector_cosine_ops);
    ANALYZE passages`);
}

/** As pgvector reads them. */
async function vectorsOf(input: readonly string[]): Promise<string[]> {
  const { body } = await request(`${modelUrl}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'made-up', input, encoding_format: 'float' }),
  });
  const { data } = (await body.json()) as { readonly data: readonly { readonly embedding: number[] }[] };
  return data.map(({ embedding }) => JSON.stringify(embedding));
}
