import type { StoredMessage, Source } from '../../../src/http/contract/chat.ts';
import type { Run } from '../../../src/http/contract/runs.ts';
import { createFault, isAborted, noAnswer } from '../api/fault.ts';
import type { ChatApi, Question } from './chat-api.ts';
import { textIn } from './content.ts';
import { type Frame, framesOf, type Status, type Usage } from './frames.ts';
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
  readonly fault: unknown;
  readonly runId: string | undefined;
  readonly usage: Usage | undefined;
  readonly ms: number | undefined;
  /** What made the model answer with what it had. */
  readonly capped: Run['capped'];
  stop(): void;
}

export interface Asking {
  readonly chat: ChatApi;
  readonly question: Question;
  readonly key: string;
  /** The service has taken the question; told before the first word. */
  readonly begun?: (conversation: string | undefined) => void;
  readonly changed?: (status: Status) => void;
}

/** Asks, and gives the answer as it comes. `over` resolves when nothing more will come; it never rejects. */
export function ask({ chat, question, key, begun, changed }: Asking): {
  answer: Answer;
  over: Promise<void>;
} {
  let text = $state('');
  let steps = $state.raw<readonly Step[]>([]);
  let sources = $state.raw<readonly Source[]>([]);
  let state = $state<AnswerState>('running');
  let fault = $state.raw<unknown>();
  let runId = $state<string>();
  let usage = $state.raw<Usage>();
  let ms = $state<number>();
  let capped = $state<Run['capped']>(false);
  const startedAt = performance.now();
  const hangUp = new AbortController();
  const words = createPacer((more) => {
    text += more;
  });

  function heed(status: Status): void {
    steps = withStatus(steps, status);
    if (status.type === 'run.completed') {
      sources = sourcesIn(status.sources ?? []);
      capped = status.capped ?? false;
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

  async function read(): Promise<void> {
    const response = await chat.ask(question, hangUp.signal);
    runId = response.headers.get('x-run-id') ?? undefined;
    begun?.(response.headers.get('x-conversation-id') ?? undefined);
    if (!response.body) throw noAnswer();
    for await (const frame of framesOf(response.body)) {
      if (frame === '[DONE]') return;
      take(frame);
    }
    // The line went dead.
    throw noAnswer();
  }

  async function run(): Promise<void> {
    try {
      await read();
      words.flush();
      state = 'done';
    } catch (thrown) {
      words.flush();
      state = hangUp.signal.aborted || isAborted(thrown) ? 'stopped' : 'failed';
      // The browser's own word for a line that went dead in the middle is no fault of ours.
      if (state === 'failed') fault = thrown instanceof TypeError ? noAnswer() : thrown;
    }
    steps = ended(steps);
    ms = performance.now() - startedAt;
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
    stop() {
      hangUp.abort();
    },
  };
  return { answer, over: run() };
}

/** An answer from before. */
export function keptAnswer(message: StoredMessage, key: string): Answer {
  const { content, run_id, incomplete, sources = [], steps = [] } = message;
  return {
    ...{ role: 'assistant', key, text: textIn(content), steps: restored(steps), sources: sourcesIn(sources) },
    ...{ state: incomplete ? 'stopped' : 'done', fault: undefined, runId: run_id ?? undefined },
    ...{ usage: undefined, ms: undefined, capped: false },
    stop: () => undefined,
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
