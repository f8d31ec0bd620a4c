import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** How relevant each document is to a question: 0 for not at all. */
export type Judgements = ReadonlyMap<string, number>;

export interface TestDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Of a page: the document it belongs to, and its number there. Its id is both, parted by a slash. */
  readonly page?: { readonly document: string; readonly number: number } | undefined;
}

export interface TestQuestion {
  readonly id: string;
  readonly text: string;
  /** What it is a question of, such as `short` or `es`. */
  readonly kind: string;
  /** What was asked before in the same conversation, the oldest first. */
  readonly before: readonly string[];
  readonly judgements: Judgements;
}

export interface TestCollection {
  readonly documents: readonly TestDocument[];
  /** Those that were judged. */
  readonly questions: readonly TestQuestion[];
  /** Those that no document answers. */
  readonly offTopic: readonly TestQuestion[];
}

const Id = z.union([z.string(), z.number()]).transform(String);
const Document = z.object({
  _id: Id,
  title: z.string().default(''),
  text: z.string(),
  metadata: z.object({ document: z.string().optional(), page: z.number().optional() }).optional(),
});
const Question = z.object({
  _id: Id,
  text: z.string(),
  metadata: z.object({ kind: z.string().optional(), before: z.array(z.string()).optional() }).optional(),
});

const OFF_TOPIC = 'off-topic';

/**
 * Reads a folder in BEIR's layout: corpus.jsonl, queries.jsonl, and qrels/test.tsv or qrels.tsv. In `metadata`, which
 * BEIR leaves free, a document may say that it is the page of one, and a question its kind and what was asked before it.
 */
export async function readTestCollection(folder: string): Promise<TestCollection> {
  const documents: TestDocument[] = [];
  for await (const line of linesOf(join(folder, 'corpus.jsonl'))) {
    const { _id: id, title, text, metadata } = Document.parse(JSON.parse(line));
    const { document, page } = metadata ?? {};
    const isPage = document !== undefined && page !== undefined;
    documents.push({ id, title, text, page: isPage ? { document, number: page } : undefined });
  }
  const judged = await readJudgements(folder);
  const questions: TestQuestion[] = [];
  const offTopic: TestQuestion[] = [];
  for await (const line of linesOf(join(folder, 'queries.jsonl'))) {
    const { _id: id, text, metadata } = Question.parse(JSON.parse(line));
    const { kind = '', before = [] } = metadata ?? {};
    const judgements = judged.get(id) ?? new Map<string, number>();
    const question = { id, text, kind, before, judgements };
    if (kind === OFF_TOPIC) offTopic.push(question);
    else if ([...judgements.values()].some((score) => score > 0)) questions.push(question);
  }
  return { documents, questions, offTopic };
}

async function readJudgements(folder: string): Promise<ReadonlyMap<string, Map<string, number>>> {
  const nested = join(folder, 'qrels', 'test.tsv');
  const judged = new Map<string, Map<string, number>>();
  for await (const line of linesOf(existsSync(nested) ? nested : join(folder, 'qrels.tsv'))) {
    const [question = '', document = '', score = ''] = line.split('\t');
    if (!/^-?\d+$/.test(score.trim())) continue;
    const judgements = judged.get(question) ?? new Map<string, number>();
    judged.set(question, judgements.set(document, Number(score)));
  }
  return judged;
}

async function* linesOf(file: string): AsyncGenerator<string> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    if (line.trim() !== '') yield line;
}
