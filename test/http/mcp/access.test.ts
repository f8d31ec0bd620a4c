import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { connectMcp, textsOf, withMcp } from '../../support/mcp/client.js';
import { giveFile } from '../../support/owner-files.js';
import { essayRubric } from '../../support/rubrics.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  disable,
  inDatabase,
  type Person,
  publish,
  shareWith,
} from '../support/users-fixture.js';

type Call = Parameters<Client['callTool']>[0];

describe('what MCP lets a caller see and do', function () {
  this.timeout(60_000);
  let world: TestService;
  let owner: Person;
  let stranger: Person;
  let student: Person;
  before(async () => {
    world = await sharedService();
    owner = await aPerson(world.service);
    stranger = await aPerson(world.service);
    student = await aColleagueOf(world.service, owner, 'student');
  });

  const withKeyOf = <T>({ key }: Person, work: (client: Client) => Promise<T>) =>
    withMcp(world.service, key, work);
  const call = (person: Person, wanted: Call) => withKeyOf(person, (client) => client.callTool(wanted));
  const faultOf = (work: Promise<unknown>) =>
    work.then(
      () => 'no fault',
      (fault: unknown) => (fault as Error).message,
    );
  const ofOwner = (content: object = {}) =>
    world.service.createAssistant({ name: uniqueName('secret'), ...content }, { key: owner.key });
  const listsOf = (person: Person) =>
    withKeyOf(person, async (client) => ({
      tools: (await client.listTools()).tools,
      prompts: (await client.listPrompts()).prompts,
    }));

  it('lists nothing of anybody else, to another organisation or to a student, by name or by number', async () => {
    const { name, id } = await ofOwner();

    const lists = await Promise.all([stranger, student].map(listsOf));

    for (const { tools, prompts } of lists) {
      const seen = JSON.stringify({ tools, prompts });
      expect(seen)
        .not.to.include(name)
        .and.not.to.include(`assistant_${String(id)}`);
      expect(prompts).to.deep.equal([]);
    }
  });

  it('offers no prompt of an assistant that the caller may only chat with, in the same words as of none', async () => {
    const { id } = await ofOwner({ system_prompt: 'how it is made' });
    await publish(world.service, id, 'organization', owner);
    const prompt = (number: number) =>
      withKeyOf(student, (client) =>
        client.getPrompt({ name: `assistant_${String(number)}`, arguments: { user_input: 'hello' } }),
      );

    const { tools, prompts } = await listsOf(student);
    const [refused, absent] = [await faultOf(prompt(id)), await faultOf(prompt(999_999))];

    expect(tools.map((tool) => tool.name)).to.include(`call_assistant_${String(id)}`);
    expect(prompts).to.deep.equal([]);
    expect(refused.replace(String(id), 'N')).to.equal(absent.replace('999999', 'N'));
    expect(refused).to.include(`Prompt assistant_${String(id)} not found`);
    const denials = (await auditOf(world.service, student)).filter(({ outcome }) => outcome === 'denied');
    expect(denials.map(({ action, resource }) => [action, resource])).to.deep.include([
      'preview',
      `assistant ${String(id)}`,
    ]);
  });

  it('offers tools by themselves to whoever makes assistants, and none to a student', async () => {
    const weather = { name: 'weather', arguments: { city: 'Bilbao' } };

    const [teacher, pupil] = await Promise.all([owner, student].map(listsOf));
    const refused = await faultOf(call(student, weather));

    expect(teacher!.tools.map(({ name }) => name)).to.include('weather');
    expect(pupil!.tools.filter(({ name }) => !name.startsWith('call_assistant_'))).to.deep.equal([]);
    expect(refused).to.include('Tool weather not found');
  });

  it('refuses an assistant that is not the caller’s in the same words as one that does not exist, and keeps the try', async () => {
    const { id, model } = await world.assistant([say('never')]);
    const ask = (number: number) =>
      faultOf(call(stranger, { name: `call_assistant_${String(number)}`, arguments: { query: 'Hello?' } }));

    const [hidden, absent] = [await ask(id), await ask(999_999)];

    expect(hidden).to.include(`Tool call_assistant_${String(id)} not found`);
    expect(hidden.replace(String(id), 'N')).to.equal(absent.replace('999999', 'N'));
    expect(await world.model.ledger(model)).to.deep.equal([]);
    const [denial] = (await auditOf(world.service, stranger)).filter(
      ({ resource }) => resource === `assistant ${String(id)}`,
    );
    expect(denial).to.include({ action: 'chat', outcome: 'denied' });
  });

  it('no longer answers through a share that was withdrawn after it was listed', async () => {
    const { id, model } = await world.assistant([say('once')]);
    await shareWith(world.service, id, stranger);
    const name = `call_assistant_${String(id)}`;
    const { client, close } = await connectMcp(world.service, stranger.key);
    const listed = (await client.listTools()).tools.map((tool) => tool.name);

    await inDatabase(world.service, ({ assistants }) => assistants.unshare(id, stranger.id));
    const fault = await faultOf(client.callTool({ name, arguments: { query: 'Hello?' } }));
    await close();

    expect(listed).to.include(name);
    expect(fault).to.include(`Tool ${name} not found`);
    expect(await world.model.ledger(model)).to.deep.equal([]);
  });

  it('turns away a key whose account was switched off, and one that never was, with 401 and our own words', async () => {
    const leaver = await aPerson(world.service);
    await disable(world.service, leaver);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

    for (const key of [leaver.key, 'bw_garbage', null]) {
      const answer = await world.service.request<{ error: { type: string } }>('/lamb/v1/mcp', { key, body });

      expect(answer.status).to.equal(401);
      expect(answer.headers.get('www-authenticate'))
        .to.match(/^Bearer /)
        .and.to.include(
          `resource_metadata="${world.service.url}/.well-known/oauth-protected-resource/lamb/v1/mcp"`,
        );
      expect(answer.json.error.type).to.equal('authentication_error');
    }
  });

  it('judges what a tool touches by the caller’s own rights: another’s rubric is not available, and that is audited', async () => {
    const rubric = { title: 'Hidden rubric', rubric_data: essayRubric() };
    const made = await world.service.request<{ id: string }>('/lamb/v1/rubrics', {
      body: rubric,
      key: owner.key,
    });
    const config = { rubric_id: made.json.id };

    const [mine, theirs, absent] = await Promise.all([
      call(owner, { name: 'rubric_rag', arguments: { config } }),
      call(stranger, { name: 'rubric_rag', arguments: { config } }),
      call(stranger, { name: 'rubric_rag', arguments: { config: { rubric_id: 'no-such-rubric' } } }),
    ]);

    expect(textsOf(mine)[0]).to.include('Hidden rubric');
    expect(theirs.isError).to.equal(true);
    expect(textsOf(theirs)).to.deep.equal(textsOf(absent));
    expect(JSON.stringify(theirs)).not.to.include('Hidden rubric');
    const runId = theirs._meta?.['bellwether/run_id'];
    const [deed, denial] = (await auditOf(world.service, stranger)).filter((row) => row.run_id === runId);
    expect(deed).to.include({ action: 'run a tool', outcome: 'done' });
    expect(denial).to.include({ resource: `rubric ${made.json.id}`, outcome: 'denied' });
    const { json: run } = await world.service.request<{
      status: string;
      error_code: string;
      steps: object[];
    }>(`/lamb/v1/runs/${String(runId)}`, { key: stranger.key });
    expect(run).to.include({ status: 'failed', error_code: 'tool_failed' });
    expect(run.steps[0]).to.include({ tool: 'rubric_rag', ok: false });
  });

  it('reads only files of the caller’s own', async () => {
    const path = `${uniqueName('notes')}.txt`;
    await giveFile(world.service, path, 'of the administrator');

    const result = await call(stranger, {
      name: 'single_file_rag',
      arguments: { config: { file_path: path } },
    });

    expect(result.isError).to.equal(true);
    expect(JSON.stringify(result)).not.to.include('of the administrator');
  });

  it('books what a tool’s own question to the model costs, on the caller and on no assistant', async () => {
    const made = await world.service.request<{ id: string }>('/lamb/v1/rubrics', {
      body: { title: 'Essay', rubric_data: essayRubric() },
      key: owner.key,
    });
    const config = { rubric_id: made.json.id };

    // The owner's organisation has no provider: its usual model is the demo, which is no judge.
    const result = await call(owner, { name: 'rubric_eval', arguments: { submission: 'My essay.', config } });

    expect(result.isError).to.equal(true);
    const runId = result._meta?.['bellwether/run_id'];
    const ledger = await inDatabase(world.service, (_stores, db) =>
      db('usage_ledger').where({ run_id: runId }).select<Record<string, unknown>[]>('*'),
    );
    expect(ledger).to.have.length(2);
    expect(ledger[0]).to.include({ user_id: owner.id, assistant_id: null, connector: 'demo' });
  });

  it('says what is wrong with arguments, a configuration or a conversation as the result of the call', async () => {
    const { id } = await ofOwner();
    const name = `call_assistant_${String(id)}`;
    const wrong: readonly [Call, RegExp][] = [
      [{ name: 'weather', arguments: {} }, /arguments do not fit.*city/],
      [{ name: 'weather', arguments: { city: 'Bilbao', user: 'eve' } }, /arguments do not fit.*user/],
      [
        { name: 'weather', arguments: { city: 'Bilbao', config: { units: 'furlongs' } } },
        /configuration does not fit.*units/,
      ],
      [{ name: 'weather', arguments: { city: 'Bilbao', config: 'metric' } }, /configuration does not fit/],
      [{ name: 'weather', arguments: { city: 'x'.repeat(70_000) } }, /larger than 65536 bytes/],
      [{ name, arguments: {} }, /arguments do not fit.*query/],
      [
        { name, arguments: { query: 'Hello?', conversation_id: 'somebody-else’s' } },
        /conversation was not found/,
      ],
    ];

    for (const [wanted, words] of wrong) {
      const result = await call(owner, wanted);

      expect(result.isError).to.equal(true);
      expect(textsOf(result).join()).to.match(words);
    }
  });

  it('refuses names that are not offered, installed or not, in the same words', async () => {
    const faults = await Promise.all(
      [
        'assistant',
        'no_rag',
        'no_such_tool',
        'call_assistant_',
        'call_assistant_007',
        'call_assistant_1e3',
      ].map(async (name) => {
        const fault = await faultOf(call(owner, { name, arguments: {} }));
        return fault.replace(name, 'NAME');
      }),
    );

    expect(new Set(faults).size).to.equal(1);
    expect(faults[0]).to.include('Tool NAME not found');
  });
});
