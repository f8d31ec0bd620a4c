import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, held, say } from '../../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  publish,
  shareWith,
  speakingTo,
} from '../support/users-fixture.js';

interface Scene {
  readonly assistantId: number;
  readonly owner: Person;
  readonly guest: Person;
}

/** A right that lets the guest chat, and the act that takes it away. */
interface Case {
  readonly title: string;
  readonly guest: (owner: Person) => Promise<Person>;
  readonly give: (scene: Scene) => Promise<unknown>;
  readonly take: (scene: Scene) => Promise<unknown>;
}

let world: TestService;
const patch = ({ id }: Person, body: object) =>
  world.service.request(`/lamb/v1/users/${String(id)}`, { method: 'PATCH', body });
const stranger = () => aPerson(world.service);
const colleague = (owner: Person) => aColleagueOf(world.service, owner);
const share = ({ assistantId, guest }: Scene) => shareWith(world.service, assistantId, guest);
const inOrganization = ({ assistantId, owner }: Scene) =>
  publish(world.service, assistantId, 'organization', owner);

const CASES: readonly Case[] = [
  {
    title: 'the share is taken back',
    guest: stranger,
    give: share,
    take: ({ assistantId, guest }) =>
      inDatabase(world.service, ({ assistants }) => assistants.unshare(assistantId, guest.id)),
  },
  {
    title: 'the administrator’s role is taken away',
    guest: (owner) => aColleagueOf(world.service, owner, 'org_admin'),
    give: () => Promise.resolve(),
    take: ({ guest }) => patch(guest, { role: 'creator' }),
  },
  {
    title: 'the account is switched off',
    guest: stranger,
    give: share,
    take: ({ guest }) => patch(guest, { enabled: false }),
  },
  {
    title: 'the owner’s account is switched off',
    guest: colleague,
    give: inOrganization,
    take: ({ owner }) => patch(owner, { enabled: false }),
  },
  {
    title: 'the assistant is no longer published',
    guest: colleague,
    give: inOrganization,
    take: ({ assistantId, owner }) =>
      inDatabase(world.service, ({ assistants }) =>
        assistants.setPublished(assistantId, false, 'organization', owner.id),
      ),
  },
];

describe('a right withdrawn while a stream is open', function () {
  this.timeout(60_000);
  before(async () => {
    world = await sharedService();
  });

  /** The model asks for one town, waits for the test, asks for another, and answers. */
  async function play({ guest, give, take }: Case, withdraws: boolean) {
    const { service, model, weather } = world;
    const owner = await aPerson(service, { config: speakingTo(model) });
    const [gate, llm] = [uniqueName('gate'), uniqueName('model')];
    const [before, after] = [`Town ${randomUUID()}`, `Town ${randomUUID()}`];
    const second = held(gate, call('get_weather', { city: after }));
    await model.script(llm, [call('get_weather', { city: before }), second, say('Done.')]);
    const metadata = { _format_version: 2, connector: 'openai', llm, tools: [weatherFunction] };
    const { id } = await service.createAssistant({ metadata }, { key: owner.key });
    const scene = { assistantId: id, owner, guest: await guest(owner) };
    await give(scene);

    const stream = await service.stream(id, 'How is the weather?', { key: scene.guest.key });
    await model.waitFor(llm, { requests: 2 });
    if (withdraws) await take(scene);
    await model.release(gate);
    const { statuses, done, text } = await stream.whole();

    const towns = await Promise.all([before, after].map((town) => weather.ledger(town)));
    return {
      towns: towns.map((rows) => rows.length),
      tools: statuses
        .filter(({ type }) => /^tool\.(denied|failed|completed)$/.test(type))
        .map(({ type }) => type),
      ended: { done, text },
      runId: stream.response.headers.get('x-run-id'),
      denials: (await auditOf(service, scene.guest)).filter(({ outcome }) => outcome === 'denied'),
      told: (await model.ledger(llm)).at(-1)?.body.messages.at(-1)?.content,
    };
  }

  for (const each of CASES) {
    it(`closes the next tool call when ${each.title}: nothing goes out, and it is on the books`, async () => {
      const { towns, tools, ended, runId, denials, told } = await play(each, true);

      expect(towns).to.deep.equal([1, 0]);
      expect(tools.at(-1)).to.equal('tool.denied');
      expect(ended).to.deep.equal({ done: true, text: 'Done.' });
      expect(denials).to.have.length(1);
      expect(denials[0]).to.include({
        action: 'use in a tool call',
        resource: 'tool weather',
        run_id: runId,
      });
      expect(told)
        .to.be.a('string')
        .that.matches(/^Error: This is not available/);
    });
  }

  it('and one that stays is used to the end', async () => {
    const outcomes = await Promise.all(CASES.slice(0, 3).map((each) => play(each, false)));

    for (const { towns, denials } of outcomes) {
      expect(towns).to.deep.equal([1, 1]);
      expect(denials).to.deep.equal([]);
    }
  });

  it('also closes what a called assistant does', async () => {
    const { service, model, weather } = world;
    const owner = await aPerson(service, { config: speakingTo(model) });
    const guest = await stranger();
    const [gate, parent, child, town] = [
      uniqueName('gate'),
      uniqueName('p'),
      uniqueName('c'),
      `Town ${randomUUID()}`,
    ];
    await model.script(child, [say('never asked')]);
    const expert = await service.createAssistant(
      { metadata: { connector: 'openai', llm: child, tools: [] } },
      { key: owner.key },
    );
    const calling = call(`call_assistant_${String(expert.id)}`, { query: town });
    await model.script(parent, [held(gate, calling), say('Done.')]);
    const tools = [
      { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: expert.id } },
    ];
    const metadata = { _format_version: 2, connector: 'openai', llm: parent, tools };
    const { id } = await service.createAssistant({ metadata }, { key: owner.key });
    await shareWith(service, id, guest);

    const stream = await service.stream(id, 'Ask.', { key: guest.key });
    await model.waitFor(parent, { requests: 1 });
    await patch(guest, { enabled: false });
    await model.release(gate);
    await stream.whole();

    expect(await model.ledger(child)).to.deep.equal([]);
    expect(await weather.ledger(town)).to.deep.equal([]);
  });

  it('is gone from the lists too: what a closed account lent is there for administrators alone', async () => {
    const { service } = world;
    const owner = await aPerson(service);
    const [guest, fellow, admin] = [
      await stranger(),
      await colleague(owner),
      await aColleagueOf(service, owner, 'org_admin'),
    ];
    const { id } = await service.createAssistant({ metadata: { connector: 'bypass' } }, { key: owner.key });
    await share({ assistantId: id, owner, guest });
    await inOrganization({ assistantId: id, owner, guest });
    const reach = async ({ key }: Person) => {
      const { json } = await service.request<{ data: { id: string }[] }>('/v1/models', { key });
      const isListed = json.data.some((model) => model.id === `lamb_assistant.${String(id)}`);
      return [isListed, (await service.chat(id, 'Hello?', { key })).status];
    };
    const all = () => Promise.all([guest, fellow, admin].map(reach));

    const before = await all();
    await patch(owner, { enabled: false });
    const after = await all();

    expect(before).to.deep.equal([
      [true, 200],
      [true, 200],
      [true, 200],
    ]);
    expect(after).to.deep.equal([
      [false, 404],
      [false, 404],
      [true, 200],
    ]);
  });
});
