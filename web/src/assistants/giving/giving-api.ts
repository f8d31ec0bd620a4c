import type { Audience, Link, Links } from '../../../../src/http/contract/people/links.ts';
import type { Api } from '../../api/api.ts';
import type { Overriding } from '../tests/gate-refusal.ts';

interface NewLink extends Overriding {
  readonly expires_at: string | null;
  readonly budget_id: string | null;
}

export type GivingApi = ReturnType<typeof createGivingApi>;

export function createGivingApi(api: Api, id: number) {
  const root = `/lamb/v1/assistants/${String(id)}`;

  return {
    audience: () => api.get<Audience>(`${root}/audience`),
    links: () => api.get<Links>(`${root}/links`, { query: { limit: 50 } }),
    makeLink: (link: NewLink) => api.send<Link>('POST', `${root}/links`, link),
    revoke: (link: number) => api.send('DELETE', `/lamb/v1/links/${String(link)}`),
  };
}
