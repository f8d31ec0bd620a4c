import { createCoalescedTask } from '../../core/base/coalesced-task.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { FoundPassage } from '../../core/knowledge/embedder.js';
import type { QuestionTarget, RunReason, TestQuestion, TestRun } from '../../core/knowledge/questions.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { Stores } from '../../core/stores.js';
import type { AskCollections } from '../knowledge.js';

export interface TestRunDeps {
  readonly stores: Pick<Stores, 'collections' | 'documents' | 'testQuestions'>;
  readonly ask: AskCollections;
  readonly log: Logger;
  /** For so long changes are gathered before the questions are asked again. */
  readonly gatherMs?: number;
}

/** Asks the test questions of collections, and keeps what came of it. */
export interface TestRuns {
  /** Undefined when the collection is gone. */
  run(
    collection: Collection,
    options: { readonly reason: RunReason; readonly topK?: number | undefined },
  ): Promise<TestRun | undefined>;
  /** Something else may be found in it from now on: they are asked soon, once for many changes. */
  changed(collectionId: string): void;
  stop(): Promise<void>;
}

const USUAL_TOP_K = 5;
/** Questions under way at the same time, so that whoever chats meanwhile is not kept waiting. */
const AT_ONCE = 2;
const RUNS_KEPT = 50;
const GATHER_MS = 1_000;

export function createTestRuns(deps: TestRunDeps): TestRuns {
  const { stores, log, gatherMs = GATHER_MS } = deps;
  const stopping = new AbortController();
  const waiting = new Set<string>();
  /** One at a time for each collection, so that each run has the one before to be compared with. */
  const underWay = new Map<string, Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  const run: TestRuns['run'] = (collection, options) => {
    const before = underWay.get(collection.id) ?? Promise.resolve();
    const mine = before
      .catch(() => undefined)
      .then(() => askAll(collection, options, { ...deps, signal: stopping.signal }));
    underWay.set(collection.id, mine);
    return mine.finally(() => {
      if (underWay.get(collection.id) === mine) underWay.delete(collection.id);
    });
  };

  const runWaiting = createCoalescedTask(async () => {
    for (const id of waiting) {
      waiting.delete(id);
      if (stopping.signal.aborted) return;
      try {
        // What is under way there says so again at its end.
        if (await stores.documents.isUnderWay(id)) continue;
        const collection = await stores.collections.get(id);
        if (collection && (await stores.testQuestions.list(id)).length > 0)
          await run(collection, { reason: 'change' });
      } catch (fault) {
        log.warn({ collectionId: id, fault: errorLocation(fault) }, 'test questions could not be asked');
      }
    }
  });

  return {
    run,
    changed(collectionId) {
      if (stopping.signal.aborted) return;
      waiting.add(collectionId);
      timer ??= setTimeout(() => {
        timer = undefined;
        runWaiting.ask();
      }, gatherMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      stopping.abort(new Error('The service stops.'));
      await runWaiting.settled();
      await Promise.allSettled(underWay.values());
    },
  };
}

async function askAll(
  collection: Collection,
  { reason, topK }: { readonly reason: RunReason; readonly topK?: number | undefined },
  { stores, ask, signal }: TestRunDeps & { readonly signal: AbortSignal },
): Promise<TestRun | undefined> {
  const questions = await stores.testQuestions.list(collection.id);
  const [last] = await stores.testQuestions.runs(collection.id, 1);
  const most = topK ?? last?.topK ?? USUAL_TOP_K;
  const places = await placesOf(collection.id, questions, stores.documents);
  const ranks = new Map<string, number | null>();
  let embeddings: string | undefined;
  const left = [...questions];
  const askSome = async () => {
    for (let question = left.shift(); question; question = left.shift()) {
      signal.throwIfAborted();
      const asked = { query: question.question, topK: most, threshold: 0, signal };
      const found = await ask([collection], asked);
      if (found.failed[0]) throw found.failed[0].fault;
      embeddings ??= found.embeddings;
      ranks.set(question.id, rankOf(question, found.passages, places));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askSome));
  const found = [...ranks.values()].filter((rank) => rank !== null);
  const run = {
    ...{ reason, topK: most, embeddings, asked: questions.length, found: found.length },
    mrr:
      questions.length === 0 ? 0 : rounded(found.reduce((sum, rank) => sum + 1 / rank, 0) / questions.length),
    ranks: Object.fromEntries(ranks),
  };
  return stores.testQuestions.addRun(collection.id, run, RUNS_KEPT);
}

const rounded = (share: number) => Math.round(share * 10_000) / 10_000;

/** Where the passages that targets name stand now. */
export interface TargetPlaces {
  /** `moved`: what it said is no longer there, and its page has to do. `gone`: nothing of it can be found any more. */
  stateOf(target: QuestionTarget): 'there' | 'moved' | 'gone';
  /** Empty for a target without a text, and for one whose text is gone. */
  positionsOf(target: QuestionTarget): readonly number[];
}

export async function placesOf(
  collectionId: string,
  questions: readonly Pick<TestQuestion, 'targets'>[],
  documents: Pick<Stores['documents'], 'get' | 'positions'>,
): Promise<TargetPlaces> {
  const wanted = new Map<string, Set<string>>();
  for (const { documentId, text } of questions.flatMap(({ targets }) => targets)) {
    const texts = wanted.get(documentId) ?? new Set();
    if (text !== undefined) texts.add(text);
    wanted.set(documentId, texts);
  }
  const there = new Set<string>();
  const places = new Map<string, number[]>();
  const keyOf = (documentId: string, text: string) => `${documentId} ${text}`;
  for (const [documentId, texts] of wanted) {
    if (await documents.get(collectionId, documentId)) there.add(documentId);
    for (const { original, position } of await documents.positions(collectionId, documentId, [...texts])) {
      const key = keyOf(documentId, original);
      places.set(key, [...(places.get(key) ?? []), position]);
    }
  }
  const positionsOf = ({ documentId, text }: QuestionTarget) =>
    text === undefined ? [] : (places.get(keyOf(documentId, text)) ?? []);
  return {
    positionsOf,
    stateOf(target) {
      if (!there.has(target.documentId)) return 'gone';
      if (target.text === undefined || positionsOf(target).length > 0) return 'there';
      return target.page === undefined ? 'gone' : 'moved';
    },
  };
}

function rankOf(
  { targets }: TestQuestion,
  passages: readonly FoundPassage[],
  places: TargetPlaces,
): number | null {
  const at = passages.findIndex(({ metadata }) =>
    targets.some((target) => isMeant(target, metadata, places)),
  );
  return at < 0 ? null : at + 1;
}

function isMeant(
  target: QuestionTarget,
  { document_id, chunk_index, page, page_end = page }: FoundPassage['metadata'],
  places: TargetPlaces,
): boolean {
  if (document_id !== target.documentId) return false;
  if (target.text !== undefined && places.stateOf(target) !== 'moved')
    return chunk_index !== undefined && places.positionsOf(target).includes(chunk_index);
  if (target.page === undefined) return true;
  return page !== undefined && page <= target.page && target.page <= (page_end ?? page);
}
