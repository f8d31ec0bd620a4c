import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, held, say, type Step } from '../../support/fakes/model-script.js';
import type { AssistantRecord } from '../../support/service.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  shareWith,
  speakingTo,
} from '../support/users-fixture.js';

interface RunView {
  readonly version: number;
  readonly steps: readonly { readonly kind: string; readonly ok: boolean }[];
}

const messages = [{ role: 'user', content: 'Hello?' }];

describe('a chat with an older version', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service, { config: speakingTo(world.model) });
  });

  const change = async ({ id, version }: AssistantRecord, body: object) =>
    (
      await world.service.request<AssistantRecord>(`/lamb/v1/assistants/${String(id)}`, {
        method: 'PUT',
        body: { name: 'changed', version, ...body },
        key: owner.key,
      })
    ).json;
  const chat = (id: number, assistant_version: unknown, { key } = owner, more = {}) =>
    world.service.chat(id, { messages, assistant_version, ...more }, { key });
  const runOf = async ({ headers }: { readonly headers: Headers }) =>
    (await world.service.request<RunView>(`/lamb/v1/runs/${headers.get('x-run-id')!}`, { key: owner.key }))
      .json;
  /** Two versions: the first has a tool and a prompt that the second has no more. */
  const twoVersions = async (steps: readonly Step[]) => {
    const model = uniqueName('model');
    await world.model.script(model, steps);
    const metadata = { _format_version: 2, connector: 'openai', llm: model, tools: [weatherFunction] };
    const content = { system_prompt: 'First.', metadata };
    const first = await world.service.createAssistant(content, { key: owner.key });
    await change(first, { system_prompt: 'Second.', metadata: { ...metadata, tools: [] } });
    const prompts = async () =>
      (await world.model.ledger(model)).map(({ body }) => [
        body.messages[0]!.content,
        body.tools?.length ?? 0,
      ]);
    return { id: first.id, model, prompts };
  };

  it('is answered by that version, with its prompt and its tools, and the run says so', async () => {
    const city = 'Bilbao';
    const { id, prompts } = await twoVersions([
      call('get_weather', { city }),
      say('Sunny.'),
      say('Ok.'),
      say('Ok.'),
    ]);

    const old = await chat(id, 1);
    const newest = await chat(id, 2);
    const usual = await chat(id, null);

    const read = await prompts();
    expect([old, newest, usual].map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(read.map(([, tools]) => tools)).to.deep.equal([1, 1, 0, 0]);
    expect(String(read[0]![0])).to.contain('First.');
    expect(read.slice(2).map(([prompt]) => prompt)).to.deep.equal(['Second.', 'Second.']);
    const run = await runOf(old);
    expect(run.version).to.equal(1);
    expect(run.steps.filter(({ kind }) => kind === 'tool').map(({ ok }) => ok)).to.deep.equal([true]);
    expect((await runOf(usual)).version).to.equal(2);
  });

  it('goes through the other door, streams, and is kept in the same conversation', async () => {
    const { id } = await twoVersions([say('One.'), say('Two.'), say('Three.')]);
    const begun = await chat(id, 1, owner, { conversation_id: 'new' });
    const conversation_id = begun.headers.get('x-conversation-id')!;
    const body = { messages, assistant_version: 1 };
    const path = `/lamb/v1/completions?assistant=${String(id)}`;

    const other = await world.service.request(path, { body, key: owner.key });
    const stream = await world.service.stream(id, { ...body, conversation_id }, { key: owner.key });

    expect((await runOf(other)).version).to.equal(1);
    expect((await stream.whole()).text).to.equal('Three.');
  });

  it('is not there for whoever may only chat, and that they tried is on the books', async () => {
    const { id, prompts } = await twoVersions([say('Ok.')]);
    const guest = await aColleagueOf(world.service, owner);
    await shareWith(world.service, id, guest);

    const refused = [await chat(id, 1, guest), await chat(id, 2, guest), await chat(id, 7)];
    const newest = await chat(id, undefined, guest);

    for (const answer of refused) expect(refusalOf(answer, 404).message).to.contain('version');
    expect(newest.status).to.equal(200);
    expect(await prompts()).to.have.length(1);
    expect(
      (await auditOf(world.service, guest)).map(({ resource, outcome }) => [resource, outcome]),
    ).to.deep.equal([
      [`assistant ${String(id)} version 1`, 'denied'],
      [`assistant ${String(id)} version 2`, 'denied'],
    ]);
  });

  it('has its tools refused from the moment its owner may no longer use it', async () => {
    const [city, turn] = [uniqueName('Nowhere'), uniqueName('turn')];
    const { id, model } = await twoVersions([held(turn, call('get_weather', { city })), say('No weather.')]);

    const answering = chat(id, 1);
    await world.model.waitFor(model, { requests: 1 });
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id }).update({ enabled: false }),
    );
    await world.model.release(turn);
    const answer = await answering;

    expect(answer.json.x_bellwether).to.deep.include({ iterations: 2 });
    expect(answer.json.x_bellwether.tools.map(({ ok }: { readonly ok: boolean }) => ok)).to.deep.equal([
      false,
    ]);
    expect(await world.weather.ledger(city)).to.deep.equal([]);
  });

  it('is refused with what is wrong: a number that is none, or a version that cannot be run', async () => {
    const { id } = await twoVersions([say('Ok.')]);
    await inDatabase(world.service, async (_stores, db) => {
      const at = { assistant_id: id, version: 1 };
      const { content } = await db('assistant_versions').where(at).first<{ content: string }>('content');
      const unreadable = JSON.stringify({ ...(JSON.parse(content) as object), metadata: '{' });
      await db('assistant_versions').where(at).update({ content: unreadable });
    });

    for (const odd of [0, -1, 1.5, '1', 2 ** 40])
      expect(refusalOf(await chat(id, odd), 400).param).to.equal('assistant_version');
    refusalOf(await chat(id, 1), 422);
    expect((await chat(id, 2)).status).to.equal(200);
  });
});
