import { uniqueName } from '../../support/fakes/fakes.js';
import { aLearningPlatform, anActivity } from '../../support/launched.js';
import { EVERYBODY, type Row, type Statuses, type Things } from './access-rows.js';

/** For those whom a platform's launch brought, and nobody who comes another way. */
const LAUNCHED: Statuses = [403, 403, 403, 403, 403];

/** Who may do what with learning platforms, and with what is inside them. */
export const LTI_ROWS: Readonly<Record<string, Row>> = {
  'GET /lamb/v1/lti/platforms': { expected: [403, 403, 403, 200, 200] },
  'POST /lamb/v1/lti/platforms': { body: aPlatform, expected: [403, 403, 403, 201, 201] },
  'GET /lamb/v1/lti/platforms/:id': { path: ownersPlatform, expected: [403, 403, 403, 200, 200] },
  'PATCH /lamb/v1/lti/platforms/:id': {
    path: ownersPlatform,
    body: () => ({ enabled: false }),
    expected: [403, 403, 403, 200, 200],
  },
  'DELETE /lamb/v1/lti/platforms/:id': { path: ownersPlatform, expected: [403, 403, 403, 204, 204] },
  'GET /lamb/v1/lti/activities': { expected: EVERYBODY },
  'GET /lamb/v1/lti/activities/:id': { path: ownersActivity, expected: [404, 404, 200, 200, 200] },
  'PATCH /lamb/v1/lti/activities/:id': {
    path: ownersActivity,
    body: () => ({ retention_days: 30 }),
    expected: [404, 404, 200, 200, 200],
  },
  'GET /lamb/v1/lti/session': { expected: LAUNCHED },
  'GET /lamb/v1/lti/session/assistants': { expected: LAUNCHED },
  'POST /lamb/v1/lti/session/account': { body: () => ({}), expected: LAUNCHED },
  'DELETE /lamb/v1/lti/session/account': { expected: LAUNCHED },
  'POST /lamb/v1/lti/session/consent': { body: () => ({}), expected: LAUNCHED },
  'DELETE /lamb/v1/lti/session/consent': { expected: LAUNCHED },
  'GET /lamb/v1/lti/session/export': { expected: LAUNCHED },
  'POST /lamb/v1/lti/session/placements': { body: () => ({}), expected: LAUNCHED },
  'POST /lamb/v1/lti/session/end': { body: () => ({}), expected: LAUNCHED },
  'GET /lamb/v1/lti/activities/:id/dashboard': {
    path: () => '/lamb/v1/lti/activities/1/dashboard',
    expected: LAUNCHED,
  },
  'GET /lamb/v1/lti/activities/:id/transcripts': {
    path: () => '/lamb/v1/lti/activities/1/transcripts',
    expected: LAUNCHED,
  },
  'GET /lamb/v1/lti/activities/:id/transcripts/:conversation': {
    path: () => '/lamb/v1/lti/activities/1/transcripts/any',
    expected: LAUNCHED,
  },
  'DELETE /lamb/v1/lti/session/data': { expected: LAUNCHED },
  'GET /lamb/v1/lti/activities/:id/submissions': { expected: LAUNCHED },
  'POST /lamb/v1/lti/activities/:id/submissions': { expected: LAUNCHED },
  'GET /lamb/v1/lti/activities/:id/submissions/:sid': { expected: LAUNCHED },
  'PATCH /lamb/v1/lti/activities/:id/submissions/:sid': { expected: LAUNCHED },
  'DELETE /lamb/v1/lti/activities/:id/submissions/:sid': { expected: LAUNCHED },
  'POST /lamb/v1/lti/activities/:id/submissions/:sid/approve': { expected: LAUNCHED },
  'POST /lamb/v1/lti/activities/:id/submissions/:sid/reject': { expected: LAUNCHED },
  'POST /lamb/v1/lti/activities/:id/submissions/:sid/evaluate': { expected: LAUNCHED },
  'POST /lamb/v1/lti/activities/:id/submissions/:sid/post': { expected: LAUNCHED },
  'POST /lamb/v1/lti/platforms/:id/test': {
    path: async (world) => `${await ownersPlatform(world)}/test`,
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/lti/registrations': { body: () => ({}), expected: [403, 403, 403, 201, 201] },
  'GET /lamb/v1/lti/tool': { expected: [403, 403, 403, 200, 200] },
  'GET /lamb/v1/lti/keys': { expected: [403, 403, 403, 403, 200] },
  'POST /lamb/v1/lti/keys/rotate': { expected: [403, 403, 403, 403, 201] },
};

function aPlatform(): object {
  return { kind: '1.1', name: 'Moodle', consumer_key: uniqueName('key'), shared_secret: 'a secret' };
}

async function ownersPlatform({ world, owner }: Things): Promise<string> {
  const body = { ...aPlatform(), organization_id: owner.organizationId };
  const made = await world.service.request<{ id: number }>('/lamb/v1/lti/platforms', { body });
  return `/lamb/v1/lti/platforms/${String(made.json.id)}`;
}

async function ownersActivity({ world, owner, assistant }: Things): Promise<string> {
  const platform = await aLearningPlatform(world.service, owner);
  const assistants = [{ assistantId: assistant.id, addedBy: owner.id }];
  const { id } = await anActivity(world.service, platform, { assistants });
  return `/lamb/v1/lti/activities/${String(id)}`;
}
