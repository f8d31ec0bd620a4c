import type { Api } from '../api/client.ts';
import type { Days, Grouping, UsageReport } from './usage-shapes.ts';

export type UsageApi = ReturnType<typeof createUsageApi>;

export function createUsageApi(api: Api) {
  return {
    by: (group_by: Grouping, days: Days & { readonly organization_id?: string }) =>
      api.get<UsageReport>('/lamb/v1/usage', { query: { ...days, group_by } }),
  };
}
