import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { giveFile } from '../../support/owner-files.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { type AssistantClient, clientOf } from '../support/assistant-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, auditOf, inDatabase, putTools, shareWith } from '../support/users-fixture.js';

interface Preview {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly functions: readonly { readonly name: string }[];
  readonly placeholders: readonly object[];
  readonly warnings: readonly string[];
}

const TRICKY = 'Given {context} $& \\frac{a}{b} <|endoftext|> and é😀';
const asking = { messages: [{ role: 'user', content: TRICKY }] };
const file = (path: string, more: object = {}) => ({
  type: 'single_file_rag',
  enabled: true,
  mode: 'placeholder',
  config: { file_path: path },
  ...more,
});

describe('a preview', function () {
  this.timeout(60_000);
  let world: TestService;
  let admin: AssistantClient;
  before(async () => {
    world = await sharedService();
    admin = clientOf(world, { key: world.service.adminKey });
  });
  const preview = (id: number, body: object = asking, client = admin) =>
    client.post<Preview>(`/${String(id)}/preview`, body);
  const someFile = async (text: string) => {
    const path = `${uniqueName('notes')}.txt`;
    await giveFile(world.service, path, text);
    return path;
  };
  const warningsOf = async (content: object) => {
    const { tools, ...metadata } = (content as { metadata: { tools: object[] } }).metadata;
    const { id } = await world.service.createAssistant({ ...content, metadata });
    await putTools(world.service, id, tools);
    return (await preview(id)).json.warnings;
  };

  it('shows exactly the messages and functions the model then reads, and asks no model', async () => {
    const path = await someFile(TRICKY);
    const assistant = await world.assistant([say('ok')], {
      system_prompt: 'Be kind.',
      prompt_template: '[{file}] {user_input}',
      tools: [file(path), weatherFunction],
    });
    const messages = [
      { role: 'system', content: 'In Basque.' },
      { role: 'user', content: 'earlier' },
      { role: 'assistant', content: 'yes?' },
      ...asking.messages,
    ];

    const { status, json } = await preview(assistant.id, { messages });
    const before = await world.model.ledger(assistant.model);
    await world.service.chat(assistant.id, { messages });

    const [request] = await world.model.ledger(assistant.model);
    expect(status).to.equal(200);
    expect(before).to.deep.equal([]);
    expect(json.messages).to.deep.equal(request!.body.messages);
    expect(json.functions).to.deep.equal(request!.body.tools!.map((tool) => tool.function));
    expect(json.warnings).to.deep.equal([]);
  });

  it('counts what each tool put in, in characters and tokens', async () => {
    const [first, second] = [await someFile('hello world'), await someFile('')];
    const { id } = await world.service.createAssistant({
      prompt_template: '{context}{user_input}',
      metadata: { tools: [first, second].map((path) => file(path, { placeholder: 'context' })) },
    });

    const { json } = await preview(id);

    expect(json.placeholders).to.deep.equal([
      { name: 'context', tool: 'single_file_rag', chars: 11, tokens: 2 },
      { name: 'context', tool: 'single_file_rag', chars: 0, tokens: 0 },
    ]);
  });

  for (const [what, text] of [
    ['one letter', 'a'],
    ['Chinese', '中文字符测试没有空格'],
    ['sentences', 'The quick brown fox. '],
  ] as const) {
    it(`counts a long text of ${what} in good time, and lets others be served meanwhile`, async () => {
      const path = await someFile(text.repeat(90_000 / text.length));
      const { id } = await world.service.createAssistant({
        prompt_template: '{file}',
        metadata: { tools: [file(path, { config: { file_path: path, max_chars: 100_000 } })] },
      });

      const counting = preview(id);
      const { status } = await world.service.request('/healthz', { key: null });
      const [counted] = (await counting).json.placeholders as { chars: number; tokens: number }[];

      expect(status).to.equal(200);
      expect(counted!.chars).to.be.within(89_000, 90_000);
      expect(counted!.tokens).to.be.within(10_000, 80_000);
    });
  }

  it('warns of placeholders nobody knows, of those nothing fills, and of tools the template does not name', async () => {
    const warnings = await warningsOf({
      prompt_template: '{nowhere} {weather} {user_input}',
      metadata: { tools: [file(await someFile('x'))] },
    });

    expect(warnings).to.have.length(3);
    expect(warnings[0]).to.contain('{nowhere}').and.to.contain('stays');
    expect(warnings[1]).to.contain('{weather}').and.to.contain('left empty');
    expect(warnings[2])
      .to.match(/^File fills \{file\}/)
      .and.to.contain('not used');
  });

  it('warns of a placeholder that failed, and says when a run would end there', async () => {
    const template = { prompt_template: '{file}{user_input}' };
    const missing = uniqueName('missing');

    const omitted = await warningsOf({ ...template, metadata: { tools: [file(missing)] } });
    const ending = await warningsOf({
      ...template,
      metadata: { tools: [file(missing, { on_error: 'fail' })] },
    });

    expect(omitted).to.have.length(1);
    expect(omitted[0])
      .to.match(/^File could not fill/)
      .and.to.contain('{file}')
      .and.to.contain('not found');
    expect(ending[0]).to.contain('A run ends here');
  });

  it('warns of functions that are left out, and why', async () => {
    const target = await world.service.createAssistant({});
    const tools = [
      { type: 'assistant', mode: 'function', name: 'helper', config: { assistant_id: target.id } },
      { type: 'teleport', enabled: false },
    ];
    const { id } = await world.service.createAssistant({ metadata: { tools } });
    await admin.remove(`/${String(target.id)}`);
    const stored = {
      tools: [tools[0], { type: 'teleport', mode: 'function' }, { type: 'no_rag', mode: 'function' }],
    };
    await inDatabase(world.service, (_stores, db) =>
      db('assistants')
        .where({ id })
        .update({ metadata: JSON.stringify(stored) }),
    );

    const { json } = await preview(id);

    expect(json.functions).to.deep.equal([]);
    expect(json.warnings).to.have.length(3);
    expect(json.warnings[0]).to.contain('helper').and.to.contain(String(target.id));
    expect(json.warnings[1]).to.contain('teleport').and.to.contain('installed');
    expect(json.warnings[2]).to.contain('placeholder');
  });

  it('does not ask another assistant, and says so', async () => {
    const child = await world.assistant([say('ok')]);
    const { id } = await world.service.createAssistant({
      prompt_template: '{tool_result}{user_input}',
      metadata: { tools: [{ type: 'assistant', mode: 'placeholder', config: { assistant_id: child.id } }] },
    });

    const { json } = await preview(id);

    expect(await world.model.ledger(child.model)).to.deep.equal([]);
    expect(json.warnings[0]).to.contain('not asked in a preview');
  });

  it('is for owners and editors: a guest gets 403, a stranger 404, and who looked is on the books', async () => {
    const [owner, guest, stranger] = await Promise.all([1, 2, 3].map(() => aPerson(world.service)));
    const { id } = await world.service.createAssistant({ system_prompt: 'canary' }, { key: owner!.key });
    await shareWith(world.service, id, guest!);

    const own = await preview(id, asking, clientOf(world, owner!));
    const refused = await preview(id, asking, clientOf(world, guest!));
    const unknown = await preview(id, asking, clientOf(world, stranger!));

    expect(own.status).to.equal(200);
    refusalOf(refused, 403);
    refusalOf(unknown, 404);
    expect(refused.text + unknown.text).not.to.contain('canary');
    const rows = await Promise.all(
      [owner!, guest!, stranger!].map((person) => auditOf(world.service, person)),
    );
    expect(rows.flat().map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['preview', 'done'],
      ['preview', 'denied'],
      ['preview', 'denied'],
    ]);
  });

  it('refuses a body with faults, and an assistant that cannot be run', async () => {
    const { id } = await world.service.createAssistant({});
    for (const body of [{}, { messages: [] }, { ...asking, tools: [] }])
      refusalOf(await preview(id, body), 400);
    await inDatabase(world.service, (_stores, db) =>
      db('assistants').where({ id }).update({ metadata: '{' }),
    );

    refusalOf(await preview(id), 422);
  });
});
