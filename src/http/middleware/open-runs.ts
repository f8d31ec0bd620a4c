import type { ServerResponse } from 'node:http';
import { unavailable } from '../../core/errors.js';
import { clientLeft } from './request-facts.js';

/** One answer being given: its signal ends when the reader leaves or the service stops. */
export interface OpenRun {
  readonly signal: AbortSignal;
  /** Ends it for another reason. */
  end(reason: Error): void;
  /** To be called when the run is on record; until then stopping waits for it, even if the reader has left. */
  over(): void;
}

/** The answers being given right now, so that stopping can wait for them or end them in good order. */
export interface OpenRuns {
  /** Throws once no new ones are taken. One that goes on without its reader ends when it is done, or when stopping ends it. */
  begin(res: ServerResponse, options?: { readonly goesOnAlone: boolean }): OpenRun;
  /** From now on newcomers are still served, and not welcome: whoever spreads the requests is to send them elsewhere. */
  announceStop(): void;
  takeNoMore(): void;
  isWelcoming(): boolean;
  /** Resolves when the last one is over, or after `ms`. */
  drained(ms: number): Promise<void>;
  endAll(): void;
  /** How many are being streamed to somebody who still reads. */
  streams(): number;
}

/** Emptied at its end: a Set that many come into and leave may keep what it has held until V8 goes through the whole heap. */
interface Held {
  controller: AbortController | undefined;
  res: ServerResponse | undefined;
}

const ENDS_WITH_READER = { goesOnAlone: false };
const stopping = () => unavailable('The service is stopping. Try again in a moment.', 'shutting_down');

export function createOpenRuns(): OpenRuns {
  const open = new Set<Held>();
  let announced = false;
  let closing = false;
  let onEmpty: () => void = () => undefined;

  return {
    begin(res, { goesOnAlone } = ENDS_WITH_READER) {
      if (closing) throw stopping();
      const controller = new AbortController();
      const held: Held = { controller, res };
      open.add(held);
      let waitingFor = 2;
      const oneLess = () => {
        waitingFor -= 1;
        if (waitingFor > 0) return;
        open.delete(held);
        held.controller = held.res = undefined;
        if (open.size === 0) onEmpty();
      };
      // `res`, not `req`: a request is closed as soon as its body was read.
      const onClose = () => {
        if (!res.writableFinished && !goesOnAlone) controller.abort(clientLeft());
        oneLess();
      };
      if (res.closed) onClose();
      else res.once('close', onClose);
      return {
        signal: controller.signal,
        end: (reason) => {
          controller.abort(reason);
        },
        over: oneLess,
      };
    },
    announceStop() {
      announced = true;
    },
    takeNoMore() {
      closing = true;
    },
    isWelcoming: () => !announced && !closing,
    async drained(ms) {
      if (open.size === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    endAll() {
      for (const { controller } of open) controller?.abort(stopping());
    },
    // Looked at when asked: a stream is not charged for being counted.
    streams: () => [...open].filter(({ res }) => res && isStream(res)).length,
  };
}

const isStream = (res: ServerResponse) =>
  res.headersSent && !res.closed && String(res.getHeader('Content-Type')).startsWith('text/event-stream');
