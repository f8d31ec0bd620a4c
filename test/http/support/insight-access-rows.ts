import type { Row, Things } from './access-rows.js';

const annotationsOf = ({ assistant }: Things): string =>
  `/lamb/v1/assistants/${String(assistant.id)}/annotations`;

const CONTENT = { question: 'What is a cell?', answer: 'The smallest unit of life.' };

async function anAnnotation(things: Things): Promise<string> {
  const made = await things.world.service.request<{ id: number }>(annotationsOf(things), {
    key: things.owner.key,
    body: CONTENT,
  });
  return `${annotationsOf(things)}/${String(made.json.id)}`;
}

/** For those who may change the assistant: what was asked is no business of those who only use it. */
export const INSIGHT_ROWS: Readonly<Record<string, Row>> = {
  'GET /lamb/v1/assistants/:id/insight': {
    path: ({ assistant }) => `/lamb/v1/assistants/${String(assistant.id)}/insight`,
    expected: [404, 403, 200, 200, 200],
  },
  'GET /lamb/v1/assistants/:id/annotations': { path: annotationsOf, expected: [404, 403, 200, 200, 200] },
  'POST /lamb/v1/assistants/:id/annotations': {
    path: annotationsOf,
    body: () => CONTENT,
    expected: [404, 403, 201, 201, 201],
  },
  'PATCH /lamb/v1/assistants/:id/annotations/:annotation': {
    path: anAnnotation,
    body: () => ({ status: 'active' }),
    expected: [404, 403, 200, 200, 200],
  },
  'DELETE /lamb/v1/assistants/:id/annotations/:annotation': {
    path: anAnnotation,
    expected: [404, 403, 204, 204, 204],
  },
};
