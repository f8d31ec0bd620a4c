import type { StoredMessage, Source } from '../../../src/http/contract/chat.ts';
import type { Run } from '../../../src/http/contract/runs.ts';
import { createFault, isAborted, isFault, noAnswer } from '../api/fault.ts';
import type { ChatApi, Question, Rating } from './chat-api.ts';
import { textIn } from './content.ts';
import type { Frame, Status, Usage } from './frames.ts';
import { framesOfRun, isPassing, pauseBefore } from './run-frames.ts';
import { sourcesIn } from './sources.ts';
import { ended, restored, type Step, withStatus } from './steps.ts';

export type AnswerState = 'running' | 'done' | 'stopped' | 'failed';

/** An answer, as far as it has come. */
export interface Answer {
  readonly role: 'assistant';
  readonly key: string;
  readonly text: string;
  readonly steps: readonly Step[];
  readonly sources: readonly Source[];
  readonly state: AnswerState;
  /** The line is down: more will come when it is there again. */
  readonly isAway: boolean;
  readonly fault: unknown;
  readonly runId: string | undefined;
  /** What was said about it before. */
  readonly rating?: Rating | undefined;
  readonly usage: Usage | undefined;
  readonly ms: number | undefined;
  /** What made the model answer with what it had. */
  readonly capped: Run['capped'];
  /** What to ask next can be asked for. */
  readonly hasFollowUps: boolean;
  /** Makes the service stop. */
  stop(): void;
  /** Reads no further. What is kept in a conversation goes on. */
  leave(): void;
}

interface Following {
  readonly chat: ChatApi;
  readonly key: string;
  readonly changed?: (status: Status) => void;
}

export interface Asking extends Following {
  readonly question: Question;
  /** The service has taken the question; told before the first word. */
  readonly begun?: (conversation: string | undefined) => void;
}

interface Rejoining extends Following {
  readonly runId: string;
  readonly conversation: string;
}

/** `over` resolves when nothing more will come; it never rejects. */
interface Coming {
  readonly answer: Answer;
  readonly over: Promise<void>;
}

/** Asks, and gives the answer as it comes. One that is kept in a conversation goes on when the page is left. */
export function ask({ question, begun, ...following }: Asking): Coming {
  return follow(following, {
    isKept: question.conversation !== undefined,
    async begin(signal) {
      const response = await following.chat.ask(question, signal);
      const conversation = response.headers.get('x-conversation-id') ?? undefined;
      begun?.(conversation);
      return { response, conversation, runId: response.headers.get('x-run-id') ?? undefined };
    },
  });
}

/** An answer that is coming already, from its first word on. */
export function rejoin({ runId, conversation, ...following }: Rejoining): Coming {
  return follow(following, {
    isKept: true,
    begin: async (signal) => ({
      ...{ runId, conversation, response: await following.chat.events(runId, 0, signal) },
    }),
    running: { runId, conversation },
  });
}

interface Begun {
  readonly runId: string | undefined;
  readonly conversation: string | undefined;
}

interface Beginning {
  /** Whether it can be read again when the line breaks. */
  readonly isKept: boolean;
  readonly begin: (signal: AbortSignal) => Promise<Begun & { readonly response: Response }>;
  /** What is known of it before it has begun. */
  readonly running?: Begun;
}

function follow({ chat, key, changed }: Following, { isKept, begin, running }: Beginning): Coming {
  let text = $state('');
  let steps = $state.raw<readonly Step[]>([]);
  let sources = $state.raw<readonly Source[]>([]);
  let state = $state<AnswerState>('running');
  let isAway = $state(false);
  let fault = $state.raw<unknown>();
  let runId = $state(running?.runId);
  let conversation = running?.conversation;
  let usage = $state.raw<Usage>();
  let ms = $state<number>();
  let capped = $state<Run['capped']>(false);
  let hasFollowUps = $state(false);
  const startedAt = performance.now();
  const hangUp = new AbortController();
  let isStopped = false;
  let hasBegun = false;
  const words = createPacer((more) => {
    text += more;
  });

  function heed(status: Status): void {
    steps = withStatus(steps, status);
    if (status.type === 'run.completed') {
      sources = sourcesIn(status.sources ?? []);
      capped = status.capped ?? false;
      hasFollowUps = isKept && status.follow_ups === true;
    }
    changed?.(status);
  }

  function take(frame: Frame): void {
    if (frame.error) {
      const { message = '', code } = frame.error;
      throw createFault({ status: 500, message, code: code ?? undefined });
    }
    words.add(frame.choices?.[0]?.delta?.content ?? '');
    if (frame.x_bellwether) heed(frame.x_bellwether);
    if (frame.usage) usage = frame.usage;
  }

  async function connect(after: number, signal: AbortSignal): Promise<Response> {
    if (hasBegun && runId !== undefined) return await chat.events(runId, after, signal);
    const begun = await begin(signal);
    hasBegun = true;
    ({ runId, conversation } = begun);
    if (isStopped) void cancel();
    return begun.response;
  }

  async function read(): Promise<void> {
    const line = { connect, mayReconnect: () => isKept && runId !== undefined, signal: hangUp.signal };
    const frames = framesOfRun({ ...line, changed: (away) => (isAway = away) });
    for await (const frame of frames) take(frame);
  }

  /** Until the service has heard of it: a line that is down is no reason to go on. */
  async function cancel(): Promise<void> {
    for (let failures = 0; runId !== undefined && !hangUp.signal.aborted; failures += 1) {
      try {
        await chat.cancel(runId);
        break;
      } catch (thrown) {
        if (!isPassing(thrown)) break;
        await pauseBefore(failures, hangUp.signal);
      }
    }
    hangUp.abort();
  }

  /** Of a run that ended too long ago to be told again. */
  async function readKept(): Promise<void> {
    const { messages } = await chat.conversation(conversation ?? '');
    const kept = messages.find(({ role, run_id }) => role === 'assistant' && run_id === runId);
    if (!kept) throw noAnswer();
    text = textIn(kept.content);
    steps = restored(kept.steps ?? []);
    sources = sourcesIn(kept.sources ?? []);
    state = kept.incomplete ? 'stopped' : 'done';
  }

  async function run(): Promise<void> {
    try {
      await read().catch((thrown: unknown) => {
        if (isFault(thrown) && thrown.status === 410) return readKept();
        throw thrown;
      });
      words.flush();
      if (state === 'running') state = 'done';
    } catch (thrown) {
      words.flush();
      const isCancelled = isFault(thrown) && thrown.code === 'cancelled';
      state = isStopped || isCancelled || hangUp.signal.aborted || isAborted(thrown) ? 'stopped' : 'failed';
      // The browser's own word for a line that went dead in the middle is no fault of ours.
      if (state === 'failed') fault = thrown instanceof TypeError ? noAnswer() : thrown;
    }
    isAway = false;
    steps = ended(steps);
    if (!running) ms = performance.now() - startedAt;
  }

  const answer: Answer = {
    role: 'assistant',
    key,
    get text() {
      return text;
    },
    get steps() {
      return steps;
    },
    get sources() {
      return sources;
    },
    get state() {
      return state;
    },
    get isAway() {
      return isAway;
    },
    get fault() {
      return fault;
    },
    get runId() {
      return runId;
    },
    get usage() {
      return usage;
    },
    get ms() {
      return ms;
    },
    get capped() {
      return capped;
    },
    get hasFollowUps() {
      return hasFollowUps && state === 'done';
    },
    stop() {
      if (isStopped) return;
      isStopped = true;
      if (!isKept) hangUp.abort();
      // Before it has a name it is cancelled as soon as it has.
      else if (runId !== undefined) void cancel();
    },
    leave() {
      hangUp.abort();
    },
  };
  return { answer, over: run() };
}

/** An answer from before. */
export function keptAnswer(message: StoredMessage, key: string): Answer {
  const { content, run_id, incomplete, rating, sources = [], steps = [] } = message;
  return {
    ...{ role: 'assistant', key, text: textIn(content), steps: restored(steps), sources: sourcesIn(sources) },
    ...{ state: incomplete ? 'stopped' : 'done', fault: undefined, runId: run_id ?? undefined, rating },
    ...{ usage: undefined, ms: undefined, capped: false, hasFollowUps: false, isAway: false },
    stop: () => undefined,
    leave: () => undefined,
  };
}

/** Words come faster than a screen can show them: they are put down once for each picture of it. */
function createPacer(put: (text: string) => void): { add(text: string): void; flush(): void } {
  let waiting = '';
  let isDue = false;
  const flush = () => {
    isDue = false;
    if (waiting === '') return;
    put(waiting);
    waiting = '';
  };
  return {
    flush,
    add(text) {
      waiting += text;
      if (isDue || waiting === '') return;
      isDue = true;
      // A page that nobody sees is never drawn.
      if (document.hidden) setTimeout(flush, 200);
      else requestAnimationFrame(flush);
    },
  };
}
