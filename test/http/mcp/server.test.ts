import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { REVISIONS, textsOf, withMcp } from '../../support/mcp/client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { aRubric } from '../../support/rubrics.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import {
  aColleagueOf,
  aPerson,
  auditOf,
  inDatabase,
  type Person,
  shareWith,
  speakingTo,
} from '../support/users-fixture.js';

interface RunBody {
  readonly assistant_id: number | null;
  readonly version: number | null;
  readonly status: string;
  readonly steps: readonly { readonly kind: string; readonly tool?: string; readonly ok: boolean }[];
}

for (const revision of REVISIONS) {
  describe(`MCP, revision ${revision}`, function () {
    this.timeout(60_000);
    let world: TestService;
    let teacher: Person;
    before(async () => {
      world = await sharedService();
      teacher = await aPerson(world.service);
    });
    const asTeacher = <T>(work: Parameters<typeof withMcp<T>>[2]) =>
      withMcp(world.service, teacher.key, work, revision);
    const runOf = async (id: unknown) =>
      (await world.service.request<RunBody>(`/lamb/v1/runs/${String(id)}`, { key: teacher.key })).json;

    it('says who it is, in the version that is installed', async () => {
      const manifest = await readFile(join(PROJECT_ROOT, 'package.json'), 'utf8');
      const { version } = JSON.parse(manifest) as { version: string };

      const told = await asTeacher((client) => Promise.resolve(client.getServerVersion()));

      expect(told).to.include({ name: 'bellwether', version });
    });

    it('offers the tools that only read, with what a model and an author may set', async () => {
      const { tools } = await asTeacher((client) => client.listTools());

      const names = tools.map(({ name }) => name);
      expect(names).to.include.members(['weather', 'rubric_rag', 'rubric_eval', 'single_file_rag']);
      expect(names).not.to.include.members(['assistant', 'no_rag']);
      const weather = tools.find(({ name }) => name === 'weather');
      expect(weather).to.include({ title: 'Weather' });
      expect(weather?.inputSchema).to.include({ additionalProperties: false });
      expect(weather?.inputSchema.required).to.deep.equal(['city']);
      expect(weather?.inputSchema.properties).to.have.all.keys('city', 'config');
      const rubric = tools.find(({ name }) => name === 'rubric_eval');
      expect(rubric?.inputSchema.required).to.deep.equal(['submission', 'config']);
    });

    it('runs a tool for the caller, and has it on record', async () => {
      const given = { city: 'Bilbao', config: { units: 'imperial' } };

      const result = await asTeacher((client) => client.callTool({ name: 'weather', arguments: given }));

      expect(result.isError ?? false).to.equal(false);
      const [text, sources] = textsOf(result);
      expect(text).to.match(/^Weather in Bilbao, Spain .*°F/);
      expect(sources).to.equal('Sources:\n[1] Open-Meteo: Bilbao, Spain https://open-meteo.com/');
      const runId = result._meta?.['bellwether/run_id'];
      expect(await runOf(runId)).to.deep.include({ assistant_id: null, version: null, status: 'completed' });
      expect((await runOf(runId)).steps.map(({ kind, tool, ok }) => ({ kind, tool, ok }))).to.deep.equal([
        { kind: 'tool', tool: 'weather', ok: true },
      ]);
      const audited = (await auditOf(world.service, teacher)).filter((row) => row.run_id === runId);
      expect(audited).to.have.length(1);
      expect(audited[0]).to.include({ action: 'run a tool', resource: 'tool weather', outcome: 'done' });
    });

    it('brings what a tool found as words, and as data of the form that it told', async () => {
      const llm = uniqueName('judge');
      const said = { reason: 'It cites two sources.', level: 'level_2' };
      await world.model.script(llm, [say(JSON.stringify({ criterion_1: said, criterion_2: said }))]);
      const speaking = speakingTo(world.model, { api_key: 'canary-judge-0123456789', default_model: llm });
      const judge = await aPerson(world.service, { config: speaking });
      const config = { rubric_id: (await aRubric(world.service, { title: 'Essay' }, judge.key)).id };
      const wanted = { name: 'rubric_eval', arguments: { submission: 'Rome fell.', config } };

      const { tools, result } = await withMcp(
        world.service,
        judge.key,
        async (client) => ({
          tools: (await client.listTools()).tools,
          // The client itself holds it to the form that was listed.
          result: await client.callTool(wanted),
        }),
        revision,
      );

      expect(tools.find(({ name }) => name === 'rubric_eval')?.outputSchema).to.have.nested.property(
        'properties.criteria',
      );
      expect(textsOf(result)[0]).to.include('It cites two sources.');
      expect(result.structuredContent).to.have.nested.property('rubric.title', 'Essay');
      expect(result.structuredContent).to.deep.include({
        criteria: ['criterion_1', 'criterion_2'].map((id) => ({ id, ...said })),
      });
    });

    it('asks an assistant as a chat would, with its sources, cost and conversation', async () => {
      const steps = [call('get_weather', { city: 'Bilbao' }), say('Mild.'), say('Still mild.')];
      const assistant = await world.assistant(steps, {
        name: 'Forecaster',
        description: 'Knows the sky',
        tools: [weatherFunction],
      });
      await shareWith(world.service, assistant.id, teacher);
      const name = `call_assistant_${String(assistant.id)}`;
      const ask = (query: string, conversation_id: string) =>
        asTeacher((client) => client.callTool({ name, arguments: { query, conversation_id } }));

      const { tools } = await asTeacher((client) => client.listTools());
      const first = await ask('Bilbao?', 'new');
      const conversation = String(first._meta?.['bellwether/conversation_id']);
      const second = await ask('And now?', conversation);

      const offered = tools.find((tool) => tool.name === name);
      expect(offered).to.include({ title: 'Forecaster', description: 'Knows the sky' });
      expect(offered?.inputSchema.required).to.deep.equal(['query']);
      expect(textsOf(first)).to.deep.equal([
        'Mild.',
        'Sources:\n[1] Open-Meteo: Bilbao, Spain https://open-meteo.com/',
        `conversation_id: ${conversation}`,
      ]);
      expect(first._meta?.['bellwether/sources']).to.deep.equal([
        { n: 1, title: 'Open-Meteo: Bilbao, Spain', url: 'https://open-meteo.com/', cited: false },
      ]);
      expect(textsOf(second)[0]).to.equal('Still mild.');
      const asked = (await world.model.ledger(assistant.model)).at(-1)?.body.messages;
      expect(JSON.stringify(asked)).to.include('Bilbao?').and.include('And now?');
      const runId = first._meta?.['bellwether/run_id'];
      expect(await runOf(runId)).to.deep.include({ assistant_id: assistant.id, status: 'completed' });
      const ledger = await inDatabase(world.service, (_stores, db) =>
        db('usage_ledger').where({ run_id: runId }).select<{ user_id: number }[]>('user_id'),
      );
      expect(ledger).to.deep.equal([{ user_id: teacher.id }, { user_id: teacher.id }]);
    });

    it('gives the composed prompt of an assistant the caller may edit, and has it audited', async () => {
      const content = { system_prompt: 'Be kind.', prompt_template: 'Say: {user_input}' };
      const { id } = await world.service.createAssistant(content, { key: teacher.key });
      const name = `assistant_${String(id)}`;

      const { prompts } = await asTeacher((client) => client.listPrompts());
      const prompt = await asTeacher((client) =>
        client.getPrompt({ name, arguments: { user_input: 'hello' } }),
      );

      const offered = prompts.find((each) => each.name === name);
      expect(offered?.arguments?.map((each) => [each.name, each.required])).to.deep.equal([
        ['user_input', true],
      ]);
      expect(prompt.messages).to.deep.equal([
        { role: 'user', content: { type: 'text', text: 'Be kind.\n\nSay: hello' } },
      ]);
      const [audited] = (await auditOf(world.service, teacher)).filter(
        ({ resource }) => resource === `assistant ${String(id)}`,
      );
      expect(audited).to.include({ action: 'preview', outcome: 'done' });
    });

    it('offers questions to begin with to whoever may chat, with the tool to ask by', async () => {
      const owner = await aColleagueOf(world.service, teacher);
      const starters = ['What is a cell?', 'Why are leaves green?'];
      const made = await world.service.createAssistant({ starters }, { key: owner.key });
      const name = `assistant_${String(made.id)}`;
      const listed = async () =>
        (await asTeacher((client) => client.listPrompts())).prompts.filter((each) =>
          each.name.startsWith(`${name}_`),
        );
      const second = () => asTeacher((client) => client.getPrompt({ name: `${name}_starter_2` }));

      expect(await listed()).to.deep.equal([]);
      await expectRefusal(second());
      await shareWith(world.service, made.id, teacher);

      expect((await listed()).map((each) => [each.name, each.title])).to.deep.equal([
        [`${name}_starter_1`, 'What is a cell?'],
        [`${name}_starter_2`, 'Why are leaves green?'],
      ]);
      const [message] = (await second()).messages;
      expect(message?.content).to.deep.include({
        text: `Why are leaves green?\n\nAsk the assistant "${made.name}", with the tool call_${name}.`,
      });
      await expectRefusal(asTeacher((client) => client.getPrompt({ name: `${name}_starter_3` })));
      await expectRefusal(asTeacher((client) => client.getPrompt({ name, arguments: { user_input: 'x' } })));
    });

    it('tells how a run goes to a client that asks', async () => {
      const heard: { progress: number; message?: string | undefined }[] = [];
      const onprogress = (progress: (typeof heard)[number]) => heard.push(progress);

      await asTeacher((client) =>
        client.callTool({ name: 'weather', arguments: { city: 'Bilbao' } }, { onprogress }),
      );

      expect(heard.map(({ progress, message }) => [progress, message])).to.deep.equal([
        [1, 'calling Weather'],
        [2, 'calling Weather'],
      ]);
    });
  });
}

async function expectRefusal(asked: Promise<unknown>): Promise<void> {
  const fault = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(fault).to.be.an('error');
}
