import type { Organization } from '../../../src/http/contract/admin.ts';
import type { AdminApi } from './admin-api.ts';

const MOST_OFFERED = 200;

/** What organisations are called, for those who see several of them. */
export interface OrganizationNames {
  readonly all: readonly Organization[];
  of(id: number): string;
  load(): Promise<void>;
}

export function createOrganizationNames(admin: Pick<AdminApi, 'organizations'>): OrganizationNames {
  let all = $state.raw<readonly Organization[]>([]);
  return {
    get all() {
      return all;
    },
    of: (id) => all.find((each) => each.id === id)?.name ?? String(id),
    async load() {
      try {
        const { data } = await admin.organizations({ limit: MOST_OFFERED }, new AbortController().signal);
        all = data;
      } catch {
        // Their numbers have to do.
      }
    },
  };
}
