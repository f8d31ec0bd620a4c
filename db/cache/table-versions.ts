import { nextTick } from 'node:process';

/** What is read at every chat, and so kept in memory; see the migrations that make the database count. */
const COUNTED_TABLES = [
  ...(['organizations', 'users', 'api_keys', 'sessions', 'oauth_grants'] as const),
  ...(['assistants', 'assistant_shares', 'rubrics', 'collections', 'budgets'] as const),
  ...(['lti_platforms', 'lti_sessions', 'lti_people', 'lti_consents'] as const),
  ...(['lti_activities', 'lti_activity_assistants'] as const),
  ...(['assistant_links', 'link_visits'] as const),
] as const;

export type CountedTable = (typeof COUNTED_TABLES)[number];

/** How often each table has changed. */
export type Generations = Readonly<Record<CountedTable, number>>;

/** The generations as they are now: the same object as before while nothing has changed. */
export interface Changes {
  now(): Generations | Promise<Generations>;
}

/** The two questions that a database is asked: how much has changed, and what. */
export const TOTAL_OF_CHANGES = `SELECT ${COUNTED_TABLES.join(' + ')} AS total FROM generations`;
export const ALL_CHANGES = `SELECT ${COUNTED_TABLES.join(', ')} FROM generations`;

export interface ChangesReader {
  total(): Promise<number>;
  all(): Promise<Generations>;
}

/** The counts only grow, so that one number tells whether any has: a row of all of them is dearer than its journey. */
export function createAsk({ total, all }: ChangesReader): () => Promise<Generations> {
  let known: Generations | undefined;
  let sum: number | undefined;
  return async () => {
    if (known && (await total()) === sum) return known;
    known = await all();
    sum = Object.values(known).reduce((before, count) => before + count, 0);
    return known;
  };
}

/**
 * Asks the database once for all that one turn of the event loop looks up, and once more for what follows from the answer.
 * Who comes while a question of an earlier turn is on its way waits for the next one, together with all others that do: an
 * answer must not be older than whoever gets it. docs/decisions/0103-what-chats-read-is-kept-in-memory.md has what other
 * ways cost.
 */
export function createAskedChanges(ask: () => Promise<Generations>): Changes {
  let asking: Promise<Generations> | undefined;
  /** As long as nothing was heard from outside since it was asked. */
  let justAsked: Promise<Generations> | undefined;
  let next: Promise<Generations> | undefined;
  let answer: Generations | undefined;

  const forget = () => {
    answer = undefined;
  };
  const turnIsOver = () => {
    justAsked = undefined;
  };

  function begin(): Promise<Generations> {
    next = undefined;
    const question = answerTo(ask());
    asking = justAsked = question;
    nextTick(turnIsOver);
    return question;
  }

  async function answerTo(question: Promise<Generations>): Promise<Generations> {
    try {
      answer = await question;
      // Until then nothing is heard from outside: no commit of ours, and no request of somebody who has seen another's.
      nextTick(forget);
      return answer;
    } finally {
      asking = undefined;
    }
  }

  return {
    now: () => answer ?? justAsked ?? (asking ? (next ??= asking.then(begin, begin)) : begin()),
  };
}
