import { EVERYBODY, type Row, type Things } from './access-rows.js';
import { aScenario, GREETS } from './scenario-client.js';

const ofAssistant = ({ assistant }: Things) => `/lamb/v1/assistants/${String(assistant.id)}`;

async function ownersScenario(things: Things): Promise<number> {
  const options = { method: 'POST', key: things.owner.key, body: aScenario(GREETS) };
  const path = `${ofAssistant(things)}/scenarios`;
  return (await things.world.service.request<{ id: number }>(path, options)).json.id;
}

async function ownersRun(things: Things): Promise<string> {
  await ownersScenario(things);
  const options = { method: 'POST', key: things.owner.key, body: {} };
  const path = `${ofAssistant(things)}/suite-runs`;
  return (await things.world.service.request<{ id: string }>(path, options)).json.id;
}

const scenario: Pick<Row, 'path'> = {
  path: async (things) => `/lamb/v1/scenarios/${String(await ownersScenario(things))}`,
};
const run = (part = ''): Row => ({
  path: async (things) => `/lamb/v1/suite-runs/${await ownersRun(things)}${part}`,
  expected: [404, 403, 200, 200, 200],
});

/** Of what assistants are tried with: for those who may edit them. */
export const SCENARIO_ROWS: Readonly<Record<string, Row>> = {
  'GET /lamb/v1/assistants/:id/scenarios': {
    path: (things) => `${ofAssistant(things)}/scenarios`,
    expected: [404, 403, 200, 200, 200],
  },
  'POST /lamb/v1/assistants/:id/scenarios': {
    path: (things) => `${ofAssistant(things)}/scenarios`,
    body: () => aScenario(GREETS),
    expected: [404, 403, 201, 201, 201],
  },
  'GET /lamb/v1/scenario-sets': { expected: EVERYBODY },
  'POST /lamb/v1/assistants/:id/scenario-sets/:set': {
    path: (things) => `${ofAssistant(things)}/scenario-sets/pedagogy`,
    body: () => ({ language: 'eu' }),
    expected: [404, 403, 201, 201, 201],
  },
  'GET /lamb/v1/scenarios/:id': { ...scenario, expected: [404, 403, 200, 200, 200] },
  'PUT /lamb/v1/scenarios/:id': {
    ...{ ...scenario, body: () => aScenario(GREETS), expected: [404, 403, 200, 200, 200] },
  },
  'DELETE /lamb/v1/scenarios/:id': { ...scenario, expected: [404, 403, 204, 204, 204] },
  'GET /lamb/v1/assistants/:id/suite-runs': {
    path: (things) => `${ofAssistant(things)}/suite-runs`,
    expected: [404, 403, 200, 200, 200],
  },
  'GET /lamb/v1/assistants/:id/suite-runs/estimate': {
    path: (things) => `${ofAssistant(things)}/suite-runs/estimate`,
    expected: [404, 403, 200, 200, 200],
  },
  'POST /lamb/v1/assistants/:id/suite-runs': {
    path: async (things) => {
      await ownersScenario(things);
      return `${ofAssistant(things)}/suite-runs`;
    },
    body: () => ({}),
    expected: [404, 403, 202, 202, 202],
  },
  'GET /lamb/v1/suite-runs/:id': run(),
  'GET /lamb/v1/suite-runs/:id/events': run('/events'),
  'GET /lamb/v1/suite-runs/:id/junit': run('/junit'),
  'POST /lamb/v1/suite-runs/:id/cancel': run('/cancel'),
};
