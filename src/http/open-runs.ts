import type { Response } from 'express';
import { AppError, unavailable } from '../core/errors.js';

/** The answers being given right now, so that stopping can wait for them or end them in good order. */
export interface OpenRuns {
  /** A signal that ends when the reader leaves or the service stops. Throws once no new ones are taken. */
  begin(res: Response): AbortSignal;
  takeNoMore(): void;
  takesMore(): boolean;
  /** Resolves when the last one is over, or after `ms`. */
  drained(ms: number): Promise<void>;
  endAll(): void;
}

const stopping = () => unavailable('The service is stopping. Try again in a moment.', 'shutting_down');
const left = () =>
  new AppError('The client left.', { status: 499, type: 'api_error', code: 'client_closed' });

export function createOpenRuns(): OpenRuns {
  const open = new Set<AbortController>();
  let closing = false;
  let onEmpty: () => void = () => undefined;

  return {
    begin(res) {
      if (closing) throw stopping();
      const controller = new AbortController();
      open.add(controller);
      // `res`, not `req`: a request is closed as soon as its body was read.
      res.once('close', () => {
        if (!res.writableFinished) controller.abort(left());
        open.delete(controller);
        if (open.size === 0) onEmpty();
      });
      return controller.signal;
    },
    takeNoMore() {
      closing = true;
    },
    takesMore: () => !closing,
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
      for (const controller of open) controller.abort(stopping());
    },
  };
}
