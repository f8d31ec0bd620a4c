import { expect } from 'chai';
import { call, say } from '../../support/fakes/model-script.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService, weatherFunction } from '../../support/test-service.js';
import { clientOf } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, disable, inDatabase, shareWith } from '../support/users-fixture.js';

interface Answered {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
}
interface Run {
  readonly assistant_id: number | null;
  readonly status: string;
  readonly conversation_id: string | null;
  readonly steps: readonly { readonly kind: string; readonly child_run_id?: string }[];
}

const ask = (content: string) => ({ messages: [{ role: 'user', content }] });

describe('a trial of what is being written', function () {
  this.timeout(60_000);
  let world: TestService;
  let key: string;
  before(async () => {
    world = await sharedService();
    key = world.service.adminKey;
  });

  const attempt = (path: string, body: object, headers: Record<string, string> = {}, by = key) =>
    world.service.request<Answered>(`/lamb/v1/assistants${path}/try`, { key: by, body, headers });
  const runOf = async (headers: Headers) =>
    (await world.service.request<Run>(`/lamb/v1/runs/${headers.get('x-run-id') ?? ''}`, { key })).json;
  const counted = () =>
    inDatabase(world.service, async (_stores, db) =>
      Promise.all(
        ['assistants', 'assistant_versions', 'conversations', 'messages'].map(async (table) =>
          Number((await db(table).count({ n: '*' }).first())?.['n']),
        ),
      ),
    );
  const aModel = async (...steps: Parameters<TestService['model']['script']>[1]) => {
    const llm = uniqueName('model');
    await world.model.script(llm, steps);
    return { _format_version: 2, connector: 'openai', llm };
  };

  it('is answered as a chat by an assistant that is nowhere stored, with its tools, and only the run is kept', async () => {
    const metadata = {
      ...(await aModel(call('get_weather', { city: 'Bilbao' }), say('Rain.'))),
      tools: [weatherFunction],
    };
    const before = await counted();

    const { status, json, headers } = await attempt('', {
      ...ask('Weather?'),
      draft: { system_prompt: 'Be brief.', metadata },
    });
    const run = await runOf(headers);

    expect([status, json.choices[0]?.message.content]).to.deep.equal([200, 'Rain.']);
    expect((await world.model.ledger(metadata.llm))[0]?.body.messages[0]?.content).to.contain('Be brief.');
    expect(run).to.include({ assistant_id: null, status: 'completed', conversation_id: null });
    expect(run.steps.map(({ kind }) => kind)).to.deep.equal(['model', 'tool', 'model']);
    expect(await counted()).to.deep.equal(before);
  });

  it('puts the draft in the place of what is stored, streams its steps, asks other assistants, and counts for the assistant', async () => {
    const callee = await world.assistant([say('Cells divide.')]);
    const helper = { type: 'assistant', mode: 'function', config: { assistant_id: callee.id } };
    const metadata = {
      ...(await aModel(
        call(`call_assistant_${String(callee.id)}`, { query: 'Cells?' }),
        say('They divide.'),
      )),
      tools: [helper],
    };
    const { id } = await world.assistant([say('stored')], { system_prompt: 'Stored.' });

    const { text, headers } = await attempt(`/${String(id)}`, {
      ...ask('Cells?'),
      ...{ stream: true, draft: { system_prompt: 'Drafted.', metadata } },
    });
    const run = await runOf(headers);

    expect(text).to.contain('"assistant.completed"').and.to.contain('They divide.').and.to.contain('[DONE]');
    expect(run.assistant_id).to.equal(id);
    expect(run.steps.find(({ kind }) => kind === 'tool')?.child_run_id).to.be.a('string');
    expect(String((await world.model.ledger(metadata.llm))[0]?.body.messages[0]?.content)).to.contain(
      'Drafted.',
    );
    const { json } = await attempt(`/${String(id)}`, ask('And now?'));
    expect(json.choices[0]?.message.content).to.equal('stored');
  });

  it('keeps its history with whoever asks: a conversation is refused in plain words, and so is what cannot run', async () => {
    const { id, model } = await world.assistant([say('ok')]);
    const path = `/${String(id)}`;

    for (const body of [{ conversation_id: 'new' }, { conversation_id: 'x', stream: true }]) {
      const { message, param } = refusalOf(await attempt(path, { ...ask('Hi'), ...body }), 400);
      expect([message.slice(0, 34), param]).to.deep.equal([
        'A trial is kept in no conversation',
        'conversation_id',
      ]);
    }
    refusalOf(await attempt(path, ask('Hi'), { 'x-resume': 'on' }), 400);
    refusalOf(await attempt(path, { ...ask('Hi'), assistant_version: 1 }), 400);
    refusalOf(await attempt(path, { ...ask('Hi'), draft: { owner: 'x' } }), 400);
    refusalOf(await attempt('', ask('Hi')), 400);
    refusalOf(await attempt(path, { ...ask('Hi'), draft: { metadata: { _format_version: 9 } } }), 422);
    refusalOf(await attempt(path, { ...ask('Hi'), n: 2 }), 400);
    expect(await world.model.ledger(model)).to.deep.equal([]);
  });

  it('is for those who may make, or change, the assistant, and who tried without that is on the books', async () => {
    const owner = await aPerson(world.service);
    const [guest, student] = [
      await aColleagueOf(world.service, owner),
      await aPerson(world.service, { role: 'student' }),
    ];
    const { id } = await world.service.createAssistant({ system_prompt: 'canary' }, { key: owner.key });
    await shareWith(world.service, id, guest);
    const body = { ...ask('Hi'), draft: {} };

    refusalOf(await attempt(`/${String(id)}`, body, {}, guest.key), 403);
    refusalOf(await attempt('', body, {}, student.key), 403);
    await disable(world.service, owner);
    refusalOf(await attempt(`/${String(id)}`, body, {}, owner.key), 401);
    const rows = await Promise.all([guest, student].map((person) => auditOf(world.service, person)));
    expect(rows.flat().map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['try', 'denied'],
      ['try', 'denied'],
    ]);
    const away = await clientOf(world, await aPerson(world.service)).post(`/${String(id)}/try`, body);
    refusalOf(away, 404);
  });
});
