import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { call, calls, say, type Step } from '../support/fakes/model-script.js';
import { giveFile, readFile as readOwnFile } from '../support/owner-files.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

const ANSWER = 'A fine rain, at 18.4 degrees.';
const BOTH: readonly Step[] = [
  calls([
    { name: 'get_weather', arguments: '{"city":"Bilbao"}' },
    { name: 'look_up', arguments: '{"word":"sirimiri"}' },
  ]),
  say(ANSWER),
];
const PATCH = {
  file_path: 'plan.md',
  changes: [{ line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' }],
};
const patchFunction = {
  ...{ type: 'patch_file', mode: 'function', config: { folder: 'documented-clients' }, approval: 'ask' },
};
/** What each program of the page is answered, by a word in it. */
const SCRIPTS: readonly (readonly [RegExp, readonly Step[]])[] = [
  [/chat\.completions/, [say(ANSWER)]],
  [/streamText/, [say(ANSWER)]],
  [/previous_response_id/, [say('It rains.'), say(ANSWER)]],
  [/look_up/, BOTH],
  [/elicitation/, [call('patch_file', PATCH), say(ANSWER)]],
];

const page = await readFile('docs/clients.md', 'utf8');
const programs = [...page.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, program = '']) => program);

describe('docs/clients.md', () => {
  let world: TestService;
  let folder: string;
  before(async () => {
    world = await sharedService();
    // Within the project, so that its packages are found.
    await giveFile(world.service, 'documented-clients/plan.md', 'old\n');
    folder = await mkdtemp(join('dist', 'documented-clients-'));
  });
  after(() => rm(folder, { recursive: true }));

  const assistantOn = async (steps: readonly Step[]) => {
    const metadata = { client_tools: 'allow' };
    const tools = [weatherFunction, patchFunction];
    const { id, model } = await world.assistant(steps, { tools, metadata, repeat: false });
    return { id, script: model };
  };

  programs.forEach((program, i) => {
    it(`has a program that does what it says: ${/from '([^']+)'/.exec(program)?.[1] ?? ''}, number ${String(i + 1)}`, async function () {
      this.timeout(60_000);
      const [, steps] = SCRIPTS.find(([word]) => word.test(program)) ?? [];
      const { id } = await assistantOn(steps ?? []);
      const file = join(folder, `${String(i)}.mjs`);
      const environment = {
        BELLWETHER_URL: `${world.service.url}/v1`,
        BELLWETHER_KEY: world.service.adminKey,
        ASSISTANT: `lamb_assistant.${String(id)}`,
      };
      // As it stands there, with values for its environment.
      const filled = Object.entries(environment).reduce(
        (text, [name, value]) => text.replaceAll(`process.env.${name}`, JSON.stringify(value)),
        program.replace('console.log(', 'export default ('),
      );
      await writeFile(file, filled);

      const { default: printed } = (await import(pathToFileURL(file).href)) as { default: unknown };

      expect(printed).to.equal(ANSWER);
      if (program.includes('elicitation')) {
        expect(await readOwnFile(world.service, 'documented-clients/plan.md')).to.equal('new\n');
      }
    });
  });

  const sectionOf = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const rowsOf = (title: string) =>
    [...sectionOf(title).matchAll(/^\| `(\w+)` \| (honoured|refused|ignored)/gm)].map(
      ([, name = '', fate = '']) => ({ name, fate }),
    );
  const publicOnes = async (file: string, name: string) => {
    const declared = await readFile(`node_modules/openai/resources/${file}.d.ts`, 'utf8');
    const [, body = ''] = new RegExp(`export interface ${name} \\{([^]*?)\\n\\}`).exec(declared) ?? [];
    return [...body.matchAll(/^ {4}(\w+)\??: /gm)].map(([, parameter = '']) => parameter);
  };

  for (const [title, file, name] of [
    ['Parameters of a chat', 'chat/completions/completions', 'ChatCompletionCreateParamsBase'],
    ['Parameters of a response', 'responses/responses', 'ResponseCreateParamsBase'],
  ] as const) {
    it(`says under "${title}" what becomes of each that the public reference has`, async () => {
      const all = await publicOnes(file, name);

      expect(all).to.include.members(['model', 'stream', 'temperature', 'tools']);
      expect(rowsOf(title).map((row) => row.name)).to.include.members(all);
    });
  }

  const rows = rowsOf('Parameters of a chat');
  const values: Readonly<Record<string, unknown>> = {
    ...{ stream: false, stream_options: { include_usage: true }, temperature: 0.5, top_p: 0.5 },
    ...{ max_tokens: 40, max_completion_tokens: 40, stop: 'END', seed: 7 },
    ...{ response_format: { type: 'json_object' }, frequency_penalty: 1, presence_penalty: 1 },
    ...{ logit_bias: { 50256: -100 }, reasoning_effort: 'low', parallel_tool_calls: false, user: 'u-1' },
    ...{ n: 2, logprobs: true, top_logprobs: 3, modalities: ['audio'], audio: { voice: 'alloy' } },
  };
  const LOOK_UP = { name: 'look_up', parameters: { type: 'object', properties: {} } };
  const tools = {
    ...{ tools: [{ type: 'function', function: LOOK_UP }], tool_choice: 'required' },
    ...{ functions: [LOOK_UP], function_call: { name: 'look_up' } },
  };
  /** What has to stand beside it to mean anything. */
  const beside: Readonly<Record<string, object>> = {
    ...{ tool_choice: { tools: tools.tools }, function_call: { functions: tools.functions } },
    parallel_tool_calls: { tools: tools.tools },
  };
  /** Ours to say, so that a provider sees nothing of it, or sees it under another name. */
  const OURS = new Set([
    'model',
    'messages',
    'stream',
    'stream_options',
    'user',
    'functions',
    'function_call',
  ]);

  for (const { name, fate } of rows) {
    it(`says truly what becomes of ${name}: ${fate}`, async () => {
      const { id, script } = await assistantOn([say('{"so": "it is"}')]);
      const value = values[name] ?? (tools as Record<string, unknown>)[name] ?? 'some value';
      const given = name === 'model' || name === 'messages' ? {} : { [name]: value };
      const messages = [{ role: 'user', content: 'Hello?' }];

      const { status, json, headers } = await world.service.chat(id, {
        ...{ messages, ...beside[name], ...given },
      });

      const ignored = (headers.get('x-ignored-parameters') ?? '').split(', ').filter((each) => each !== '');
      const [asked] = await world.model.ledger(script);
      if (fate === 'refused') {
        expect([status, json.error?.code, json.error?.param]).to.deep.equal([
          ...[400, 'unsupported_parameter', name],
        ]);
        expect(asked).to.equal(undefined);
      } else {
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(ignored).to.deep.equal(fate === 'ignored' ? [name] : []);
        expect(json.x_bellwether.ignored ?? []).to.deep.equal(ignored);
        const told = asked?.body as unknown as Record<string, unknown>;
        if (fate === 'ignored' || name === 'user') expect(told).to.not.have.property(name);
        else if (!OURS.has(name)) expect(told).to.have.property(name);
      }
    });
  }

  const responseValues: Readonly<Record<string, unknown>> = {
    ...{ input: 'Hello?', stream: false, max_output_tokens: 40, store: false, metadata: { a: 'b' } },
    ...{ text: { format: { type: 'json_object' } }, reasoning: { effort: 'low' }, truncation: 'auto' },
    ...{ tools: [{ type: 'function', ...LOOK_UP }], include: ['bellwether:steps'], background: true },
  };
  const besideInResponse: Readonly<Record<string, object>> = {
    ...{ tool_choice: { tools: responseValues['tools'] } },
    parallel_tool_calls: { tools: responseValues['tools'] },
  };

  for (const { name, fate } of rowsOf('Parameters of a response')) {
    it(`says truly what becomes of ${name} in a response: ${fate}`, async () => {
      const { id, script } = await assistantOn([say('{"so": "it is"}'), say('{"so": "it is"}')]);
      const model = `lamb_assistant.${String(id)}`;
      const respond = (given: object) =>
        world.service.request<{ id: string; error: { code: string; param: string } | null }>(
          '/v1/responses',
          {
            body: { model, input: 'Hello?', ...given },
          },
        );
      const earlier = name === 'previous_response_id' ? (await respond({})).json.id : undefined;
      const value =
        earlier ?? responseValues[name] ?? values[name] ?? (tools as Record<string, unknown>)[name];

      const { status, json, headers } = await respond({
        ...besideInResponse[name],
        ...(name === 'model' ? {} : { [name]: value ?? 'some value' }),
      });

      if (fate === 'refused') {
        expect([status, json.error?.code, json.error?.param]).to.deep.equal([
          ...[400, 'unsupported_parameter', name],
        ]);
        expect(await world.model.ledger(script)).to.deep.equal([]);
      } else {
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(headers.get('x-ignored-parameters')).to.equal(fate === 'ignored' ? name : null);
      }
    });
  }
});
