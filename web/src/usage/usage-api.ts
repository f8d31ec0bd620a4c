import type { UsageGroup, UsageReport } from '../../../src/http/contract/usage.ts';
import type { Api } from '../api/client.ts';
import type { Days } from './days.ts';

export function createUsageApi(api: Api) {
  return {
    by: (group_by: UsageGroup, days: Days & { readonly organization_id?: string }) =>
      api.get<UsageReport>('/lamb/v1/usage', { query: { ...days, group_by } }),
  };
}
