import type { Page } from '../../../../src/http/contract/common.ts';
import type { Levels, Submission, SubmissionState } from '../../../../src/http/contract/submissions.ts';
import type { Api } from '../../api/api.ts';

/** As a teacher changes it; points of one's own take the place of the levels' sum. */
export interface GradeChange {
  readonly levels?: Levels;
  readonly score?: number;
  readonly comment?: string;
}

export type SubmissionsApi = ReturnType<typeof createSubmissionsApi>;

export interface SubmissionQuery {
  readonly status?: SubmissionState | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** What is handed in to one activity: to a student their own, to a teacher everybody's. */
export function createSubmissionsApi(api: Api, activityId: number) {
  const root = `/lamb/v1/lti/activities/${String(activityId)}/submissions`;
  const at = (id: Submission['id'], ...rest: readonly string[]) =>
    [root, encodeURIComponent(id), ...rest].join('/');

  return {
    list: (query: SubmissionQuery, signal?: AbortSignal) =>
      api.get<Page<Submission>>(root, { query: { ...query }, ...(signal ? { signal } : {}) }),
    get: (id: Submission['id']) => api.get<Submission>(at(id)),
    submit: (text: string) => api.send<Submission>('POST', root, { text }),
    withdraw: (id: Submission['id']) => api.send('DELETE', at(id)),
    // What follows is refused with 409 when it is no longer as it was looked at.
    change: ({ id, version }: Submission, change: GradeChange) =>
      api.send<Submission>('PATCH', at(id), { ...change, version }),
    approve: ({ id, version }: Submission) => api.send<Submission>('POST', at(id, 'approve'), { version }),
    reject: ({ id, version }: Submission, comment: string) =>
      api.send<Submission>('POST', at(id, 'reject'), { version, ...(comment === '' ? {} : { comment }) }),
    evaluate: ({ id, version }: Submission) => api.send<Submission>('POST', at(id, 'evaluate'), { version }),
    post: ({ id, version }: Submission) => api.send<Submission>('POST', at(id, 'post'), { version }),
  };
}
