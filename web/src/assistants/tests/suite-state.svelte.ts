import { isAborted } from '../../api/fault.ts';
import type { RunWish, SuiteRun, SuiteRunEvent, SuiteRunFacts, TestsApi } from './tests-api.ts';

/** Before the rest of what is told is asked for, where the service has broken off. */
const AGAIN_MS = 1_000;

const isOver = ({ status }: Pick<SuiteRunFacts, 'status'>) => status !== 'queued' && status !== 'running';

export type SuiteState = ReturnType<typeof createSuiteState>;

/** The runs of an assistant's tests: what came of them, and the one that is under way. */
export function createSuiteState(tests: TestsApi) {
  const leaving = new AbortController();
  let runs = $state.raw<readonly SuiteRunFacts[]>();
  let nightlyAt = $state.raw<string | null>(null);
  let newest = $state.raw<SuiteRun>();
  let stopped = $state.raw<SuiteRun>();
  let underWay = $state.raw<SuiteRunEvent>();
  let fault = $state.raw<unknown>();
  let isBeginning = $state(false);

  /** To its end; the service may stop and another take over. */
  async function follow(id: string): Promise<void> {
    while (!leaving.signal.aborted) {
      for await (const event of tests.events(id, leaving.signal)) {
        underWay = event;
        if (isOver(event)) return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  async function look(): Promise<void> {
    const { data: all, nightly_at } = await tests.runs();
    nightlyAt = nightly_at;
    const going = all.find((run) => !isOver(run));
    const last = all.find(({ status }) => status === 'done' || status === 'failed');
    if (last && last.id !== newest?.id) newest = await tests.run(last.id);
    const ended = all.filter(isOver);
    stopped = ended[0]?.status === 'cancelled' ? await tests.run(ended[0].id) : undefined;
    runs = ended;
    underWay = going;
    if (!going) return;
    await follow(going.id);
    await look();
  }

  async function trying(deed: () => Promise<unknown>): Promise<void> {
    try {
      await deed();
      fault = undefined;
    } catch (thrown) {
      if (!isAborted(thrown)) fault = thrown;
    }
  }

  return {
    /** Those that have ended, newest first. Undefined until they have come. */
    get runs() {
      return runs;
    },
    /** When the service runs those of the night, in UTC; null where it does not. */
    get nightlyAt() {
      return nightlyAt;
    },
    /** The last that came to an end, with all that was said. */
    get newest() {
      return newest;
    },
    /** Where the very last was stopped: what had come of it until then. */
    get stopped() {
      return stopped;
    },
    get underWay() {
      return underWay;
    },
    get isBusy() {
      return isBeginning || underWay !== undefined;
    },
    get fault() {
      return fault;
    },
    load: () => trying(look),
    async begin(wish: RunWish): Promise<void> {
      if (isBeginning || underWay) return;
      isBeginning = true;
      await trying(() => tests.begin(wish));
      isBeginning = false;
      if (fault === undefined) await trying(look);
    },
    async cancel(): Promise<void> {
      const { id } = underWay ?? {};
      if (id !== undefined) await trying(() => tests.cancel(id));
    },
    leave() {
      leaving.abort();
    },
  };
}
