/** Work from a queue, as long as it is ours: others take it on once its lease has run out. */
export interface KeptLease {
  /** Fires when the work is not ours any more, and when the service stops. */
  readonly signal: AbortSignal;
  isLost(): boolean;
  /** Renews it at once, unless that is on its way. */
  renew(): void;
  /** The same by a statement that does more than that; rejects when the work is not ours any more. */
  renewBy(statement: () => Promise<boolean>): Promise<void>;
  /** A renewal that is on its way is waited for. */
  end(): Promise<void>;
}

export interface LeaseOptions {
  readonly leaseMs: number;
  /** So often it is looked whether it is to be renewed. */
  readonly beatMs?: number;
  readonly stopping: AbortSignal;
  /** False when the work is somebody else's by now. */
  readonly renewal: () => Promise<boolean>;
  /** Whether a beat has something to tell: without that it renews only what is due. Absent: every beat renews. */
  readonly hasNews?: () => boolean;
}

/** Renewed well before it runs out. */
const RENEWALS_A_LEASE = 3;

export function keepLease(options: LeaseOptions): KeptLease {
  const { leaseMs, beatMs = leaseMs / RENEWALS_A_LEASE, stopping, renewal, hasNews = () => true } = options;
  const over = new AbortController();
  const onStop = () => {
    over.abort(stopping.reason);
  };
  let isLost = false;
  let renewedAt = Date.now();
  let renewing: Promise<void> | undefined;

  const lose = () => {
    isLost = true;
    over.abort(new Error('The work is not ours any more.'));
  };
  const renewBy = async (statement: () => Promise<boolean>) => {
    const at = Date.now();
    if (!(await statement())) lose();
    over.signal.throwIfAborted();
    renewedAt = at;
  };
  const renew = () => {
    if (renewing || isLost) return;
    renewing = renewBy(renewal)
      .catch(() => {
        // A database that fails now may answer at the next beat; when it does not, the lease runs out.
        if (Date.now() - renewedAt > leaseMs) lose();
      })
      .finally(() => (renewing = undefined));
  };
  const timer = setInterval(() => {
    if (hasNews() || Date.now() - renewedAt >= leaseMs / RENEWALS_A_LEASE) renew();
  }, beatMs);
  stopping.addEventListener('abort', onStop, { once: true });
  if (stopping.aborted) onStop();

  return {
    signal: over.signal,
    isLost: () => isLost,
    renew,
    renewBy,
    async end() {
      clearInterval(timer);
      stopping.removeEventListener('abort', onStop);
      await renewing;
    },
  };
}
