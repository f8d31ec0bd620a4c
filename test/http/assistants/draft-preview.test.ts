import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { giveFile } from '../../support/owner-files.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, inDatabase, shareWith } from '../support/users-fixture.js';

interface Part {
  readonly part: string;
  readonly name?: string;
  readonly chars: number;
  readonly tokens: number;
}
interface Preview {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly functions: readonly { readonly name: string }[];
  readonly warnings: readonly string[];
  readonly parts: readonly Part[];
  readonly total_tokens: number;
}

const asking = { messages: [{ role: 'user', content: 'hello world' }] };
const file = (path: string) => ({
  type: 'single_file_rag',
  mode: 'placeholder',
  config: { file_path: path },
});

describe('the preview of a draft', function () {
  this.timeout(60_000);
  let world: TestService;
  let admin: AssistantClient;
  before(async () => {
    world = await sharedService();
    admin = clientOf(world, { key: world.service.adminKey });
  });
  const preview = (path: string, body: object, client = admin) =>
    client.post<Preview>(`${path}/preview`, body);
  const aFile = async (text: string) => {
    const path = `${uniqueName('notes')}.txt`;
    await giveFile(world.service, path, text);
    return path;
  };
  const stored = () =>
    inDatabase(world.service, async (_stores, db) =>
      Number((await db('assistants').count({ n: '*' }).first())!['n']),
    );

  it('shows what an assistant that is nowhere stored would read, and stores nothing', async () => {
    const path = await aFile('the notes');
    const before = await stored();

    const { status, json } = await preview('', {
      ...asking,
      draft: {
        system_prompt: 'Be kind.',
        prompt_template: 'Use {file}: {user_input}',
        metadata: { tools: [file(path), weatherFunction] },
      },
    });

    expect(status).to.equal(200);
    expect(json.messages.at(-1)!.content).to.equal('Use the notes: hello world');
    expect(json.messages[0]!.content).to.contain('Be kind.');
    expect(json.functions.map(({ name }) => name)).to.deep.equal(['get_weather']);
    expect(json.warnings).to.deep.equal([]);
    expect(await stored()).to.equal(before);
  });

  it('puts what is being written in the place of what is stored, keeps the rest, and changes nothing', async () => {
    const { id, model } = await world.assistant([say('ok')], {
      system_prompt: 'Stored.',
      prompt_template: '{user_input}',
    });
    const at = `/${String(id)}`;
    const before = (await admin.get<object>(at)).json;

    const drafted = await preview(at, {
      ...asking,
      draft: { name: '', prompt_template: 'Say: {user_input}' },
    });
    const plain = await preview(at, asking);

    expect(drafted.json.messages.map(({ content }) => content)).to.deep.equal([
      'Stored.',
      'Say: hello world',
    ]);
    expect(plain.json.messages.map(({ content }) => content)).to.deep.equal(['Stored.', 'hello world']);
    expect((await admin.get<object>(at)).json).to.deep.equal(before);
    expect(await world.model.ledger(model)).to.deep.equal([]);
  });

  it('says what takes how much room, part by part and in all', async () => {
    const path = await aFile('hello world');

    const { json } = await preview('', {
      messages: [
        { role: 'user', content: 'earlier' },
        { role: 'assistant', content: 'yes' },
        { role: 'user', content: 'hello' },
      ],
      draft: {
        system_prompt: 'Be kind.',
        prompt_template: 'A {file} B {file} {weather}{nobody}{user_input}',
        metadata: { tools: [file(path), weatherFunction], prompt_processor: 'simple_augment' },
      },
    });

    const [spec, ...functions] = json.parts.filter(({ part }) => part === 'function');
    expect(
      json.parts.filter(({ part }) => part !== 'function').map(({ tokens: _, ...part }) => part),
    ).to.deep.equal([
      { part: 'system_prompt', chars: 8 },
      { part: 'history', chars: 'earlier\n\nyes'.length },
      { part: 'template', chars: 'A  B  {nobody}'.length },
      { part: 'placeholder', name: 'file', chars: 22 },
      { part: 'placeholder', name: 'weather', chars: 0 },
      { part: 'user_input', chars: 5 },
    ]);
    expect(functions).to.deep.equal([]);
    expect(spec).to.include({ name: 'get_weather', chars: JSON.stringify(json.functions[0]).length });
    expect(json.parts.every(({ chars, tokens }) => tokens > 0 === chars > 0)).to.equal(true);
    expect(json.total_tokens).to.equal(json.parts.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it('tells of what is not finished in warnings, and refuses only what is no draft', async () => {
    const tools = [{ type: 'single_file_rag', config: {} }, { type: 'teleport' }];
    const unfinished = await preview('', {
      ...asking,
      draft: { prompt_template: '{file}{user_input}', metadata: { tools } },
    });

    expect(unfinished.status).to.equal(200);
    expect(unfinished.json.warnings.join()).to.contain('{file}').and.to.contain('teleport');
    refusalOf(await preview('', asking), 400);
    expect(refusalOf(await preview('', { ...asking, draft: { owner: 'x' } }), 400).message).to.contain(
      'owner',
    );
    refusalOf(await preview('', { ...asking, draft: { metadata: { _format_version: 9 } } }), 422);
  });

  it('reads nothing that its owner may not use', async () => {
    const [owner, other] = [await aPerson(world.service), await aPerson(world.service)];
    const secret = await world.service.createAssistant({ name: 'Hidden canary' }, { key: other.key });
    const path = await aFile('canary of the administrator');
    const helper = { type: 'assistant', mode: 'function', config: { assistant_id: secret.id } };

    const { json, text } = await preview(
      '',
      {
        ...asking,
        draft: { prompt_template: '{file}{user_input}', metadata: { tools: [file(path), helper] } },
      },
      clientOf(world, owner),
    );

    expect(json.functions).to.deep.equal([]);
    expect(json.warnings).to.have.length(2);
    expect(text).not.to.contain('canary');
  });

  it('is for those who may make, or change, the assistant, and who looked is on the books', async () => {
    const owner = await aPerson(world.service);
    const [guest, student] = [
      await aColleagueOf(world.service, owner),
      await aPerson(world.service, { role: 'student' }),
    ];
    const { id } = await world.service.createAssistant({ system_prompt: 'canary' }, { key: owner.key });
    await shareWith(world.service, id, guest);
    const body = { ...asking, draft: {} };

    const refused = await preview(`/${String(id)}`, body, clientOf(world, guest));
    const pupil = await preview('', body, clientOf(world, student));
    await preview('', body, clientOf(world, owner));

    refusalOf(refused, 403);
    refusalOf(pupil, 403);
    const rows = await Promise.all([owner, guest, student].map((person) => auditOf(world.service, person)));
    expect(rows.flat().map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['preview', 'done'],
      ['preview', 'denied'],
      ['preview', 'denied'],
    ]);
  });
});
