import { expect } from 'chai';
import { aRubric } from '../../support/rubrics.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, inDatabase } from '../support/users-fixture.js';
import { aScenario, aTriedAssistant, GREETS } from '../support/scenario-client.js';

const AS_YAML = { 'content-type': 'application/yaml' };

describe('scenarios', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  it('are kept as they were written, changed and deleted by whoever may edit the assistant', async () => {
    const { service } = world;
    const tried = await aTriedAssistant(world);
    const { key } = tried.teacher;
    const written = aScenario([{ contains: 'hello' }, { max_rounds: 3, turn: 1 }], { required: false });
    const id = await tried.scenario(written);
    const path = `/lamb/v1/scenarios/${String(id)}`;

    const { json: read } = await service.request(path, { key });
    expect(read).to.deep.include(written);
    const changed = { ...written, name: 'Another', required: true };
    expect((await service.request(path, { method: 'PUT', key, body: changed })).json).to.deep.include(
      changed,
    );
    expect((await service.request(path, { method: 'DELETE', key })).status).to.equal(204);
    refusalOf(await service.request(path, { key }), 404);
  });

  it('come in YAML and go out as what can be sent back, all or none of them', async () => {
    const { service } = world;
    const tried = await aTriedAssistant(world);
    const path = `${tried.path}/scenarios`;
    const { key } = tried.teacher;
    const send = (body: string) => service.request(path, { method: 'POST', key, headers: AS_YAML, body });
    const good = `- name: Greets
  messages: [{role: user, content: "Hello?"}]
  expect:
    - contains: hello
`;
    const bad = `${good}- name: Cannot fail
  messages: [{role: user, content: "Hello?"}]
  expect: [{contains: hello}, {contains: "  "}]
`;

    const refused = refusalOf(await send(bad), 400);
    expect([refused.param, refused.message]).to.deep.equal([
      ...['1.expect.1.contains', 'The body has faults: 1.expect.1.contains: must not be empty'],
    ]);
    expect((await service.request<{ data: [] }>(path, { key })).json.data).to.deep.equal([]);
    expect((await send(good)).status).to.equal(201);
    const { text } = await service.request(path, { key, headers: { accept: 'application/yaml' } });
    expect((await send(text)).status).to.equal(201);
    const { json } = await service.request<{ data: { name: string }[] }>(path, { key });
    expect(json.data.map(({ name }) => name)).to.deep.equal(['Greets', 'Greets']);
  });

  it('are refused as YAML that is a bomb, is broken or holds no list, with the place named', async () => {
    const tried = await aTriedAssistant(world);
    const send = (body: string) =>
      world.service.request(`${tried.path}/scenarios`, {
        ...{ method: 'POST', key: tried.teacher.key, headers: AS_YAML, body },
      });
    const levels = Array.from({ length: 12 }, (_, i) => {
      const before = `*a${String(i)}`;
      return `a${String(i + 1)}: &a${String(i + 1)} [${Array(10).fill(before).join(', ')}]`;
    });

    const bomb = ['a0: &a0 [x]', ...levels].join('\n');
    expect(refusalOf(await send(bomb), 400).message).to.match(/anchors and aliases/);
    expect(refusalOf(await send('- name: "open'), 400).message).to.match(/at line 1/);
    expect(refusalOf(await send('['.repeat(100_000)), 400).message).to.match(/YAML/);
    expect(refusalOf(await send('name: One'), 400).message).to.match(/must be a list/);
  });

  it('travel with their assistant, and go with it', async () => {
    const { service } = world;
    const tried = await aTriedAssistant(world);
    const { id: rubric_id } = await aRubric(service, {}, tried.teacher.key);
    const written = aScenario([
      ...[...GREETS, { cites: { document: 'a.pdf' } }],
      ...[{ rubric_at_least: { rubric_id, points: 5 } }, { calls: { tool: 'weather' } }],
    ]);
    await tried.scenario(written);
    const { key } = await aPerson(service);

    const { json: bundle } = await service.request<{ scenarios: { expect: unknown[] }[] }>(
      ...([`${tried.path}/export`, { key: tried.teacher.key }] as const),
    );
    // As it would come from a service that has a tool more.
    const uninstalled = { not_calls: { tool: 'not_installed_here' } };
    bundle.scenarios[0]?.expect.push(uninstalled);
    const imported = await service.request<{
      readonly assistant: { readonly id: number };
      readonly missing_in_scenarios: readonly { readonly path: string; readonly message: string }[];
    }>('/lamb/v1/assistants/import', { method: 'POST', key, body: bundle });
    const { id } = imported.json.assistant;
    const path = `/lamb/v1/assistants/${String(id)}/scenarios`;
    const { json } = await service.request<{ data: { id: number }[] }>(path, { key });

    expect(json.data[0]).to.deep.include({ ...written, expect: [...written.expect, uninstalled] });
    const lacking = imported.json.missing_in_scenarios;
    expect(lacking.map((each) => each.path)).to.deep.equal([
      ...['scenarios.0.expect.2.rubric_at_least.rubric_id', 'scenarios.0.expect.4.not_calls.tool'],
    ]);
    const saved = { method: 'POST', key, body: { ...aScenario([uninstalled]) } };
    const [refused] = refusalOf(await service.request(path, saved), 400).errors ?? [];
    expect(lacking[1]?.message).to.equal(refused?.message);
    await inDatabase(service, (_stores, db) => db('assistants').where({ id }).del());
    refusalOf(await service.request(`/lamb/v1/scenarios/${String(json.data[0]?.id)}`, { key }), 404);
  });

  const REFUSED: readonly (readonly [object, string])[] = [
    [{ contains: '' }, 'expect.0.contains'],
    [{ matches: '(' }, 'expect.0.matches'],
    [{ matches: 'a*' }, 'expect.0.matches'],
    [{ matches: '.+' }, 'expect.0.matches'],
    [{ matches: '.{5,}' }, 'expect.0.matches'],
    [{ matches: '[^]' }, 'expect.0.matches'],
    [{ cites: {} }, 'expect.0.cites'],
    [{ cites: { collection: 'nobody-has-this' } }, 'expect.0.cites.collection'],
    [{ calls: { tool: 'crystal_ball' } }, 'expect.0.calls.tool'],
    [{ not_calls: { tool: 'crystal_ball' } }, 'expect.0.not_calls.tool'],
    [{ refuses: false }, 'expect.0.refuses'],
    [{ language: 'xx' }, 'expect.0.language'],
    [{ max_rounds: 0 }, 'expect.0.max_rounds'],
    [{ max_cost: 0 }, 'expect.0.max_cost'],
    [{ rubric_at_least: { rubric_id: 'nobody-has-this', points: 1 } }, 'expect.0.rubric_at_least.rubric_id'],
    [{ rubric_at_least: { rubric_id: 'any', points: 0 } }, 'expect.0.rubric_at_least.points'],
    [{ judged: ' ' }, 'expect.0.judged'],
    [{ sounds_nice: true }, 'expect.0'],
    [{ contains: 'a', judged: 'b' }, 'expect.0'],
    [{ contains: 'a', turn: 2 }, 'expect.0.turn'],
  ];

  it('are refused where they could not fail or name what is not there', async () => {
    const tried = await aTriedAssistant(world);
    for (const [expectation, param] of REFUSED) {
      const answer = await tried.add(aScenario([expectation]));
      expect(refusalOf(answer, 400).param, JSON.stringify(expectation)).to.equal(param);
    }
    refusalOf(await tried.add(aScenario([])), 400);
    refusalOf(await tried.add({ ...aScenario(GREETS), messages: [] }), 400);
    refusalOf(await tried.add(aScenario(GREETS, { nobody: 'knows this' })), 400);
    refusalOf(await tried.add(Array(201).fill(aScenario(GREETS))), 400);
  });
});
