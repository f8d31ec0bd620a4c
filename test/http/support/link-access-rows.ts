import type { Row, Things } from './access-rows.js';
import type { Link } from './link-fixture.js';
import { configure } from './settings-client.js';

const linksOf = async ({ world, owner, assistant }: Things): Promise<string> => {
  await configure(world.service, owner, { features: { public_links: true } });
  return `/lamb/v1/assistants/${String(assistant.id)}/links`;
};

async function ownersLink(things: Things): Promise<string> {
  const options = { method: 'POST', key: things.owner.key, body: {} };
  const { json } = await things.world.service.request<Link>(await linksOf(things), options);
  return `/lamb/v1/links/${String(json.id)}`;
}

/** Of links for people without an account. Only those are visitors who came by one. */
export const LINK_ROWS: Readonly<Record<string, Row>> = {
  'GET /lamb/v1/assistants/:id/audience': {
    path: ({ assistant }) => `/lamb/v1/assistants/${String(assistant.id)}/audience`,
    expected: [404, 403, 200, 200, 200],
  },
  'GET /lamb/v1/assistants/:id/links': { path: linksOf, expected: [404, 403, 200, 200, 200] },
  'POST /lamb/v1/assistants/:id/links': {
    path: linksOf,
    body: () => ({}),
    expected: [404, 403, 201, 201, 201],
  },
  'DELETE /lamb/v1/links/:id': { path: ownersLink, expected: [404, 403, 204, 204, 204] },
  'GET /lamb/v1/links/visit': { expected: [403, 403, 403, 403, 403] },
  'DELETE /lamb/v1/links/visit': { expected: [403, 403, 403, 403, 403] },
};
