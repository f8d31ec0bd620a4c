import { createCoalescedTask } from '../../core/base/coalesced-task.js';
import type { Redactor } from '../../core/base/redactor.js';
import type { Collection } from '../../core/knowledge/collection.js';
import { type Logger, errorLocation } from '../../core/log.js';
import type { Stores } from '../../core/stores.js';

type InVainCollection = Pick<Collection, 'id' | 'organizationId'>;

/** Keeps questions for which nothing was found, for those who look after the collection. */
export interface AskedInVain {
  /** Returns at once; what is kept is written afterwards. */
  note(
    collections: readonly InVainCollection[],
    query: string,
    /** The activity of a learning platform that it was asked in, if any. Who asked is not told. */
    asked: { readonly activityId: number | undefined },
  ): void;
  /** Resolves when all that was noted is written. */
  settled(): Promise<void>;
}

export interface AskedInVainDeps {
  readonly stores: {
    readonly vainQuestions: Pick<Stores['vainQuestions'], 'add'>;
    readonly activities: Pick<Stores['activities'], 'get'>;
  };
  readonly redactor: Pick<Redactor, 'of'>;
  readonly log: Logger;
}

const LONGEST_QUESTION = 500;
/** Of one collection; the oldest go. */
const MOST_OF_A_COLLECTION = 500;
/** Noted and not written yet: a flood of questions is let go rather than kept in memory. */
const MOST_WAITING = 1_000;
/** As activities keep what was said in them until somebody says otherwise. */
const USUAL_DAYS = 180;
const DAY_MS = 86_400_000;

interface Noted {
  readonly collection: InVainCollection;
  readonly question: string;
  readonly normalised: string;
  readonly activityId: number | undefined;
  count: number;
}

export function createAskedInVain({ stores, redactor, log }: AskedInVainDeps): AskedInVain {
  const waiting = new Map<string, Noted>();

  const keep = async ({ collection, question, normalised, activityId, count }: Noted) => {
    const activity = activityId === undefined ? undefined : await stores.activities.get(activityId);
    // Where nobody is to read what students say, nobody reads this either.
    if (activityId !== undefined && (activity?.transcriptPolicy ?? 'none') === 'none') return;
    const days = activity?.retentionDays ?? USUAL_DAYS;
    const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString();
    const told = { collectionId: collection.id, normalised, question, count, expiresAt };
    await stores.vainQuestions.add(told, MOST_OF_A_COLLECTION);
  };
  const writing = createCoalescedTask(async () => {
    for (const [key, noted] of waiting) {
      waiting.delete(key);
      try {
        await keep(noted);
      } catch (fault) {
        log.warn({ fault: errorLocation(fault) }, 'a question asked in vain could not be kept');
      }
    }
  });

  return {
    note(collections, query, { activityId }) {
      for (const collection of collections) {
        const question = redactor
          .of(collection.organizationId)
          .redact(query.slice(0, LONGEST_QUESTION * 2))
          .replace(/\s+/gu, ' ')
          .trim()
          .slice(0, LONGEST_QUESTION);
        const normalised = normalisedQuestion(question);
        if (normalised === '') continue;
        const key = JSON.stringify([collection.id, activityId, normalised]);
        const before = waiting.get(key);
        if (before) before.count += 1;
        else if (waiting.size < MOST_WAITING)
          waiting.set(key, { collection, question, normalised, activityId, count: 1 });
      }
      // Not in the turn of whoever waits for an answer.
      if (waiting.size > 0)
        setImmediate(() => {
          writing.ask();
        });
    },
    async settled() {
      writing.ask();
      await writing.settled();
    },
  };
}

/** Questions that differ in case, accents, punctuation or blanks alone are one. */
function normalisedQuestion(question: string): string {
  return question
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
