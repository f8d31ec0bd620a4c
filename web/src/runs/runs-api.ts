import type { Page } from '../../../src/http/contract/common.ts';
import type { Run, RunStatus, RunWithSteps } from '../../../src/http/contract/runs.ts';
import type { Api } from '../api/client.ts';

export const RUN_STATUSES = [
  'completed',
  'failed',
  'cancelled',
  'timed_out',
] as const satisfies readonly RunStatus[];

export interface RunQuery {
  readonly assistant_id?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

const ROOT = '/lamb/v1/runs';

export function createRunsApi(api: Api) {
  return {
    list: (query: RunQuery, signal: AbortSignal) => api.get<Page<Run>>(ROOT, { query: { ...query }, signal }),
    run: (id: string) => api.get<RunWithSteps>(`${ROOT}/${encodeURIComponent(id)}`),
  };
}
