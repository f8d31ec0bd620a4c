import { isAborted, isFault, noAnswer } from '../api/fault.ts';
import { END, type Frame, framesOf } from './frames.ts';

export interface RunLine {
  /** A connection on which what comes after a frame is told, and whether another one may follow it. */
  readonly connect: (after: number, signal: AbortSignal) => Promise<Response>;
  readonly mayReconnect: () => boolean;
  /** Whether there is a connection. */
  readonly changed: (isAway: boolean) => void;
  /** Ends it for good. */
  readonly signal: AbortSignal;
}

/** Longer than the service is silent while a run goes on (HEARTBEAT_MS), so that a line like that is dead. */
const DEAD_AFTER_MS = 40_000;
/** Whoever comes back to the page does not wait for that. */
const QUIET_MS = 3_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** What a run tells, each frame once and in order, over as many connections as it takes. */
export async function* framesOfRun({
  connect,
  mayReconnect,
  changed,
  signal,
}: RunLine): AsyncGenerator<Frame> {
  let lastId = 0;
  let failures = 0;
  for (;;) {
    const line = watchLine(signal);
    try {
      // A question may wait for its turn in silence; asked for again, a run is told at once.
      if (mayReconnect()) line.watch();
      const { body } = await connect(lastId, line.signal);
      if (!body) throw noAnswer();
      line.watch();
      changed(false);
      for await (const { id, frame } of framesOf(body)) {
        line.heard();
        failures = 0;
        if (id !== undefined && id <= lastId) continue;
        lastId = id ?? lastId;
        if (frame === END) return;
        yield frame;
      }
    } catch (thrown) {
      if (signal.aborted || !mayReconnect() || !isPassing(thrown)) throw thrown;
    } finally {
      line.close();
    }
    if (!mayReconnect()) throw noAnswer();
    changed(true);
    await pauseBefore(failures, signal);
    failures += 1;
  }
}

/** Worth another try: nobody was there, or too many were, or the line broke in the middle. */
export const isPassing = (thrown: unknown): boolean =>
  isFault(thrown)
    ? thrown.status === 0 || thrown.status === 429 || thrown.status >= 500
    : thrown instanceof TypeError || isAborted(thrown);

/** Until it is worth another try: longer each time, and at once when the network or the reader has come back. */
export function pauseBefore(failures: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const goOn = () => {
      clearTimeout(timer);
      over.abort();
      resolve();
    };
    const timer = setTimeout(goOn, Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS));
    whenBack(goOn, over.signal);
    signal.addEventListener('abort', goOn, { signal: over.signal });
  });
}

function whenBack(goOn: () => void, signal: AbortSignal): void {
  addEventListener('online', goOn, { signal });
  const seen = () => {
    if (!document.hidden) goOn();
  };
  document.addEventListener('visibilitychange', seen, { signal });
}

/** A connection that nothing comes from any more is given up: a phone that slept has many such. */
function watchLine(parent: AbortSignal) {
  const line = new AbortController();
  const end = () => {
    line.abort();
  };
  let heardAt = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (parent.aborted) end();
  parent.addEventListener('abort', end, { signal: line.signal });
  whenBack(() => {
    if (Date.now() - heardAt > QUIET_MS) end();
  }, line.signal);
  const heard = () => {
    heardAt = Date.now();
    clearTimeout(timer);
    timer = setTimeout(end, DEAD_AFTER_MS);
  };
  return {
    signal: line.signal,
    watch: heard,
    heard,
    close() {
      clearTimeout(timer);
      end();
    },
  };
}
