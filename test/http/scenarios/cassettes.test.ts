import { expect } from 'chai';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import {
  createOutboundWorld,
  endOutboundWorld,
  httpTool,
  mcpTool,
  type OutboundWorld,
} from '../../support/outbound-service.js';
import { createTestService, type TestService, weatherFunction } from '../../support/test-service.js';
import { KB_TOKEN, rag, register } from '../support/knowledge-client.js';
import { aScenario, aTriedAssistant, type ShownSuiteRun } from '../support/scenario-client.js';
import { inDatabase } from '../support/users-fixture.js';

const SECRET = 'sk-canary-0123456789abcdef';
const judged = (passed: boolean) => say(JSON.stringify({ passed, reason: 'So it is.' }));
const verdictsIn = ({ scenarios }: ShownSuiteRun) =>
  scenarios.flatMap(({ runs }) => runs.map(({ passed, expectations }) => [passed, expectations]));

describe('a recorded suite', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await createTestService();
  });
  after(async () => {
    await Promise.all([world.service.stop(), world.weather.stop()]);
  });

  it('is played without asking anybody, with the same verdicts, and tells what it does not hold', async () => {
    const { service } = world;
    const tried = await aTriedAssistant(world, {
      steps: [call('get_weather', { city: 'Bilbao' }), say(`Sunny, and ${SECRET} besides.`)],
      judge: [judged(false)],
      metadata: { tools: [weatherFunction] },
    });
    const all = [{ contains: 'sunny' }, { calls: { tool: 'weather' } }, { judged: 'It is short.' }];
    const held = await tried.scenario(aScenario(all));
    await aTriedAssistant(world);
    const recorded = await tried.run({ cassette: 'record' });
    await tried.put({ system_prompt: 'Changed since.' });
    const { key } = tried.teacher;
    const runs = async () => (await service.request<{ data: [] }>('/lamb/v1/runs', { key })).json.data.length;
    const before = await runs();
    await Promise.all([world.model.stop(), world.weather.stop()]);

    const played = await tried.run({ version: 1, cassette: 'replay' });
    const other = await tried.run({ version: 2, cassette: 'replay' });
    const added = await tried.scenario(aScenario([{ contains: 'sunny' }]));
    const without = await tried.run({ version: 1, cassette: 'replay', scenarios: [added] });
    const path = `/lamb/v1/scenarios/${String(held)}`;
    const messages = [{ role: 'user', content: 'Something else?' }];
    await service.request(path, { method: 'PUT', key, body: aScenario(all, { messages }) });
    const changed = await tried.run({ version: 1, cassette: 'replay', scenarios: [held] });

    expect(verdictsIn(recorded)[0]?.[0]).to.equal(false);
    expect(verdictsIn(played)).to.deep.equal(verdictsIn(recorded));
    expect([played.tokens > 0, await runs()]).to.deep.equal([true, before]);
    const whyOf = ({ scenarios: [scenario] }: ShownSuiteRun) => {
      expect(scenario?.passed).to.equal(null);
      return scenario?.runs[0]?.expectations[0]?.why;
    };
    expect(whyOf(other)).to.match(/Version 2 has no recording/);
    expect(whyOf(without)).to.match(/Version 1 has no recording/);
    expect(whyOf(changed)).to.match(/does not hold what the model .* is asked now/);
    const kept = await inDatabase(service, (_stores, db) => db('suite_cassettes').select('*'));
    expect(kept).to.have.length(1);
    expect(JSON.stringify(kept)).to.contain('Sunny').and.not.to.contain(SECRET);
  });
});

describe('a recorded suite of an assistant that lives on other servers', function () {
  this.timeout(120_000);
  let world: OutboundWorld;
  let kb: FakeKbServer;
  before(async () => {
    [world, kb] = await Promise.all([createOutboundWorld(createTestService), startFakeKbServer()]);
  });
  after(() => world.service.stop());

  it('gives the same verdicts with the network cut: what they offered and what they said is kept', async () => {
    const collection = await kb.collection({ results: [result('Cells divide.')] });
    const tools = [
      mcpTool({ server: `${world.mcp.url}/tools/recorded`, tools: ['add'] }),
      httpTool({ url: `${world.http.url}/json` }),
      rag([collection], {}, { mode: 'function' }),
    ];
    const tried = await aTriedAssistant(world, {
      steps: [
        calls([
          { name: 'mcp_add', arguments: { a: 2, b: 3 } },
          { name: 'http_request', arguments: {} },
          { name: 'query_knowledge_base', arguments: { query: 'cells' } },
        ]),
        say('The sum is 5, the answer 42, and cells divide [1].'),
      ],
      setup: { knowledge_base: { server_url: kb.url, api_token: KB_TOKEN } },
    });
    await register(world, tried.teacher, collection);
    expect((await tried.metadata({ tools })).status).to.equal(200);
    await tried.scenario(
      aScenario([
        { calls: { tool: 'mcp', function: 'mcp_add', arguments: { a: 2 } } },
        { calls: { tool: 'http' } },
        { cites: { document: 'Book.pdf' } },
        { max_rounds: 1 },
      ]),
    );
    const recorded = await tried.run({ cassette: 'record' });
    await Promise.all([world.model.stop(), world.weather.stop(), kb.stop(), endOutboundWorld(world)]);

    const played = await tried.run({ cassette: 'replay' });
    const seen = recorded.scenarios[0]?.runs[0]?.expectations.map(({ passed }) => passed);
    expect(seen).to.deep.equal([true, true, true, false]);
    expect(verdictsIn(played)).to.deep.equal(verdictsIn(recorded));
  });
});
