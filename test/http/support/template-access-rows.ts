import { EVERYBODY, type Row, type Things } from './access-rows.js';

/** Of the owner's, for their organisation. */
async function ownersTemplate({ world, owner, assistant }: Things): Promise<string> {
  const options = { method: 'POST', key: owner.key, body: { assistant_id: assistant.id } };
  const { json } = await world.service.request<{ readonly id: string }>('/lamb/v1/templates', options);
  return `/lamb/v1/templates/${json.id}`;
}

const wish = () => ({ description: 'A tutor for cells' });

/** Of templates: an organisation's are its people's. There is no model in these organisations to draft anything. */
export const TEMPLATE_ROWS: Readonly<Record<string, Row>> = {
  'GET /lamb/v1/templates': { expected: EVERYBODY },
  'POST /lamb/v1/templates': {
    body: ({ assistant }) => ({ assistant_id: assistant.id }),
    expected: [404, 403, 201, 201, 201],
  },
  'GET /lamb/v1/templates/:id': { path: ownersTemplate, expected: [404, 200, 200, 200, 200] },
  'PATCH /lamb/v1/templates/:id': {
    path: ownersTemplate,
    body: () => ({ is_shared: true }),
    expected: [404, 403, 403, 200, 200],
  },
  'DELETE /lamb/v1/templates/:id': { path: ownersTemplate, expected: [404, 403, 204, 204, 204] },
  'POST /lamb/v1/assistants/draft': { body: wish, expected: [422, 422, 422, 422, 422] },
  'POST /lamb/v1/rubrics/draft': { body: wish, expected: [422, 422, 422, 422, 422] },
};
