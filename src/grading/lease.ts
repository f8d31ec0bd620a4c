import type { GradingQueue, GradingWork } from '../core/grading/submission.js';

/** Renewed well before it runs out. */
const RENEWALS_A_LEASE = 3;

/** Work as long as it is ours: the signal fires when it is not any more, and when the service stops. */
export interface KeptLease {
  readonly signal: AbortSignal;
  end(): void;
}

export function keepLease(
  work: GradingWork,
  {
    queue,
    ms,
    stopping,
  }: { readonly queue: GradingQueue; readonly ms: number; readonly stopping: AbortSignal },
): KeptLease {
  const lost = new AbortController();
  const renew = async () => {
    if (!(await queue.keep(work, { ms }))) lost.abort(new Error('The work is not ours any more.'));
  };
  const timer = setInterval(() => {
    // A database that fails now may answer at the next beat; when it does not, the lease runs out.
    renew().catch(() => undefined);
  }, ms / RENEWALS_A_LEASE);
  return {
    signal: AbortSignal.any([lost.signal, stopping]),
    end() {
      clearInterval(timer);
    },
  };
}
