import { keepLease, type KeptLease, type LeaseOptions } from '../../core/base/lease.js';
import type { DocumentStage, Work } from '../../core/knowledge/document.js';
import type { DocumentStore } from '../../core/knowledge/stores.js';

type State = Parameters<DocumentStore['report']>[1];

/** A document as long as it is ours. */
export interface KeptClaim extends Omit<KeptLease, 'renewBy'> {
  /** Others see it with the next beat. */
  tell(stage: DocumentStage, progress: number): void;
  /** Resolves when others can see it; rejects when it is not ours any more. */
  tellNow(state: State): Promise<void>;
}

export interface KeepingOptions extends Pick<LeaseOptions, 'leaseMs' | 'stopping'> {
  readonly documents: Pick<DocumentStore, 'report'>;
  /** So often news is told, if there is any. */
  readonly beatMs: number;
}

/** Says for others how far the work on a document is, which renews its lease. */
export function keepClaim(work: Work, { documents, leaseMs, beatMs, stopping }: KeepingOptions): KeptClaim {
  let state: State = { stage: work.document.stage, progress: 0 };
  let told = state;
  const report = async (news: State) => {
    const known = (state = { stage: news.stage, progress: news.progress });
    const isOurs = await documents.report(work, news, { ms: leaseMs });
    if (isOurs) told = known;
    return isOurs;
  };
  const { renewBy, ...lease } = keepLease({
    ...{ leaseMs, beatMs, stopping },
    renewal: () => report(state),
    hasNews: () => state !== told,
  });

  return {
    ...lease,
    tell(stage, progress) {
      const whole = Math.floor(progress);
      if (state.stage !== stage || state.progress !== whole) state = { stage, progress: whole };
    },
    tellNow: (news) => renewBy(() => report(news)),
  };
}
