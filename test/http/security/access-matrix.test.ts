import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { guardedRoutes } from '../../support/routes.js';
import { PICTURES } from '../../support/pictures.js';
import { essayRubric } from '../../support/rubrics.js';
import type { RequestOptions } from '../../support/service.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import {
  ACTORS,
  type Actor,
  EVERYBODY,
  type Row,
  type Statuses,
  type Things,
} from '../support/access-rows.js';
import { connected } from '../oauth/oauth-fixture.js';
import { collectionsOf } from '../support/collection-client.js';
import { INSIGHT_ROWS } from '../support/insight-access-rows.js';
import { LINK_ROWS } from '../support/link-access-rows.js';
import { LTI_ROWS } from '../support/lti-access-rows.js';
import { PEOPLE_ROWS } from '../support/people-access-rows.js';
import { TEMPLATE_ROWS } from '../support/template-access-rows.js';
import { SCENARIO_ROWS } from '../support/scenario-access-rows.js';
import { aColleagueOf, aPerson, type Person, shareWith } from '../support/users-fixture.js';

/** Those it is shared with know of it, and may only chat. */
const NOBODY: Statuses = [404, 404, 404, 404, 404];
const EDITORS: Statuses = [404, 403, 200, 200, 200];
/** Those it is shared with may read it. */
const READERS: Statuses = [404, 200, 200, 200, 200];
const ADMINISTRATORS: Statuses = [403, 403, 403, 200, 200];
const aRubric = { title: 'Essay', rubric_data: essayRubric() };
const say = { messages: [{ role: 'user', content: 'Hello' }] };
const ofAssistant =
  (suffix = '') =>
  ({ assistant }: Things) =>
    `/lamb/v1/assistants/${String(assistant.id)}${suffix}`;

const MATRIX: Readonly<Record<string, Row>> = {
  'POST /v1/chat/completions': {
    body: ({ assistant }) => ({ model: String(assistant.id), ...say }),
    expected: [404, 200, 200, 200, 200],
  },
  'POST /lamb/v1/completions': {
    path: ({ assistant }) => `/lamb/v1/completions?assistant=${String(assistant.id)}`,
    body: () => say,
    expected: [404, 200, 200, 200, 200],
  },
  'POST /v1/responses': {
    body: ({ assistant }) => ({ model: String(assistant.id), input: 'Hello.' }),
    expected: [404, 200, 200, 200, 200],
  },
  // Nobody's but whose question it answered.
  'GET /v1/responses/:id': { path: () => '/v1/responses/resp_of_nobody', expected: NOBODY },
  'DELETE /v1/responses/:id': { path: () => '/v1/responses/resp_of_nobody', expected: NOBODY },
  // There is no model for embeddings in these organisations; with one, embeddings.test.ts has who gets what.
  'POST /v1/embeddings': { body: () => ({ model: 'any', input: 'Hello.' }), expected: NOBODY },
  'GET /v1/models': { expected: EVERYBODY },
  'GET /v1/models/*model': {
    path: ({ assistant }) => `/v1/models/lamb_assistant.${String(assistant.id)}`,
    expected: [404, 200, 200, 200, 200],
  },
  'GET /lamb/v1/completions/list': { expected: EVERYBODY },
  'GET /lamb/v1/completions/tools': { expected: EVERYBODY },
  'GET /lamb/v1/completions/tools/:name': {
    path: () => '/lamb/v1/completions/tools/weather',
    expected: EVERYBODY,
  },
  'POST /lamb/v1/completions/tools/:name/validate': {
    path: () => '/lamb/v1/completions/tools/weather/validate',
    body: () => ({}),
    expected: EVERYBODY,
  },
  'POST /lamb/v1/mcp': {
    // Which assistant is in the message: what is not theirs is a JSON-RPC error, told with 200.
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: { accept: 'application/json, text/event-stream' },
    expected: EVERYBODY,
  },
  'GET /lamb/v1/mcp': { expected: [405, 405, 405, 405, 405] },
  'DELETE /lamb/v1/mcp': { expected: [405, 405, 405, 405, 405] },
  'POST /lamb/v1/auth/logout': { body: () => ({}), expected: [204, 204, 204, 204, 204] },
  'GET /lamb/v1/me': { expected: EVERYBODY },
  'GET /lamb/v1/setup': { expected: EVERYBODY },
  'GET /lamb/v1/api-keys': { expected: EVERYBODY },
  'POST /lamb/v1/api-keys': {
    body: ({ owner }) => ({ name: 'for the owner', user_email: owner.email }),
    expected: [403, 403, 201, 201, 201],
  },
  'DELETE /lamb/v1/api-keys/:id': {
    path: async (things) => `/lamb/v1/api-keys/${String(await keyOf(things))}`,
    expected: [404, 404, 204, 404, 404],
  },
  'GET /lamb/v1/connections': { expected: EVERYBODY },
  'DELETE /lamb/v1/connections/:id': { path: ownersConnection, expected: [404, 404, 204, 404, 404] },
  // With a key nobody lets a program in: that is for whoever has signed in.
  'GET /lamb/v1/oauth/authorization': { expected: [403, 403, 403, 403, 403] },
  'POST /lamb/v1/oauth/authorization': { body: () => ({}), expected: [403, 403, 403, 403, 403] },
  'GET /lamb/v1/assistants': { expected: EVERYBODY },
  'POST /lamb/v1/assistants': {
    body: () => ({ name: uniqueName('mine') }),
    expected: [201, 201, 201, 201, 201],
  },
  'GET /lamb/v1/assistants/:id': { path: ofAssistant(), expected: [404, 200, 200, 200, 200] },
  'PUT /lamb/v1/assistants/:id': {
    path: ofAssistant(),
    body: () => ({ name: 'renamed', version: 1 }),
    expected: [404, 403, 200, 200, 200],
  },
  'DELETE /lamb/v1/assistants/:id': { path: ofAssistant(), expected: [404, 403, 204, 204, 204] },
  'POST /lamb/v1/assistants/:id/publish': {
    path: ofAssistant('/publish'),
    body: () => ({ published: true }),
    expected: EDITORS,
  },
  'GET /lamb/v1/assistants/:id/feedback': { path: ofAssistant('/feedback'), expected: EDITORS },
  'GET /lamb/v1/assistants/:id/shares': { path: ofAssistant('/shares'), expected: EDITORS },
  'POST /lamb/v1/assistants/:id/shares': {
    path: ofAssistant('/shares'),
    body: ({ colleague }) => ({ email: colleague.email }),
    expected: [404, 403, 201, 201, 201],
  },
  'DELETE /lamb/v1/assistants/:id/shares/:email': {
    path: (things) => ofAssistant(`/shares/${things.colleague.email}`)(things),
    expected: [404, 403, 204, 204, 204],
  },
  'GET /lamb/v1/assistants/:id/versions': { path: ofAssistant('/versions'), expected: EDITORS },
  'GET /lamb/v1/assistants/:id/versions/:n': { path: ofAssistant('/versions/1'), expected: EDITORS },
  'GET /lamb/v1/assistants/:id/versions/:n/diff': {
    path: ofAssistant('/versions/1/diff'),
    expected: EDITORS,
  },
  'POST /lamb/v1/assistants/:id/versions/:n/restore': {
    path: ofAssistant('/versions/1/restore'),
    body: () => ({}),
    expected: EDITORS,
  },
  'POST /lamb/v1/assistants/:id/restore': {
    path: deletedAssistant,
    body: () => ({}),
    expected: [404, 404, 200, 200, 200],
  },
  'POST /lamb/v1/assistants/:id/convert': {
    path: ofAssistant('/convert'),
    body: () => ({ dry_run: true }),
    expected: EDITORS,
  },
  'POST /lamb/v1/assistants/:id/preview': {
    path: ofAssistant('/preview'),
    body: () => say,
    expected: EDITORS,
  },
  'POST /lamb/v1/assistants/preview': { body: () => ({ ...say, draft: {} }), expected: EVERYBODY },
  'POST /lamb/v1/assistants/:id/try': { path: ofAssistant('/try'), body: () => say, expected: EDITORS },
  'POST /lamb/v1/assistants/try': { body: () => ({ ...say, draft: {} }), expected: EVERYBODY },
  // There is no model in these organisations; with one, draft-starters.test.ts has who gets what.
  'POST /lamb/v1/assistants/draft-starters': {
    body: () => ({ draft: { name: 'Tutor' } }),
    expected: [422, 422, 422, 422, 422],
  },
  'GET /lamb/v1/assistants/:id/avatar': { path: pictureOfAssistant, expected: READERS },
  'GET /lamb/v1/assistants/:id/export': { path: ofAssistant('/export'), expected: EDITORS },
  'POST /lamb/v1/assistants/import': { body: aBundle, expected: [201, 201, 201, 201, 201] },
  'GET /lamb/v1/assistants/:id/access-check': {
    path: (things) => ofAssistant(`/access-check?as=${things.owner.email}`)(things),
    expected: EDITORS,
  },
  'GET /lamb/v1/files': { expected: EVERYBODY },
  'POST /lamb/v1/files': { body: aForm, expected: [201, 201, 201, 201, 201] },
  // Everybody has files of their own; what is somebody else's is not there, not even for administrators.
  'GET /lamb/v1/files/*path': { path: ownersFile, expected: [404, 404, 200, 404, 404] },
  'DELETE /lamb/v1/files/*path': { path: ownersFile, expected: [404, 404, 204, 404, 404] },
  'POST /lamb/v1/attachments': { body: aPicture, expected: [201, 201, 201, 201, 201] },
  // Whoever sent it, and nobody else.
  'GET /lamb/v1/attachments/:id': { path: ownersAttachment, expected: [404, 404, 200, 404, 404] },
  'GET /lamb/v1/rubrics': { expected: EVERYBODY },
  'POST /lamb/v1/rubrics': { body: () => aRubric, expected: [201, 201, 201, 201, 201] },
  'POST /lamb/v1/rubrics/preview': { body: () => aRubric, expected: EVERYBODY },
  'GET /lamb/v1/rubrics/:id': { path: publicRubric, expected: [404, 200, 200, 200, 200] },
  'PUT /lamb/v1/rubrics/:id': { path: publicRubric, body: () => aRubric, expected: EDITORS },
  'DELETE /lamb/v1/rubrics/:id': { path: publicRubric, expected: [404, 403, 204, 204, 204] },
  'GET /lamb/v1/collections': { expected: EVERYBODY },
  'POST /lamb/v1/collections': {
    body: () => ({ name: uniqueName('mine') }),
    expected: [201, 201, 201, 201, 201],
  },
  'GET /lamb/v1/collections/:id': { path: sharedCollection(), expected: READERS },
  'PUT /lamb/v1/collections/:id': {
    path: sharedCollection(),
    body: () => ({ name: uniqueName('renamed') }),
    expected: EDITORS,
  },
  'DELETE /lamb/v1/collections/:id': { path: sharedCollection(), expected: [404, 403, 204, 204, 204] },
  'POST /lamb/v1/collections/:id/query': {
    path: sharedCollection('/query'),
    body: () => ({ query_text: 'anything' }),
    expected: READERS,
  },
  'GET /lamb/v1/collections/:id/documents': { path: sharedCollection('/documents'), expected: READERS },
  'POST /lamb/v1/collections/:id/documents': {
    path: sharedCollection('/documents'),
    body: aForm,
    expected: [404, 403, 202, 202, 202],
  },
  'GET /lamb/v1/collections/:id/documents/:doc': { path: sharedDocument(), expected: READERS },
  'PATCH /lamb/v1/collections/:id/documents/:doc': {
    path: sharedDocument(),
    body: () => ({ off: true, tags: ['exam'] }),
    expected: EDITORS,
  },
  'GET /lamb/v1/collections/:id/tags': { path: sharedCollection('/tags'), expected: READERS },
  'POST /lamb/v1/collections/:id/tags': {
    path: sharedCollection('/tags'),
    body: () => ({ documents: ['none'], add: ['exam'] }),
    expected: EDITORS,
  },
  'PATCH /lamb/v1/collections/:id/documents/:doc/passages/:n': {
    path: sharedDocument('/passages/0'),
    body: () => ({ off: true }),
    expected: EDITORS,
  },
  'GET /lamb/v1/collections/:id/documents/:doc/stale-decisions': {
    path: sharedDocument('/stale-decisions'),
    expected: EDITORS,
  },
  // There is none: editors get as far as to be told so.
  'DELETE /lamb/v1/collections/:id/documents/:doc/stale-decisions/:decision': {
    path: sharedDocument('/stale-decisions/1'),
    expected: [404, 403, 404, 404, 404],
  },
  'GET /lamb/v1/collections/:id/questions': { path: sharedCollection('/questions'), expected: EDITORS },
  // Of a document that is not there, which only those learn who may ask for it.
  'POST /lamb/v1/collections/:id/questions': {
    path: sharedCollection('/questions'),
    body: () => ({ question: 'What?', targets: [{ document_id: 'none' }] }),
    expected: [404, 403, 400, 400, 400],
  },
  'PUT /lamb/v1/collections/:id/questions/:question': {
    path: sharedCollection('/questions/none'),
    body: () => ({ question: 'What?', targets: [{ document_id: 'none' }] }),
    expected: [404, 403, 400, 400, 400],
  },
  'DELETE /lamb/v1/collections/:id/questions/:question': {
    path: sharedCollection('/questions/none'),
    expected: [404, 403, 404, 404, 404],
  },
  'POST /lamb/v1/collections/:id/questions/run': {
    path: sharedCollection('/questions/run'),
    body: () => ({}),
    expected: EDITORS,
  },
  'GET /lamb/v1/collections/:id/questions/runs': {
    path: sharedCollection('/questions/runs'),
    expected: EDITORS,
  },
  'GET /lamb/v1/collections/:id/vain-questions': {
    path: sharedCollection('/vain-questions'),
    expected: EDITORS,
  },
  'DELETE /lamb/v1/collections/:id/vain-questions/:question': {
    path: sharedCollection('/vain-questions/1'),
    expected: [404, 403, 404, 404, 404],
  },
  'DELETE /lamb/v1/collections/:id/documents/:doc': {
    path: sharedDocument(),
    expected: [404, 403, 204, 204, 204],
  },
  'POST /lamb/v1/collections/:id/documents/:doc/reingest': {
    path: sharedDocument('/reingest'),
    body: () => ({}),
    expected: [404, 403, 202, 202, 202],
  },
  'GET /lamb/v1/collections/:id/documents/:doc/passages': {
    path: sharedDocument('/passages'),
    expected: READERS,
  },
  'GET /lamb/v1/collections/:id/documents/:doc/passages/:n': {
    path: sharedDocument('/passages/0'),
    expected: READERS,
  },
  'GET /lamb/v1/collections/:id/documents/:doc/file': { path: sharedDocument('/file'), expected: READERS },
  'GET /lamb/v1/collections/:id/sources': { path: sharedCollection('/sources'), expected: EDITORS },
  'POST /lamb/v1/collections/:id/sources': {
    path: sharedCollection('/sources'),
    body: () => A_SOURCE,
    expected: [404, 403, 201, 201, 201],
  },
  'GET /lamb/v1/collections/:id/sources/:source': { path: sharedSource(), expected: EDITORS },
  'PUT /lamb/v1/collections/:id/sources/:source': {
    path: sharedSource(),
    body: () => ({ schedule: 'weekly' }),
    expected: EDITORS,
  },
  'DELETE /lamb/v1/collections/:id/sources/:source': {
    path: sharedSource(),
    expected: [404, 403, 204, 204, 204],
  },
  'POST /lamb/v1/collections/:id/sources/:source/run': {
    path: sharedSource('/run'),
    body: () => ({}),
    expected: [404, 403, 202, 202, 202],
  },
  'GET /lamb/v1/collections/:id/sources/:source/runs': { path: sharedSource('/runs'), expected: EDITORS },
  'GET /lamb/v1/prompt-templates': { expected: EVERYBODY },
  'POST /lamb/v1/prompt-templates': {
    body: () => ({ name: uniqueName('mine') }),
    expected: [201, 201, 201, 201, 201],
  },
  'GET /lamb/v1/prompt-templates/:id': { path: sharedTemplate, expected: [404, 200, 200, 200, 200] },
  'PUT /lamb/v1/prompt-templates/:id': {
    path: sharedTemplate,
    body: () => ({ name: uniqueName('renamed') }),
    expected: EDITORS,
  },
  'DELETE /lamb/v1/prompt-templates/:id': { path: sharedTemplate, expected: [404, 403, 204, 204, 204] },
  'POST /lamb/v1/prompt-templates/:id/apply': {
    path: async (things) => `${await sharedTemplate(things)}/apply`,
    body: ({ assistant }) => ({ assistant_id: assistant.id }),
    expected: EDITORS,
  },
  'GET /lamb/v1/organizations': { expected: [403, 403, 403, 200, 200] },
  'POST /lamb/v1/organizations': {
    body: () => ({ slug: uniqueName('school'), name: 'School' }),
    expected: [403, 403, 403, 403, 201],
  },
  'GET /lamb/v1/organizations/:id': { path: ownersOrganization(), expected: [403, 403, 403, 200, 200] },
  'PATCH /lamb/v1/organizations/:id': {
    path: ownersOrganization(),
    body: () => ({ name: 'Renamed' }),
    expected: [403, 403, 403, 200, 200],
  },
  'GET /lamb/v1/organizations/:id/config': {
    path: ownersOrganization('/config'),
    expected: [403, 403, 403, 200, 200],
  },
  'PUT /lamb/v1/organizations/:id/config': {
    path: ownersOrganization('/config'),
    body: () => ({}),
    expected: [403, 403, 403, 200, 200],
  },
  'GET /lamb/v1/organizations/:id/providers': {
    path: ownersOrganization('/providers'),
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/organizations/:id/providers/:provider/test': {
    path: ownersOrganization('/providers/ollama/test'),
    // Where nothing answers: whether it does is not what this asks.
    body: () => ({ base_url: 'http://127.0.0.1:9' }),
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/organizations/:id/moodle/check': {
    path: ownersOrganization('/moodle/check'),
    body: () => ({ api_url: 'http://127.0.0.1:9', token: 'a token of nobody', user_id: 4 }),
    expected: [403, 403, 403, 200, 200],
  },
  'GET /lamb/v1/organizations/:id/search': {
    path: ownersOrganization('/search'),
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/organizations/:id/embeddings/test': {
    path: ownersOrganization('/embeddings/test'),
    body: () => ({ embeddings: 'local' }),
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/organizations/:id/reranker/test': {
    path: ownersOrganization('/reranker/test'),
    body: () => ({ reranker: 'openai:none' }),
    expected: [403, 403, 403, 200, 200],
  },
  'POST /lamb/v1/local-models/:name/install': {
    // Of one that is not there: nothing is fetched for a test.
    path: () => '/lamb/v1/local-models/none/install',
    body: () => ({}),
    expected: [403, 403, 403, 403, 404],
  },
  // Whoever looks after the machine has a token of their own: nobody's account opens it.
  'GET /metrics': { expected: [401, 401, 401, 401, 401] },
  'GET /lamb/v1/audit': { expected: [403, 403, 403, 200, 200] },
  ...LTI_ROWS,
  ...LINK_ROWS,
  ...INSIGHT_ROWS,
  ...SCENARIO_ROWS,
  ...PEOPLE_ROWS,
  ...TEMPLATE_ROWS,
  'GET /lamb/v1/users': { expected: [403, 403, 403, 200, 200] },
  'POST /lamb/v1/users': {
    body: ({ owner }) => ({
      email: `${uniqueName('new')}@example.test`,
      name: 'New',
      password: 'long enough',
      role: 'creator',
      organization_id: owner.organizationId,
    }),
    expected: [403, 403, 403, 201, 201],
  },
  'GET /lamb/v1/users/:id': { path: theColleague, expected: [403, 403, 403, 200, 200] },
  'PATCH /lamb/v1/users/:id': {
    path: theColleague,
    body: () => ({ name: 'Renamed' }),
    expected: [403, 403, 403, 200, 200],
  },
  'GET /lamb/v1/conversations': { expected: EVERYBODY },
  'POST /lamb/v1/conversations': {
    body: ({ assistant }) => ({ assistant_id: assistant.id }),
    expected: [404, 201, 201, 201, 201],
  },
  'GET /lamb/v1/conversations/folders': { expected: EVERYBODY },
  'GET /lamb/v1/conversations/:id': { path: ownersConversation, expected: [404, 404, 200, 404, 404] },
  'PATCH /lamb/v1/conversations/:id': {
    path: ownersConversation,
    body: () => ({ title: 'Renamed' }),
    expected: [404, 404, 200, 404, 404],
  },
  'POST /lamb/v1/conversations/:id/rewind': {
    path: async (things) => `${await ownersConversation(things)}/rewind`,
    body: () => ({ keep: 0 }),
    expected: [404, 404, 200, 404, 404],
  },
  'DELETE /lamb/v1/conversations/:id': { path: ownersConversation, expected: [404, 404, 204, 404, 404] },
  'GET /lamb/v1/runs': { expected: EVERYBODY },
  'GET /lamb/v1/runs/:id': { path: ownersRun, expected: [404, 404, 200, 200, 200] },
  // Whoever asked says what they think of the answer, and nobody in their place.
  'POST /lamb/v1/runs/:id/feedback': {
    path: async (things) => `${await ownersRun(things)}/feedback`,
    body: () => ({ rating: 'up' }),
    expected: [404, 404, 200, 404, 404],
  },
  // For whoever asked, of an assistant that offers it: this one does not.
  'POST /lamb/v1/runs/:id/follow-ups': {
    path: async (things) => `${await ownersRun(things)}/follow-ups`,
    expected: [404, 404, 409, 404, 404],
  },
  'GET /lamb/v1/usage': { expected: EVERYBODY },
  'GET /lamb/v1/budgets/mine': { expected: EVERYBODY },
  'GET /lamb/v1/budgets/alerts': { expected: ADMINISTRATORS },
  'GET /lamb/v1/budgets': { expected: ADMINISTRATORS },
  'POST /lamb/v1/budgets': {
    body: ({ assistant }) => budgetOf(assistant),
    expected: [403, 403, 403, 201, 201],
  },
  'GET /lamb/v1/budgets/:id': { path: aBudget, expected: [404, 404, 404, 200, 200] },
  'PATCH /lamb/v1/budgets/:id': {
    path: aBudget,
    body: () => ({ amount: 2 }),
    expected: [404, 404, 404, 200, 200],
  },
  'DELETE /lamb/v1/budgets/:id': { path: aBudget, expected: [404, 404, 404, 204, 204] },
  'GET /lamb/v1/lti/courses': { expected: ADMINISTRATORS },
  // A list of what waits for the asker themselves: empty for everybody but the one who is chatting.
  'GET /lamb/v1/runs/:id/approvals': { path: approvalsOfOwnersRun, expected: EVERYBODY },
  'POST /lamb/v1/runs/:id/approvals': {
    path: approvalsOfOwnersRun,
    body: () => ({ call_id: 'c1', approve: true }),
    expected: [404, 404, 404, 404, 404],
  },
  // Whoever asked may, and nobody else, whatever else is theirs; these runs were asked for without.
  'GET /lamb/v1/runs/:id/events': {
    path: async (things) => `${await ownersRun(things)}/events`,
    expected: [404, 404, 410, 404, 404],
  },
  'POST /lamb/v1/runs/:id/cancel': {
    path: async (things) => `${await ownersRun(things)}/cancel`,
    expected: [404, 404, 200, 404, 404],
  },
};

describe('who may do what', function () {
  this.timeout(60_000);
  let world: TestService;
  let cast: Cast;
  let routes: string[];
  /** With an assistant to which nothing has happened yet. */
  let atHand: Awaited<ReturnType<typeof someThings>> | undefined;
  before(async () => {
    world = await sharedService();
    cast = await theCast(world);
    routes = (await guardedRoutes()).map(({ method, path }) => `${method} ${path}`);
  });

  it('has a row for every route, and no row for a route that is gone', () => {
    expect(Object.keys(MATRIX).sort()).to.deep.equal([...new Set(routes)].sort());
  });

  for (const [route, row] of Object.entries(MATRIX)) {
    it(`${route} answers ${ACTORS.map((actor, i) => `${actor} ${String(row.expected[i])}`).join(', ')}`, async () => {
      const statuses = [];
      let aim: Aim | undefined;
      for (const actor of ACTORS) {
        aim ??= await aimOf(route, row);
        const status = await knock(aim, actor);
        statuses.push(status);
        // What somebody has changed is no longer what the next one is to be tried on.
        if (status < 400 && aim.method !== 'GET') aim = undefined;
      }

      expect(statuses).to.deep.equal(row.expected);
    });
  }

  async function aimOf(route: string, { path, body, headers = {} }: Row): Promise<Aim> {
    const [method = '', fixed = ''] = route.split(' ');
    if (!path && !body) return { method, path: fixed, headers };
    const { things, isUsed } = (atHand ??= await someThings(world, cast));
    const found = path ? path(things) : fixed;
    const sent = body ? { body: await body(things) } : {};
    const aim = { method, path: await found, headers, ...sent };
    // To look at an assistant leaves it as it was, unless something had to be done with it first.
    if (isUsed() && (method !== 'GET' || typeof found !== 'string')) atHand = undefined;
    return aim;
  }

  async function knock({ path, ...options }: Aim, actor: Actor): Promise<number> {
    return (await world.service.request(path, { ...options, key: cast[actor].key })).status;
  }
});

/** A request about something that is there. */
interface Aim extends Pick<RequestOptions, 'headers' | 'body'> {
  readonly method: string;
  readonly path: string;
}

type Cast = Readonly<Record<Actor, Pick<Person, 'key'>>> & Readonly<Record<'owner' | 'shared', Person>>;

async function theCast({ service }: TestService): Promise<Cast> {
  const owner = await aPerson(service);
  const stranger = await aPerson(service);
  const shared = await aColleagueOf(service, owner);
  const orgAdmin = await aColleagueOf(service, owner, 'org_admin');
  return { stranger, shared, owner, orgAdmin, admin: { key: service.adminKey } };
}

async function someThings(world: TestService, { owner, shared: colleague }: Cast) {
  const { service } = world;
  const content = { metadata: { connector: 'bypass' } };
  const assistant = await service.createAssistant(content, { key: owner.key });
  await shareWith(service, assistant.id, colleague);
  let isUsed = false;
  const things: Things = {
    ...{ world, owner, colleague },
    get assistant() {
      isUsed = true;
      return assistant;
    },
  };
  return { things, isUsed: () => isUsed };
}

async function keyOf({ world, owner }: Things): Promise<number> {
  const made = await world.service.request<{ id: number }>('/lamb/v1/api-keys', {
    key: owner.key,
    body: { name: 'x' },
  });
  return made.json.id;
}

async function ownersConversation({ world, owner, assistant }: Things): Promise<string> {
  const body = { assistant_id: assistant.id };
  const made = await world.service.request<{ id: string }>('/lamb/v1/conversations', {
    key: owner.key,
    body,
  });
  return `/lamb/v1/conversations/${made.json.id}`;
}

async function ownersRun({ world, owner, assistant }: Things): Promise<string> {
  const { headers } = await world.service.chat(assistant.id, 'Hello', { key: owner.key });
  return `/lamb/v1/runs/${headers.get('x-run-id')!}`;
}

async function approvalsOfOwnersRun(things: Things): Promise<string> {
  return `${await ownersRun(things)}/approvals`;
}

const budgetOf = ({ id }: { readonly id: number }) => ({
  ...{ scope: { type: 'assistant', id }, unit: 'tokens', amount: 1_000, period: 'day' },
});

async function aBudget({ world, assistant }: Things): Promise<string> {
  const { service } = world;
  const made = await service.request<{ id: string }>('/lamb/v1/budgets', {
    ...{ key: service.adminKey, body: budgetOf(assistant) },
  });
  return `/lamb/v1/budgets/${made.json.id}`;
}

async function deletedAssistant({ world, owner, assistant }: Things): Promise<string> {
  const path = `/lamb/v1/assistants/${String(assistant.id)}`;
  await world.service.request(path, { method: 'DELETE', key: owner.key });
  return `${path}/restore`;
}

async function aBundle({ world, owner, assistant }: Things): Promise<object> {
  const { json } = await world.service.request(`/lamb/v1/assistants/${String(assistant.id)}/export`, {
    key: owner.key,
  });
  return { bundle: json };
}

function aForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['text']), `${uniqueName('file')}.txt`);
  return form;
}

function aPicture(): FormData {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(PICTURES.png)]), 'sheep.png');
  return form;
}

async function attachmentOf({ world, owner }: Things): Promise<string> {
  const facts = { key: owner.key, body: aPicture() };
  return (await world.service.request<{ id: string }>('/lamb/v1/attachments', facts)).json.id;
}

async function ownersAttachment(things: Things): Promise<string> {
  return `/lamb/v1/attachments/${await attachmentOf(things)}`;
}

async function pictureOfAssistant(things: Things): Promise<string> {
  const { world, owner, assistant } = things;
  const path = `/lamb/v1/assistants/${String(assistant.id)}`;
  const { name, version } = (
    await world.service.request<{ name: string; version: number }>(path, { key: owner.key })
  ).json;
  const body = { name, version, avatar: { picture: await attachmentOf(things) } };
  await world.service.request(path, { method: 'PUT', key: owner.key, body });
  return `${path}/avatar`;
}

async function ownersFile({ world, owner }: Things): Promise<string> {
  const made = await world.service.request<{ path: string }>('/lamb/v1/files', {
    key: owner.key,
    body: aForm(),
  });
  return `/lamb/v1/files/${made.json.path}`;
}

async function ownersConnection({ world, owner }: Things): Promise<string> {
  await connected(world.service, owner);
  const made = await world.service.request<{ data: { id: number }[] }>('/lamb/v1/connections', {
    key: owner.key,
  });
  return `/lamb/v1/connections/${String(made.json.data[0]?.id)}`;
}

async function publicRubric({ world, owner }: Things): Promise<string> {
  const body = { ...aRubric, is_public: true };
  const made = await world.service.request<{ id: string }>('/lamb/v1/rubrics', { key: owner.key, body });
  return `/lamb/v1/rubrics/${made.json.id}`;
}

function sharedCollection(suffix = '') {
  return async ({ world, owner }: Things) => {
    const { id } = await collectionsOf(world.service, owner.key).make({ is_shared: true });
    return `/lamb/v1/collections/${id}${suffix}`;
  };
}

function sharedDocument(suffix = '') {
  return async ({ world, owner }: Things) => {
    const collections = collectionsOf(world.service, owner.key);
    const { id } = await collections.make({ is_shared: true });
    const document = await collections.takeIn(id, 'notes.txt', 'A cell divides.');
    return `/lamb/v1/collections/${id}/documents/${document.id}${suffix}`;
  };
}

/** It leads to where nobody may go, so nothing is fetched. */
const A_SOURCE = { kind: 'web', settings: { url: 'http://127.0.0.1:45678/' } };

function sharedSource(suffix = '') {
  return async ({ world, owner }: Things) => {
    const collections = collectionsOf(world.service, owner.key);
    const { id } = await collections.make({ is_shared: true });
    const made = await collections.send<{ id: string }>(`/${id}/sources`, { body: A_SOURCE });
    return `/lamb/v1/collections/${id}/sources/${made.json.id}${suffix}`;
  };
}

function ownersOrganization(suffix = '') {
  return ({ owner }: Things) => `/lamb/v1/organizations/${String(owner.organizationId)}${suffix}`;
}

function theColleague({ colleague }: Things): string {
  return `/lamb/v1/users/${String(colleague.id)}`;
}

async function sharedTemplate({ world, owner }: Things): Promise<string> {
  const body = { name: uniqueName('template'), is_shared: true };
  const made = await world.service.request<{ id: number }>('/lamb/v1/prompt-templates', {
    key: owner.key,
    body,
  });
  return `/lamb/v1/prompt-templates/${String(made.json.id)}`;
}
