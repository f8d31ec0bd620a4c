import { nextTick } from 'node:process';

/** How often each table has changed; see the migration that makes the database count. */
export interface Generations {
  readonly organizations: number;
  readonly users: number;
  readonly api_keys: number;
  readonly sessions: number;
  readonly oauth_grants: number;
  readonly assistants: number;
  readonly assistant_shares: number;
  readonly rubrics: number;
  readonly collections: number;
  readonly lti_platforms: number;
  readonly lti_sessions: number;
  readonly lti_people: number;
  readonly lti_activities: number;
  readonly lti_activity_assistants: number;
  readonly lti_consents: number;
  readonly budgets: number;
}

export type CountedTable = keyof Generations;

/** The generations as they are now: the same object as before while nothing has changed. */
export interface Changes {
  now(): Generations | Promise<Generations>;
}

/**
 * Asks the database once for all that one request looks up before it waits for anything else. Who comes while a question
 * is on its way waits for the next one, together with all others that do: an answer must not be older than whoever gets
 * it. docs/decisions/0103-what-chats-read-is-kept-in-memory.md has what other ways cost.
 */
export function createAskedChanges(ask: () => Promise<Generations>): Changes {
  let asking: Promise<Generations> | undefined;
  let next: Promise<Generations> | undefined;
  let answer: Generations | undefined;

  const forget = () => {
    answer = undefined;
  };

  async function begin(): Promise<Generations> {
    next = undefined;
    const question = ask();
    asking = question;
    try {
      answer = await question;
      // Until then nothing is heard from outside: no commit of ours, and no request of somebody who has seen another's.
      nextTick(forget);
      return answer;
    } finally {
      if (asking === question) asking = undefined;
    }
  }

  return {
    now: () => answer ?? (asking ? (next ??= asking.then(begin, begin)) : begin()),
  };
}
