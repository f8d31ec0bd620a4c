import type { Api } from '../api/client.ts';
import type { Page } from '../api/shapes.ts';
import type { Run, RunWithSteps } from './run-shapes.ts';

export interface RunQuery {
  readonly assistant_id?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
}

const ROOT = '/lamb/v1/runs';

export type RunsApi = ReturnType<typeof createRunsApi>;

export function createRunsApi(api: Api) {
  return {
    list: (query: RunQuery, signal: AbortSignal) => api.get<Page<Run>>(ROOT, { query: { ...query }, signal }),
    run: (id: string) => api.get<RunWithSteps>(`${ROOT}/${encodeURIComponent(id)}`),
  };
}
