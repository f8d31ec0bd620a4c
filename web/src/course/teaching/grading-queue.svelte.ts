import type { Submission, SubmissionState } from '../../../../src/http/contract/submissions.ts';
import { isFault } from '../../api/fault.ts';
import { createPagedList } from '../../api/paged-list.svelte.ts';
import { isUnderWay } from '../submissions/submission-states.ts';
import type { SubmissionsApi } from '../submissions/submissions-api.ts';

export type GradingQueue = ReturnType<typeof createGradingQueue>;

/** How many are looked at again in one go. */
const MOST_AT_ONCE = 20;

/** What was handed in, as far as it is asked for. It stays as it is while one of them is open. */
export function createGradingQueue(submissions: SubmissionsApi) {
  let status = $state<SubmissionState>();
  const list = createPagedList((cursor, signal) => submissions.list({ status, cursor }, signal));

  return {
    list,
    get status() {
      return status;
    },
    /** Those in this state; undefined for all. */
    only(wanted: SubmissionState | undefined) {
      status = wanted;
      void list.load();
    },
    /** Looks again at those that change by themselves; the rows stay where they are, but for what was withdrawn. */
    async refresh(): Promise<void> {
      const moving = (list.rows ?? []).filter(isUnderWay).slice(0, MOST_AT_ONCE);
      const fresh = await Promise.allSettled(moving.map(({ id }) => submissions.get(id)));
      const found = new Map(
        fresh.flatMap((each) => (each.status === 'fulfilled' ? [[each.value.id, each.value] as const] : [])),
      );
      const gone = moving.filter((_, i) => isGone(fresh[i]));
      const left = (list.rows ?? []).filter(({ id }) => !gone.some((each) => each.id === id));
      list.put(left.map((row) => found.get(row.id) ?? row));
    },
  };
}

const isGone = (read: PromiseSettledResult<Submission> | undefined): boolean =>
  read?.status === 'rejected' && isFault(read.reason) && read.reason.status === 404;
