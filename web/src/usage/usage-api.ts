import type { UsageGroup, UsageReport } from '../../../src/http/contract/usage.ts';
import type { Api } from '../api/client.ts';
import type { Days } from './days.ts';

type Asked = Days & { readonly organization_id?: string };

export function createUsageApi(api: Api) {
  return {
    by: (group_by: UsageGroup, asked: Asked) =>
      api.get<UsageReport>('/lamb/v1/usage', { query: { ...asked, group_by } }),
    csv: (group_by: UsageGroup, { from, to, organization_id = '' }: Asked) => {
      const query = new URLSearchParams({ from, to, group_by, format: 'csv' });
      if (organization_id !== '') query.set('organization_id', organization_id);
      return api.download(`/lamb/v1/usage?${query.toString()}`);
    },
  };
}
