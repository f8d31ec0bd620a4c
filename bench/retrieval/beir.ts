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
}

export interface TestQuestion {
  readonly id: string;
  readonly text: string;
  readonly judgements: Judgements;
}

export interface TestCollection {
  readonly documents: readonly TestDocument[];
  /** Those that were judged. */
  readonly questions: readonly TestQuestion[];
}

const Id = z.union([z.string(), z.number()]).transform(String);
const Document = z.object({ _id: Id, title: z.string().default(''), text: z.string() });
const Question = z.object({ _id: Id, text: z.string() });

/** Reads a folder in BEIR's layout: corpus.jsonl, queries.jsonl, and qrels/test.tsv or qrels.tsv. */
export async function readTestCollection(folder: string): Promise<TestCollection> {
  const documents: TestDocument[] = [];
  for await (const line of linesOf(join(folder, 'corpus.jsonl'))) {
    const { _id: id, title, text } = Document.parse(JSON.parse(line));
    documents.push({ id, title, text });
  }
  const judged = await readJudgements(folder);
  const questions: TestQuestion[] = [];
  for await (const line of linesOf(join(folder, 'queries.jsonl'))) {
    const { _id: id, text } = Question.parse(JSON.parse(line));
    const judgements = judged.get(id);
    if (judgements && [...judgements.values()].some((score) => score > 0))
      questions.push({ id, text, judgements });
  }
  return { documents, questions };
}

async function readJudgements(folder: string): Promise<ReadonlyMap<string, Judgements>> {
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
