import type { DocumentStage, Work } from '../../core/knowledge/document.js';
import type { DocumentStore } from '../../core/knowledge/stores.js';

type State = Parameters<DocumentStore['report']>[1];

/** A document as long as it is ours. */
export interface KeptClaim {
  /** Fires when it is not ours any more, and when the service stops. */
  readonly signal: AbortSignal;
  isLost(): boolean;
  /** Others see it with the next beat. */
  tell(stage: DocumentStage, progress: number): void;
  /** Resolves when others can see it; rejects when it is not ours any more. */
  tellNow(state: State): Promise<void>;
  /** Asks at once whether it is still ours. */
  renew(): void;
  /** What is being told is waited for. */
  end(): Promise<void>;
}

export interface KeepingOptions {
  readonly documents: Pick<DocumentStore, 'report'>;
  readonly leaseMs: number;
  /** So often news is told, if there is any. */
  readonly beatMs: number;
  readonly stopping: AbortSignal;
}

/** The lease is renewed with all that is told, and well before it runs out when there is nothing to tell. */
const RENEWALS_A_LEASE = 3;

/** Says for others how far the work on a document is, and that somebody is at it. */
export function keepClaim(work: Work, { documents, leaseMs, beatMs, stopping }: KeepingOptions): KeptClaim {
  const over = new AbortController();
  const onStop = () => {
    over.abort(stopping.reason);
  };
  let isLost = false;
  let state: State = { stage: work.document.stage, progress: 0 };
  let told = state;
  let toldAt = Date.now();
  let telling: Promise<void> | undefined;

  const lose = () => {
    isLost = true;
    over.abort(new Error('The document is not ours any more.'));
  };
  const tellNow = async (news: State) => {
    state = { stage: news.stage, progress: news.progress };
    const [at, known] = [Date.now(), state];
    if (!(await documents.report(work, news, { ms: leaseMs }))) lose();
    over.signal.throwIfAborted();
    told = known;
    toldAt = at;
  };
  const beat = () => {
    if (state !== told || Date.now() - toldAt >= leaseMs / RENEWALS_A_LEASE) renew();
  };
  const renew = () => {
    if (telling || isLost) return;
    telling = tellNow(state)
      .catch(() => {
        // A database that fails now may answer at the next beat; when it does not, the lease runs out.
        if (Date.now() - toldAt > leaseMs) lose();
      })
      .finally(() => (telling = undefined));
  };
  const timer = setInterval(beat, beatMs);
  stopping.addEventListener('abort', onStop, { once: true });
  if (stopping.aborted) onStop();

  return {
    signal: over.signal,
    isLost: () => isLost,
    tell(stage, progress) {
      const whole = Math.floor(progress);
      if (state.stage !== stage || state.progress !== whole) state = { stage, progress: whole };
    },
    tellNow,
    renew,
    async end() {
      clearInterval(timer);
      stopping.removeEventListener('abort', onStop);
      await telling;
    },
  };
}
