import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, calls, held, say } from '../support/fakes/model-script.js';
import { aColleagueOf, aPerson, auditOf, inDatabase, shareWith } from '../http/support/users-fixture.js';
import { giveFile } from '../support/owner-files.js';
import { sharedService, weatherFunction, type TestService } from '../support/test-service.js';

interface RunView {
  readonly parent_run_id: string | null;
  readonly assistant_id: number;
  readonly usage: object;
  readonly steps: readonly { readonly child_run_id?: string; readonly tool?: string }[];
}

const asFunction = (assistant_id: number, more: object = {}) => ({
  type: 'assistant',
  enabled: true,
  mode: 'function',
  config: { assistant_id },
  ...more,
});

describe('an assistant as a tool', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const toolMessages = async (model: string) =>
    (await world.model.ledger(model))
      .at(-1)!
      .body.messages.filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
  const run = async (id: string) => (await world.service.request<RunView>(`/lamb/v1/runs/${id}`)).json;

  it('answers one question, unseen by the user, with its sources passed through and its cost added up', async () => {
    const path = `${uniqueName('notes')}.txt`;
    await giveFile(world.service, path, 'Cells divide.');
    const child = await world.assistant(
      [say('They divide.', { usage: { prompt_tokens: 30, completion_tokens: 3 } })],
      {
        name: 'Cell expert',
        prompt_template: '{file} {user_input}',
        tools: [{ type: 'single_file_rag', enabled: true, mode: 'placeholder', config: { file_path: path } }],
      },
    );
    const parent = await world.assistant(
      [
        call(
          `call_assistant_${String(child.id)}`,
          { query: 'What do cells do?' },
          { usage: { prompt_tokens: 10, completion_tokens: 1 } },
        ),
        say('Cells divide, I hear.', { usage: { prompt_tokens: 20, completion_tokens: 2 } }),
      ],
      { tools: [asFunction(child.id)] },
    );

    const stream = await world.service.stream(parent.id, {
      messages: [{ role: 'user', content: 'Cells?' }],
      stream_options: { include_usage: true },
    });
    const { text, statuses, chunks } = await stream.whole();

    expect(text).to.equal('Cells divide, I hear.');
    expect(await toolMessages(parent.model)).to.deep.equal(['They divide.']);
    expect(
      statuses.filter(({ type }) => /^(tool|assistant)\./.test(type)).map(({ type, label }) => [type, label]),
    ).to.deep.equal([
      ['tool.started', 'calling Cell expert'],
      ['assistant.started', 'calling Cell expert'],
      ['assistant.completed', 'calling Cell expert'],
      ['tool.completed', 'calling Cell expert'],
    ]);
    const [source, ...others] = statuses.at(-1)!.sources as readonly Record<string, unknown>[];
    expect(source).to.include({ n: 1, title: path, cited: false, type: 'file', path });
    expect(others).to.deep.equal([]);
    expect(chunks.at(-1)!.usage).to.include({ prompt_tokens: 60, completion_tokens: 6 });
  });

  it('leaves a run of its own behind, tied to the one that asked', async () => {
    const child = await world.assistant([say('Yes.')]);
    const parent = await world.assistant(
      [call(`call_assistant_${String(child.id)}`, { query: 'x' }), say('Yes.')],
      { tools: [asFunction(child.id)] },
    );

    const { headers } = await world.service.chat(parent.id, 'x');

    const parentRun = await run(headers.get('x-run-id')!);
    const childRunId = parentRun.steps.find(({ tool }) => tool === 'assistant')!.child_run_id!;
    const childRun = await run(childRunId);
    expect(childRun).to.include({ parent_run_id: headers.get('x-run-id'), assistant_id: child.id });
    expect(childRun.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: 5 });
  });

  it('hears the conversation only when share_history is on', async () => {
    const child = await world.assistant([say('a')], { repeat: true });
    const parent = (share_history: boolean) =>
      world.assistant([call(`call_assistant_${String(child.id)}`, { query: 'And now?' }), say('b')], {
        tools: [asFunction(child.id, { config: { assistant_id: child.id, share_history } })],
      });
    const messages = [
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'second' },
      { role: 'user', content: 'third' },
    ];

    await world.service.chat((await parent(false)).id, { messages });
    await world.service.chat((await parent(true)).id, { messages });

    const [alone, sharing] = await world.model.ledger(child.model);
    expect(alone!.body.messages.map(({ content }) => content)).to.deep.equal(['And now?']);
    expect(sharing!.body.messages.map(({ content }) => content)).to.deep.equal([
      'first',
      'second',
      'And now?',
    ]);
  });

  it('cannot be one that calls functions itself: refused at save, and again when it has become one since', async () => {
    const gate = uniqueName('gate');
    const child = await world.assistant([say('never')]);
    const parent = await world.assistant(
      [held(gate, call(`call_assistant_${String(child.id)}`, { query: 'x' })), say('It refused.')],
      { tools: [asFunction(child.id)] },
    );

    const answer = world.service.chat(parent.id, 'x');
    await world.model.waitFor(parent.model, { requests: 1 });
    const { name, version, metadata } = child;
    await world.service.request(`/lamb/v1/assistants/${String(child.id)}`, {
      method: 'PUT',
      body: { name, version, metadata: { ...metadata, tools: [weatherFunction] } },
    });
    await world.model.release(gate);
    await answer;
    const saved = await world.service.request<{ error: { message: string } }>('/lamb/v1/assistants', {
      body: { name: uniqueName('late'), metadata: { tools: [asFunction(child.id)] } },
    });

    expect(await world.model.ledger(child.model)).to.deep.equal([]);
    expect(saved.status).to.equal(422);
    expect(saved.json.error.message).to.contain('calls functions itself');
  });

  it('cannot be itself, and cannot call a third one', async () => {
    const third = await world.assistant([say('never')]);
    const second = await world.assistant([say('alone')], {
      prompt_template: '[{tool_result}] {user_input}',
      tools: [{ type: 'assistant', enabled: true, mode: 'placeholder', config: { assistant_id: third.id } }],
    });
    const first = await world.assistant(
      [call(`call_assistant_${String(second.id)}`, { query: 'x' }), say('ok')],
      { tools: [asFunction(second.id)] },
    );
    const { name, version, metadata } = first;

    await world.service.chat(first.id, 'x');
    const itself = await world.service.request(`/lamb/v1/assistants/${String(first.id)}`, {
      method: 'PUT',
      body: { name, version, metadata: { ...metadata, tools: [asFunction(first.id)] } },
    });

    expect(itself.status).to.equal(422);
    expect(await world.model.ledger(third.model)).to.deep.equal([]);
    expect((await world.model.ledger(second.model))[0]!.body.messages.at(-1)!.content).to.equal('[] x');
  });

  it("is refused in the same words whether it is absent, gone since, or was never this assistant's to call", async () => {
    const gone = await world.assistant([say('never')]);
    const gate = uniqueName('gate');
    const parent = await world.assistant(
      [
        held(
          gate,
          calls([
            { name: `call_assistant_${String(gone.id)}`, arguments: { query: 'x' } },
            { name: 'call_assistant_999999999', arguments: { query: 'x' } },
          ]),
        ),
        say('No.'),
      ],
      { tools: [asFunction(gone.id)] },
    );

    const answer = world.service.chat(parent.id, 'x');
    await world.model.waitFor(parent.model, { requests: 1 });
    await world.service.request(`/lamb/v1/assistants/${String(gone.id)}`, { method: 'DELETE' });
    await world.model.release(gate);
    await answer;

    const [one, other] = await toolMessages(parent.model);
    expect(one).to.equal(other);
    expect(await world.model.ledger(gone.model)).to.deep.equal([]);
  });

  it('whose right was withdrawn is neither asked nor named, as a function or a placeholder, and the try is audited', async () => {
    const teacher = await aPerson(world.service);
    const lender = await aColleagueOf(world.service, teacher);
    const lent = await world.service.createAssistant({ name: 'Secret project X' }, { key: lender.key });
    await shareWith(world.service, lent.id, teacher);
    const asPlaceholder = { ...asFunction(lent.id), mode: 'placeholder' };
    const borrower = await world.service.createAssistant(
      {
        prompt_template: '[{tool_result}] {user_input}',
        metadata: { connector: 'bypass', llm: 'debug-bypass', tools: [asFunction(lent.id), asPlaceholder] },
      },
      { key: teacher.key },
    );

    await inDatabase(world.service, (stores) => stores.assistants.unshare(lent.id, teacher.id));
    const stream = await world.service.stream(borrower.id, 'x', { key: teacher.key });
    const { text, statuses } = await stream.whole();

    const audit = await auditOf(world.service, teacher);
    expect(stream.raw()).not.to.contain('Secret project');
    expect(text).to.contain('[] x').and.not.to.contain('Functions');
    expect(statuses.map(({ type }) => type)).to.include('placeholder.failed');
    expect(audit.map(({ resource, outcome }) => [resource, outcome])).to.deep.equal([
      [`assistant ${String(lent.id)}`, 'denied'],
    ]);
  });

  it('gives two of a kind names of their own', async () => {
    const child = await world.assistant([say('x')], { repeat: true });
    const twice = await world.assistant([say('ok')], {
      tools: [
        asFunction(child.id),
        asFunction(child.id, { name: 'Math expert!', description: 'Knows numbers.' }),
        asFunction(child.id),
      ],
    });

    await world.service.chat(twice.id, 'x');

    const [request] = await world.model.ledger(twice.model);
    const base = `call_assistant_${String(child.id)}`;
    expect(request!.body.tools!.map((tool) => tool.function.name)).to.deep.equal([
      base,
      'Math_expert',
      `${base}_2`,
    ]);
    expect(request!.body.tools![1]!.function.description).to.equal('Knows numbers.');
    expect(request!.body.tools![0]!.function.parameters).to.deep.include({
      required: ['query'],
      additionalProperties: false,
    });
  });
});
