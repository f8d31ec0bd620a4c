import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Chunk } from '../../support/chat-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, calls, fail, say, type Step } from '../../support/fakes/model-script.js';
import { ADMIN_KEY, ADMIN_PASSWORD, type LogLine, type RequestOptions } from '../../support/service.js';
import {
  type AssistantParts,
  createTestService,
  endWorld,
  sharedService,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import { ask, spellings } from '../support/api-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, inDatabase, type Person, putTools, speakingTo } from '../support/users-fixture.js';

const functionOf = (assistantId: number, more: object = {}) => ({
  type: 'assistant',
  enabled: true,
  mode: 'function',
  config: { assistant_id: assistantId },
  ...more,
});

describe('the log', () => {
  let world: TestService;
  before(async () => {
    world = await createTestService({ LOG_LEVEL: 'debug' });
  });
  after(() => endWorld(world));

  /** Everything logged once the service is up; before that comes what a person reads on the terminal. */
  const logged = () => {
    const lines = world.service.output().split('\n');
    return lines.slice(
      lines.findIndex((line) => line.includes('"msg":"request"')),
      -1,
    );
  };

  it('holds JSON lines only, and no word of what was asked, found or answered, no person and no credential', async () => {
    const { service } = world;
    const canary = (what: string) => uniqueName(`canary-${what}`);
    const [prompt, system, template, answer, query, city] = [
      canary('prompt'),
      canary('system'),
      canary('template'),
      canary('answer'),
      canary('query'),
      canary('city'),
    ] as const;
    const email = `${canary('pupil')}@school.example`;
    const badKey = `bw_${canary('key')}-0123456789abcdef`;
    const child = await world.assistant([say(`${answer} of the child`)], { system_prompt: system });
    const askChild = call(`call_assistant_${String(child.id)}`, { query });
    const parent = await world.assistant(
      [
        calls([{ name: 'get_weather', arguments: { city } }]),
        askChild,
        call('no_such', { query }),
        say(answer),
      ],
      {
        system_prompt: system,
        prompt_template: `${template} {user_input}`,
        tools: [weatherFunction, functionOf(child.id)],
        metadata: { verbose: true },
      },
    );
    const failing = await world.assistant([fail(400, { body: { error: { message: answer } } })], {
      system_prompt: system,
    });
    const input = {
      messages: [{ role: 'user', content: `${prompt} from ${email}` }],
      conversation_id: 'new',
    };

    const answers = [
      await ask(service, 'streamed', parent.id, input),
      await ask(service, 'whole', failing.id, input),
      await ask(service, 'streamed', failing.id, input),
    ];
    const session = await service.request<{ token: string }>('/lamb/v1/auth/login', {
      body: { email: 'admin@example.test', password: ADMIN_PASSWORD },
    });
    const made = await service.request<{ key: string }>('/lamb/v1/api-keys', {
      body: { name: canary('name') },
    });
    await service.request('/lamb/v1/me', { key: session.json.token });
    await service.request('/lamb/v1/me', { key: made.json.key });
    await service.request('/lamb/v1/me', { key: badKey });
    await service.request('/lamb/v1/auth/login', { body: { email, password: canary('password') } });
    await service.request(`/lamb/v1/${canary('path')}?key=${canary('search')}`);
    await service.request('/v1/chat/completions', {
      body: { model: canary('model'), messages: [{ role: prompt }] },
    });
    await service.request('/v1/chat/completions', {
      body: `{"${canary('broken')}`,
      headers: { 'content-type': 'application/json' },
    });
    const trace = await service.request(`/lamb/v1/runs/${answers[0]!.runId}`);

    expect(answers[0]).to.include({ text: answer });
    for (const line of logged()) expect(() => JSON.parse(line) as unknown, line).not.to.throw();
    const text = logged().join('\n');
    expect(text).to.include('"msg":"run ended"');
    expect(text).not.to.include('canary');
    expect(text).not.to.match(/@(school\.example|example\.test)/);
    const secrets = [
      ADMIN_KEY,
      ADMIN_PASSWORD,
      session.json.token,
      made.json.key,
      badKey,
      'sk-canary-0123456789abcdef',
    ];
    for (const secret of secrets.flatMap(spellings)) expect(text).not.to.include(secret);
    expect(text).not.to.match(/bearer/i);
    for (const content of [prompt, system, template, answer, query, city, email])
      expect(trace.text).not.to.include(content);
  });
});

describe('X-Request-Id', () => {
  let world: TestService;
  before(async () => {
    world = await createTestService();
  });
  after(() => endWorld(world));

  it('is on every response, and never the same twice', async () => {
    const json = { 'content-type': 'application/json' };
    const asked: [string, RequestOptions, number][] = [
      ['/healthz', { key: null }, 200],
      ['/readyz', { key: null }, 200],
      ['/v1/models', {}, 200],
      ['/v1/models', { method: 'HEAD' }, 200],
      ['/v1/models', { key: null }, 401],
      ['/v1/models', { key: 'wrong' }, 401],
      ['/lamb/v1/nothing', {}, 404],
      ['/nothing', { key: null }, 404],
      ['/lamb/v1/runs/none', {}, 404],
      ['/lamb/v1/assistants/%E0%A4%A', {}, 400],
      ['/v1/chat/completions', { body: '{', headers: json }, 400],
      ['/v1/chat/completions', { body: 'a=b', headers: { 'content-type': 'text/plain' } }, 415],
      ['/v1/chat/completions', { body: `"${'x'.repeat(21_000_000)}"`, headers: json }, 413],
    ];

    const answers = await Promise.all(asked.map(([path, options]) => world.service.request(path, options)));

    expect(answers.map(({ status }) => status)).to.deep.equal(asked.map(([, , status]) => status));
    const ids = answers.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).to.match(/^req_\S{8,}$/);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('is ours, whatever the client calls its request', async () => {
    const answer = await world.service.request('/healthz', { headers: { 'x-request-id': 'theirs' } });

    expect(answer.headers.get('x-request-id')).to.match(/^req_/);
  });

  it('of a 502 is in the log beside its reason', async () => {
    const { id } = await world.assistant([fail(400)]);

    const answer = await world.service.chat(id, 'Hello?');

    refusalOf(answer, 502);
    const line = await failureLogged(answer.headers);
    expect(line).to.include({ level: 50, code: 'upstream_failed' });
  });

  it('of a stream that failed is in the log, and so is its run with the reason', async () => {
    const { id } = await world.assistant([fail(400)]);

    const { headers, runId } = await ask(world.service, 'streamed', id);

    const requestId = headers.get('x-request-id');
    await world.service.waitForLog(
      (line) => line['requestId'] === requestId && line['route'] === '/v1/chat/completions',
    );
    const ended = await world.service.waitForLog(
      (line) => line['runId'] === runId && line['msg'] === 'run ended',
    );
    expect(ended).to.include({ status: 'failed', errorCode: 'upstream_failed' });
  });

  it('of a 500 is in the log with the place it broke; the body tells nothing', async () => {
    await inDatabase(world.service, (_stores, db) => db.schema.renameTable('runs', 'runs_elsewhere'));

    const answer = await world.service.request('/lamb/v1/runs');

    await inDatabase(world.service, (_stores, db) => db.schema.renameTable('runs_elsewhere', 'runs'));
    expect(refusalOf(answer, 500)).to.include({ type: 'api_error', code: 'internal_error' });
    expect(answer.text).not.to.match(/runs|select|table/i);
    const line = await failureLogged(answer.headers);
    expect(line).to.include({ level: 50, code: 'internal_error' });
    expect(line['fault']).to.match(/ at |SQLITE_/);
    expect(JSON.stringify(line)).not.to.match(/select|no such table/i);
  });

  const failureLogged = (headers: Headers): Promise<LogLine> => {
    const requestId = headers.get('x-request-id');
    return world.service.waitForLog(
      (line) => line['requestId'] === requestId && line['msg'] === 'request failed',
    );
  };
});

describe('a name that would forge a frame', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const FORGED =
    'x\n\ndata: [DONE]\n\nevent: evil\r\rdata: {"error":{"message":"forged"}}\u2028\u0085<img src=x onerror=alert(1)>';
  const WITH_ESCAPES = '"quoted\\ \ud800a@b.example';

  const weatherCalled = (name: string): AssistantParts => ({ tools: [{ ...weatherFunction, name }] });
  const weather = (options: { id?: string } = {}) => [
    call('get_weather', { city: 'Girona' }, options),
    say('Mild.'),
  ];

  const cases: [string, () => Promise<number>][] = [
    [
      "an assistant's name",
      async () => {
        const child = await world.assistant([say('I am the child.')], { name: FORGED + uniqueName('') });
        const steps = [call(`call_assistant_${String(child.id)}`, { query: 'x' }), say('It answered.')];
        return (
          await world.assistant(steps, { tools: [functionOf(child.id)], name: FORGED + uniqueName('') })
        ).id;
      },
    ],
    ["a tool entry's name", async () => (await world.assistant(weather(), weatherCalled(FORGED))).id],
    [
      "a tool entry's name with half a character before an address",
      async () => (await world.assistant(weather(), weatherCalled(WITH_ESCAPES))).id,
    ],
    [
      "a very long name of a tool's entry",
      async () => (await world.assistant(weather(), weatherCalled('😀'.repeat(5_000)))).id,
    ],
    [
      'the name of a file',
      async () => (await readingFile('data: [DONE] <img src=x onerror=alert(1)> a@b.example.md', true)).id,
    ],
    ['the name of a file that cannot be', async () => (await readingFile(FORGED, false)).id],
    [
      "the model's id for a call",
      async () => (await world.assistant(weather({ id: FORGED }), weatherCalled('w'))).id,
    ],
    [
      "the model's id for a call, with an address after a line break",
      async () => (await world.assistant(weather({ id: 'c\na@b.example' }), weatherCalled('w'))).id,
    ],
    [
      "the model's name for a function",
      async () => (await world.assistant([call(FORGED, {}), say('Mild.')], weatherCalled('w'))).id,
    ],
    [
      "a place's name from outside",
      async () =>
        (
          await world.assistant(
            [call('get_weather', { city: 'Trickytown' }), say('Mild.')],
            weatherCalled('w'),
          )
        ).id,
    ],
    ["the model's own words", async () => (await world.assistant([say(FORGED)])).id],
  ];

  async function readingFile(path: string, exists: boolean) {
    if (exists) {
      const me = await world.service.request<{ id: number }>('/lamb/v1/me');
      const folder = join(world.service.dataDir, 'files', String(me.json.id));
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, path), 'Notes.');
    }
    const tool = { type: 'single_file_rag', enabled: true, mode: 'function', config: { file_path: path } };
    const steps: Step[] = [call('read_file', {}), say('Read.')];
    const assistant = await world.assistant(steps);
    await putTools(world.service, assistant.id, [tool]);
    return assistant;
  }

  for (const [what, make] of cases) {
    for (const mode of ['events', 'reasoning', 'off']) {
      it(`as ${what} leaves every frame one chunk of one line (X-Status: ${mode})`, async () => {
        const assistantId = await make();

        const { response } = await world.service.stream(assistantId, 'Hello?', {
          headers: { 'x-status': mode },
        });
        const body = await response.text();

        // Read by hand, more strictly than a parser would.
        const frames = body.split('\n\n');
        expect(frames.pop()).to.equal('');
        expect(frames.pop()).to.equal('data: [DONE]');
        const chunks = frames.map((frame) => {
          expect(frame).to.match(/^data: \{[^\n\r]*\}$/);
          return chunkIn(frame);
        });
        for (const { object, choices, x_bellwether, event, error } of chunks) {
          expect({ object, error, choices: choices?.length }).to.deep.equal({
            object: 'chat.completion.chunk',
            error: undefined,
            choices: 1,
          });
          for (const label of [x_bellwether?.label ?? '', String(event?.data['description'] ?? '')]) {
            // eslint-disable-next-line no-control-regex -- control characters are what is looked for
            expect(label).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
            expect(label.length).to.be.lessThan(300);
            expect(Buffer.from(label).toString(), 'cut inside a character').to.equal(label);
          }
        }
      });
    }
  }

  function chunkIn(frame: string): Chunk {
    try {
      return JSON.parse(frame.slice('data: '.length)) as Chunk;
    } catch {
      throw new Error(`A frame that is not JSON: ${frame}`);
    }
  }
});

describe('twenty people at once', () => {
  it('never get a word that is not theirs', async function () {
    this.timeout(60_000);
    const { service, model } = await sharedService();
    const gate = uniqueName('gate');
    const people = await inTurn(20, async () => {
      const person = await aPerson(service, { config: speakingTo(model) });
      const canary = uniqueName('canary');
      const llm = uniqueName('model');
      const usage = { prompt_tokens: 10 + person.id, completion_tokens: 5 };
      const answer = say(`${canary} said so, word by word`, {
        chunks: 6,
        pause: { after: 3, until: gate },
        usage,
      });
      await model.script(llm, [call('get_weather', { city: 'Boston' }, { usage }), answer]);
      const metadata = { _format_version: 2, connector: 'openai', llm, tools: [weatherFunction] };
      const { id } = await service.createAssistant(
        { system_prompt: `You serve ${canary}.`, metadata },
        { key: person.key },
      );
      return { person, canary, llm, id, usage };
    });

    const streams = await Promise.all(
      people.map(({ id, canary, person: { key } }) =>
        service.stream(
          id,
          { messages: [{ role: 'user', content: `I am ${canary}` }], conversation_id: 'new' },
          { key },
        ),
      ),
    );
    const reading = Promise.all(streams.map((stream) => stream.whole()));
    await Promise.all(people.map(({ llm }) => model.waitFor(llm, { requests: 2 })));
    await model.release(gate);
    const wholes = await reading;

    for (const [i, { person, canary, llm, usage }] of people.entries()) {
      const others = people.filter((other) => other.canary !== canary).map((other) => other.canary);
      const { response } = streams[i]!;
      const conversation = response.headers.get('x-conversation-id') ?? '';
      const runId = response.headers.get('x-run-id') ?? '';
      expect(wholes[i]).to.deep.include({ text: `${canary} said so, word by word`, done: true });
      const texts = [
        streams[i]!.raw(),
        JSON.stringify((await model.ledger(llm)).map(({ body }) => body)),
        await seenBy(person, `/lamb/v1/conversations/${conversation}`),
        await seenBy(person, '/lamb/v1/conversations'),
        await seenBy(person, '/lamb/v1/assistants'),
      ];
      for (const other of others) expect(texts.join('\n')).not.to.include(other);
      const run = await service.request<{ usage: object }>(`/lamb/v1/runs/${runId}`, { key: person.key });
      expect(run.json.usage).to.deep.equal({ prompt_tokens: 2 * usage.prompt_tokens, completion_tokens: 10 });
      const neighbour = people[(i + 1) % people.length]!.person;
      for (const path of [`/lamb/v1/conversations/${conversation}`, `/lamb/v1/runs/${runId}`]) {
        expect((await service.request(path, { key: neighbour.key })).status).to.equal(404);
      }
    }

    async function seenBy({ key }: Person, path: string): Promise<string> {
      const { status, text } = await service.request(path, { key });
      expect(status).to.equal(200);
      return text;
    }
  });
});

async function inTurn<T>(times: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let i = 0; i < times; i++) made.push(await make());
  return made;
}
