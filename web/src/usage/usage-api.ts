import type { UsageGroup, UsageReport } from '../../../src/http/contract/usage.ts';
import type { Api } from '../api/client.ts';

type Filter = Readonly<Record<string, string>>;

export function createUsageApi(api: Api) {
  return {
    /** Narrowed by `from`, `to`, `organization_id` and the other filters of the service. */
    by: (group_by: UsageGroup, filter: Filter) =>
      api.get<UsageReport>('/lamb/v1/usage', { query: { ...filter, group_by } }),
    csv: (group_by: UsageGroup, filter: Filter) => {
      const asked = Object.entries(filter).filter(([, value]) => value !== '');
      const query = new URLSearchParams([...asked, ['group_by', group_by], ['format', 'csv']]);
      return api.download(`/lamb/v1/usage?${query.toString()}`);
    },
  };
}
