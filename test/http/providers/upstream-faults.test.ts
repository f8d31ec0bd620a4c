import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  call,
  fail,
  flood,
  hang,
  partialText,
  raw,
  reset,
  say,
  type Step,
} from '../../support/fakes/model-script.js';
import { startService } from '../../support/service.js';
import {
  createTestService,
  endWorld,
  sharedService,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';
import {
  allAtOnce,
  ask,
  askBothWays,
  askEachWay,
  expectAnswer,
  expectError,
  expectNothingOfTheProvider,
  percentEncoded,
  PROVIDER_KEY,
  type ScriptedOutcome,
  UPSTREAM_WORDS,
} from '../support/api-client.js';
import { expectAlive } from '../support/refusal.js';
import { aPerson, publish } from '../support/users-fixture.js';

interface RunView {
  readonly status: string;
  readonly error_code: string | null;
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly estimated?: boolean;
  };
  readonly steps: readonly {
    readonly kind: string;
    readonly ok: boolean;
    readonly output: { readonly chars: number };
  }[];
}

const FAILED = { status: 502, code: 'upstream_failed' };
const INCOMPLETE = { status: 502, code: 'upstream_incomplete' };
const UNUSABLE = { status: 502, code: 'upstream_unusable' };
const CREDENTIALS = { status: 502, code: 'upstream_credentials' };
const UNKNOWN_MODEL = { status: 502, code: 'upstream_unknown_model' };
const LIMITED = { status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' };

const badly = (status: number, headers: Record<string, string> = {}) =>
  fail(status, { headers, body: { error: { message: `${UPSTREAM_WORDS} ${PROVIDER_KEY}` } } });

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

const urlOf = (server: Server) => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

/** How long the model was left alone between two calls. */
const pauses = ({ calls }: ScriptedOutcome) => calls.slice(1).map(({ at }, i) => at - calls[i]!.at);

describe('a provider that fails', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  afterEach(() => expectAlive(world.service));

  const runOf = async (runId: string) =>
    (await world.service.request<RunView>(`/lamb/v1/runs/${runId}`)).json;

  describe('before the first byte', () => {
    const passing = [
      ['500', badly(500)],
      ['503', badly(503)],
      ['408', badly(408)],
      ['a reset before the headers', reset('before-headers')],
      ['a reset after the headers', reset('after-headers')],
    ] satisfies [string, Step][];
    const retried = allAtOnce(passing, ([, first]) => askBothWays(world, [first, say('Here I am.')]));
    for (const each of passing) {
      it(`${each[0]}, then success: one retry, and the reader sees one answer`, async () => {
        const outcomes = await retried(each);

        for (const outcome of outcomes) {
          expectAnswer(outcome, 'Here I am.');
          expect(outcome.calls).to.have.length(2);
          const roles = outcome.frames.filter(
            (frame) => frame !== '[DONE]' && frame.choices?.[0]?.delta.role,
          );
          expect(roles).to.have.length(outcome.way === 'streamed' ? 1 : 0);
        }
      });
    }

    it('three times 503: three calls, then 502', async () => {
      const outcomes = await askBothWays(world, [badly(503), badly(503), badly(503), say('too late')]);

      for (const outcome of outcomes) {
        expectError(outcome, FAILED);
        expect(outcome.calls).to.have.length(3);
        expectNothingOfTheProvider(outcome.seen, world.model);
      }
    });

    for (const [status, expected] of [
      [400, FAILED],
      [401, CREDENTIALS],
      [403, CREDENTIALS],
      [404, UNKNOWN_MODEL],
      [422, FAILED],
    ] as const) {
      it(`${String(status)} is not tried again`, async () => {
        const outcomes = await askBothWays(world, [badly(status), say('never')]);

        for (const outcome of outcomes) {
          expectError(outcome, expected);
          expect(outcome.calls).to.have.length(1);
          expectNothingOfTheProvider(outcome.seen, world.model);
        }
      });
    }
  });

  describe('with 429', () => {
    it('and Retry-After in seconds is waited for', async () => {
      const outcomes = await askBothWays(world, [
        badly(429, { 'Retry-After': '1' }),
        say('Thanks for waiting.'),
      ]);

      for (const outcome of outcomes) {
        expectAnswer(outcome, 'Thanks for waiting.');
        expect(pauses(outcome)).to.have.length(1);
        expect(pauses(outcome)[0]).to.be.within(990, 30_000);
      }
    });

    it('for want of credit is told as that, with what to do, and not tried again', async () => {
      const spent = fail(429, {
        headers: {},
        body: { error: { message: UPSTREAM_WORDS, type: 'insufficient_quota', code: 'insufficient_quota' } },
      });
      const outcomes = await askBothWays(world, [spent, say('never')]);
      const teacher = await aPerson(world.service);
      const { id } = await world.assistant([spent, say('never')]);
      await publish(world.service, id, 'everyone', teacher);
      const asked = await world.service.chat(id, 'Hello?', { key: teacher.key });

      for (const outcome of outcomes) {
        expectError(outcome, { status: 502, code: 'insufficient_quota' });
        expect(outcome.error?.message).to.match(/no credit left/);
        expect(outcome.calls).to.have.length(1);
        expectNothingOfTheProvider(outcome.seen, world.model);
      }
      const { error } = asked.json as unknown as { error: { code: string; message: string } };
      expect(error.code).to.equal('insufficient_quota');
      expect(error.message)
        .to.match(/cannot answer at the moment\. Tell whoever runs it/)
        .and.not.match(/credit/);
    });

    it('and Retry-After as a date is waited for', async () => {
      const soon = new Date(Date.now() + 2_000).toUTCString();

      const outcomes = await askBothWays(world, [badly(429, { 'Retry-After': soon }), say('Thanks.')]);

      for (const outcome of outcomes) {
        expectAnswer(outcome, 'Thanks.');
        expect(outcome.calls[1]?.at).to.be.at.least(Date.parse(soon));
      }
    });

    for (const [how, retryAfter] of [
      ['in seconds', () => '3600'],
      ['as a date', () => new Date(Date.now() + 3_600_000).toUTCString()],
    ] as const) {
      it(`and a Retry-After of an hour, ${how}, is passed on at once`, async () => {
        const startedAt = Date.now();

        const outcomes = await askBothWays(world, [
          badly(429, { 'Retry-After': retryAfter() }),
          say('never'),
        ]);

        for (const outcome of outcomes) {
          expectError(outcome, LIMITED);
          expect(outcome.calls).to.have.length(1);
          expectNothingOfTheProvider(outcome.seen, world.model);
          if (outcome.way === 'whole') {
            expect(Number(outcome.headers.get('retry-after'))).to.be.within(3_590, 3_601);
          }
        }
        expect(Date.now() - startedAt).to.be.lessThan(2_000);
      });
    }

    const nonsense = ['soon', '-5', '1.5', 'junk 2099', PROVIDER_KEY];
    const afterNonsense = allAtOnce(nonsense, (junk) =>
      askBothWays(world, [badly(429, { 'Retry-After': junk }), say('Here.')]),
    );
    for (const junk of nonsense) {
      it(`and the Retry-After "${junk.slice(0, 9)}", which is none, is tried again after a pause of our own`, async () => {
        const outcomes = await afterNonsense(junk);

        for (const outcome of outcomes) {
          expectAnswer(outcome, 'Here.');
          expect(pauses(outcome)).to.have.length(1);
          expect(pauses(outcome)[0]).to.be.within(250, 30_000);
        }
      });
    }

    it('three times is passed on as 429', async () => {
      const outcomes = await askBothWays(world, [badly(429), badly(429), badly(429), say('too late')]);

      for (const outcome of outcomes) {
        expectError(outcome, LIMITED);
        expect(outcome.calls).to.have.length(3);
      }
    });
  });

  describe('after the first byte', () => {
    it('by breaking the connection is never asked again; the partial answer is kept and marked', async () => {
      const input = { messages: [{ role: 'user', content: 'Hello?' }], conversation_id: 'new' };

      const outcomes = await askBothWays(world, [reset(3), say('never')], input);

      for (const outcome of outcomes) {
        expectError(outcome, FAILED);
        expect(outcome.calls).to.have.length(1);
        expect(outcome.text).to.equal(outcome.way === 'streamed' ? partialText(3) : '');
        const run = await runOf(outcome.runId);
        expect(run).to.include({ status: 'failed', error_code: 'upstream_failed' });
        expect(run.steps[0]).to.deep.include({ kind: 'model', ok: false });
        expect(run.steps[0]?.output.chars).to.equal(partialText(3).length);
        expect(run.usage.completion_tokens).to.be.greaterThan(0);
        const kept = await world.service.request<{ messages: object[] }>(
          `/lamb/v1/conversations/${outcome.headers.get('x-conversation-id') ?? ''}`,
        );
        expect(kept.json.messages[0]).to.include({ role: 'user', content: 'Hello?', incomplete: false });
        expect(kept.json.messages[1]).to.include({
          role: 'assistant',
          content: partialText(3),
          incomplete: true,
        });
      }
    });

    it('in the second round runs no tool twice', async () => {
      const steps = [call('get_weather', { city: 'Girona' }), reset(3), say('never')];
      const { id, model } = await world.assistant(steps, { tools: [weatherFunction] });

      const outcome = await ask(world.service, 'streamed', id);

      expectError(outcome, FAILED);
      expect(
        outcome.frames.filter((frame) => frame !== '[DONE]' && frame.x_bellwether?.type === 'tool.started'),
      ).to.have.length(1);
      expect(await world.model.ledger(model)).to.have.length(2);
    });

    it('with an error object in the stream ends in one typed error, after what was said before it', async () => {
      const error = {
        error: { message: `${UPSTREAM_WORDS} ${PROVIDER_KEY}`, type: 'server_error', code: 'overloaded' },
      };
      const inOnePacket = chunk('So far') + `data: ${JSON.stringify(error)}\n\n` + chunk(' never', 'stop');
      const steps = [raw([inOnePacket]), say('never')];

      const outcomes = await askBothWays(world, steps);

      for (const outcome of outcomes) {
        expectError(outcome, INCOMPLETE);
        expect(outcome.calls).to.have.length(1);
        expect(outcome.text).to.equal(outcome.way === 'streamed' ? 'So far' : '');
        expectNothingOfTheProvider(outcome.seen, world.model);
      }
    });

    it('by ending without a finish_reason is incomplete, not an answer', async () => {
      const outcomes = await askBothWays(world, [raw([chunk('Half of')]), say('never')]);

      for (const outcome of outcomes) {
        expectError(outcome, INCOMPLETE);
        expect(outcome.calls).to.have.length(1);
        expect(await runOf(outcome.runId)).to.include({
          status: 'failed',
          error_code: 'upstream_incomplete',
        });
      }
    });

    it('by ending with no byte at all is incomplete', async () => {
      const outcomes = await askBothWays(world, [raw([])]);

      for (const outcome of outcomes) expectError(outcome, INCOMPLETE);
    });
  });

  describe('to speak the protocol', () => {
    for (const [what, step] of [
      [
        'a page',
        fail(200, {
          body: `<html>${UPSTREAM_WORDS} ${PROVIDER_KEY}</html>`,
          headers: { 'Content-Type': 'text/html' },
        }),
      ],
      [
        'JSON',
        fail(200, { body: { choices: [{ message: { content: UPSTREAM_WORDS } }], key: PROVIDER_KEY } }),
      ],
      ['an empty body', fail(200, { body: '', headers: { 'Content-Type': 'text/plain' } })],
    ] as const) {
      it(`with ${what} instead of a stream is told so, and not asked again`, async () => {
        const outcomes = await askBothWays(world, [step, say('never')]);

        for (const outcome of outcomes) {
          expectError(outcome, UNUSABLE);
          expect(outcome.calls).to.have.length(1);
          expectNothingOfTheProvider(outcome.seen, world.model);
        }
      });
    }

    it('without [DONE] after a finish_reason is no failure', async () => {
      const outcomes = await askBothWays(world, [raw([chunk('All of it.'), chunk('', 'stop')])]);

      for (const outcome of outcomes) expectAnswer(outcome, 'All of it.');
    });

    it('by breaking the connection after a finish_reason is no failure', async () => {
      const said = [chunk('All of it.', 'stop')];
      const ways = [said, [...said, 'data: [DONE]\n\n']];
      const asked = ways.map((frames) => askBothWays(world, [raw(frames, { then: 'broken' })]));

      for (const outcome of (await Promise.all(asked)).flat()) expectAnswer(outcome, 'All of it.');
    });

    it('with chunks of the wrong shape is skipped or typed, and harms nobody', async () => {
      const odd = [
        '"text"',
        '7',
        'null',
        '[]',
        '{}',
        '{"choices":null}',
        '{"choices":{}}',
        '{"choices":[null]}',
        '{"choices":[[]]}',
        '{"choices":[{"delta":null}]}',
        '{"choices":[{"delta":{"content":7}}]}',
        '{"choices":[{"delta":{"tool_calls":[]}}]}',
        '{"usage":"much"}',
        '{"usage":{"prompt_tokens":"1"}}',
      ];
      const frames = odd.map((data) => `data: ${data}\n\n`);

      const outcomes = await askBothWays(world, [raw([chunk('Still '), ...frames, chunk('here.', 'stop')])]);

      for (const outcome of outcomes) expectAnswer(outcome, 'Still here.');
    });

    for (const toolCalls of ['{}', '[null]', '[7]', '"x"', '[{"function":null}]']) {
      it(`with tool_calls of the shape ${toolCalls} ends typed`, async () => {
        const frame = `data: {"choices":[{"delta":{"tool_calls":${toolCalls}}}]}\n\n`;

        const outcomes = await askBothWays(world, [raw([frame, chunk('Fine.', 'stop')]), say('Fine.')]);

        for (const { status, error, way } of outcomes) {
          expect(status).to.be.oneOf(way === 'streamed' ? [200] : [200, 502]);
          expect(error?.type ?? 'none').to.be.oneOf(['none', 'api_error']);
          expect(error?.code).not.to.equal('internal_error');
        }
      });
    }
  });

  describe('to say what it cost', () => {
    it('has the cost estimated, and the run says so', async () => {
      const outcomes = await askBothWays(world, [
        say('Forty-two, as far as anybody knows.', { usage: null }),
      ]);

      for (const { runId } of outcomes) {
        const { status, usage } = await runOf(runId);
        expect(status).to.equal('completed');
        expect(usage.prompt_tokens).to.be.greaterThan(0);
        expect(usage.completion_tokens).to.be.within(5, 20);
        expect(usage).to.have.property('estimated', true);
      }
    });

    it('and one that does is believed, and not marked', async () => {
      const usage = { prompt_tokens: 123, completion_tokens: 45 };

      const outcomes = await askBothWays(world, [say('Forty-two.', { usage })]);

      for (const { runId } of outcomes) expect((await runOf(runId)).usage).to.deep.equal(usage);
    });
  });

  describe('to stop', () => {
    const filler = 'x'.repeat(4_000);
    for (const [what, step, expected] of [
      ['an endless answer', flood(chunk(filler).repeat(16)), INCOMPLETE],
      ['one endless line', flood('x'.repeat(65_536)), INCOMPLETE],
      ['one endless event', flood(`data: ${filler}\n`.repeat(16)), INCOMPLETE],
      ['endless comments', flood(`: ${filler}\n\n`.repeat(16)), INCOMPLETE],
      ['an endless page', { ...flood('<p>'.repeat(20_000)), contentType: 'text/html' }, UNUSABLE],
    ] satisfies [string, Step, object][]) {
      it(`saying ${what} is cut off`, async () => {
        const outcomes = await askBothWays(world, [step]);

        for (const outcome of outcomes) {
          expectError(outcome, expected);
          expect(outcome.calls).to.have.length(1);
          const [row] = await world.model.waitFor(outcome.model, { closed: 1 });
          expect(row?.closedEarly).to.equal(true);
        }
      });
    }
  });

  it('and echoes the key in any spelling tells nobody: not the reader, not the log', async () => {
    const encodings = [
      PROVIDER_KEY,
      btoa(PROVIDER_KEY),
      btoa(`Bearer ${PROVIDER_KEY}`),
      percentEncoded(PROVIDER_KEY),
    ];
    const body = {
      error: { message: `${UPSTREAM_WORDS}: ${encodings.join(' ')}`, code: PROVIDER_KEY, type: PROVIDER_KEY },
    };
    const headers = {
      'X-Echo': PROVIDER_KEY,
      'WWW-Authenticate': PROVIDER_KEY,
      'X-Request-Id': PROVIDER_KEY,
    };
    const inStream = raw([chunk('Well,'), `data: ${JSON.stringify(body)}\n\n`]);
    const statuses = [400, 401, 403, 404, 500].map((status) => fail(status, { body, headers }));
    const limited = fail(429, { body, headers: { ...headers, 'Retry-After': '3600' } });

    const asked = [...statuses, limited, inStream].map((step) => askBothWays(world, [step, step, step]));
    const outcomes = (await Promise.all(asked)).flat();

    for (const outcome of outcomes) {
      expect(outcome.error, outcome.seen).to.include.keys('message', 'type', 'code', 'param');
      expectNothingOfTheProvider(outcome.seen, world.model);
      const run = await world.service.request(`/lamb/v1/runs/${outcome.runId}`);
      expectNothingOfTheProvider(run.text, world.model);
    }
    expectNothingOfTheProvider(world.service.output(), world.model);
    for (const spelling of encodings)
      expect(world.service.output()).not.to.include(spelling.replace(/=+$/, ''));
  });
});

describe('an event stream from a provider', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const said = 'Café 😀 über 👩‍🏫.';
  const pretty = JSON.stringify({ choices: [{ index: 0, delta: { content: 'über ' } }] }, null, 2).replaceAll(
    '\n',
    '\ndata: ',
  );
  const frames = [
    `\uFEFF${chunk('Caf')}`,
    ': a comment\n\n',
    chunk('é '),
    ':\n\n',
    'event: message\nid: 7\nretry: 10\nunknown: field\nnocolon\n' + chunk('😀 '),
    'data: {"choices":[{"delta":{"content":"bad JSON\n\n',
    `data: ${pretty}\n\n`,
    chunk('👩‍🏫').replace('data: ', 'data:'),
    chunk('.', 'stop'),
    'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n',
    'data: [DONE]\n\n',
  ];

  for (const [name, lineEnd] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    it(`with ${name} says the same however its bytes are cut`, async () => {
      const written = frames.map((frame) => frame.replaceAll('\n', lineEnd));
      const cuts = [{}, ...[1, 2, 3, 4, 5, 6, 7].map((sliceBytes) => ({ sliceBytes }))];

      const outcomes = (await Promise.all(cuts.map((cut) => askBothWays(world, [raw(written, cut)])))).flat();

      for (const outcome of outcomes) {
        expectAnswer(outcome, said);
        expect(outcome.calls).to.have.length(1);
      }
      expect(outcomes).to.have.length(16);
    });
  }
});

describe('a provider that falls silent', () => {
  let world: TestService;
  before(async () => {
    world = await createTestService({ MODEL_SILENCE_MS: '300' });
  });
  after(() => endWorld(world));

  const moments = [
    { when: 'before the headers', moment: 'before-headers', mostCalls: 3 },
    { when: 'after the headers', moment: 'after-headers', mostCalls: 3 },
    { when: 'in the middle of its answer', moment: 3, mostCalls: 1 },
  ] as const;
  const silenced = allAtOnce(moments, async ({ moment }) => {
    const startedAt = Date.now();
    const outcomes = await askBothWays(world, [hang(moment)], 'Hello?', { repeat: true });
    return { outcomes, ms: Date.now() - startedAt };
  });
  for (const each of moments) {
    it(`${each.when} is given up on, typed, and its socket closed`, async () => {
      const { outcomes, ms } = await silenced(each);

      for (const { error, status, way, frames, calls, model, text } of outcomes) {
        expect(error).to.include({ type: 'api_error' }).and.have.all.keys('message', 'type', 'code', 'param');
        expect(error?.code).to.equal('upstream_timeout');
        expect(status).to.equal(way === 'streamed' ? 200 : 504);
        if (way === 'streamed') {
          expect(frames.at(-1)).to.have.all.keys('error');
          expect(text).to.equal(each.moment === 3 ? partialText(3) : '');
        }
        expect(calls.length).to.be.within(1, each.mostCalls);
        await world.model.waitFor(model, { closed: calls.length });
      }
      expect(ms).to.be.lessThan(10_000);
      await expectAlive(world.service);
    });
  }

  it('after its last word has answered, and is not waited for', async () => {
    const last = raw([chunk('All of it.', 'stop'), 'data: [DONE]\n\n'], { then: 'left open' });

    const outcomes = await askBothWays(world, [last]);

    for (const outcome of outcomes) {
      expectAnswer(outcome, 'All of it.');
      await world.model.waitFor(outcome.model, { closed: 1 });
    }
  });

  it('between two tokens for less than that time is waited for', async () => {
    const outcomes = await askBothWays(world, [say('abc', { chunks: 3, paceMs: 150 })]);

    for (const outcome of outcomes) expectAnswer(outcome, 'abc');
  });
});

describe('a provider that cannot be reached', () => {
  const closedPort = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  };

  let plain: Server;
  before(async () => {
    plain = createServer((_req, res) => res.end()).listen(0, '127.0.0.1');
    await once(plain, 'listening');
  });
  after(() => plain.close());

  const reasons = [
    { why: 'its port is closed', baseUrl: async () => `http://127.0.0.1:${String(await closedPort())}/v1` },
    { why: 'its name does not exist', baseUrl: () => Promise.resolve('http://provider.invalid/v1') },
    {
      why: 'it speaks no TLS',
      baseUrl: () => Promise.resolve(`${urlOf(plain).replace('http:', 'https:')}/v1`),
    },
  ];
  const unreached = allAtOnce(reasons, async ({ baseUrl }) => {
    const url = await baseUrl();
    const service = await startService({ OPENAI_API_KEY: PROVIDER_KEY, OPENAI_BASE_URL: url });
    const { id } = await service.createAssistant({ metadata: { connector: 'openai', llm: 'm' } });
    return { url, service, startedAt: Date.now(), outcomes: await askEachWay(service, id) };
  });
  for (const each of reasons) {
    it(`because ${each.why} is a typed 502, and the service lives`, async () => {
      const { url, service, startedAt, outcomes } = await unreached(each);

      for (const outcome of outcomes) {
        expectError(outcome, FAILED);
        expectNothingOfTheProvider(outcome.seen, { url });
        const run = await service.request<RunView>(`/lamb/v1/runs/${outcome.runId}`);
        expect(run.json).to.include({ status: 'failed', error_code: 'upstream_failed' });
      }
      expect(Date.now() - startedAt).to.be.lessThan(15_000);
      await expectAlive(service);
      expect(service.output()).not.to.include(PROVIDER_KEY);
      await service.stop();
    });
  }
});

describe("a tool's server that leads astray", () => {
  const places = {
    'an address of this machine': 'http://127.0.0.1:1/',
    'the metadata address of a cloud': 'http://169.254.169.254/latest/meta-data/',
    'an address that is none': 'http://',
    'itself, for ever': '/v1/search?name=itself,%20for%20ever',
    'a name that does not exist': 'http://nobody.invalid/',
  };
  let astray: Server;
  let world: TestService;
  before(async () => {
    astray = createServer((req, res) => {
      const city = new URL(req.url ?? '', 'http://astray').searchParams.get('name') ?? '';
      res.writeHead(302, { location: places[city as keyof typeof places] }).end();
    }).listen(0, '127.0.0.1');
    await once(astray, 'listening');
    world = await createTestService({
      WEATHER_URL: urlOf(astray),
      GEOCODING_URL: urlOf(astray),
      SHUTDOWN_GRACE_MS: '500',
    });
  });
  after(async () => {
    await endWorld(world);
    astray.close();
  });

  for (const city of Object.keys(places)) {
    it(`to ${city} is a failed tool, not a dead service`, async () => {
      const steps = [call('get_weather', { city }), say('No idea.')];
      const { id } = await world.assistant(steps, { tools: [weatherFunction] });

      const outcome = await ask(world.service, 'whole', id);

      expectAnswer(outcome, 'No idea.');
      expect(JSON.parse(outcome.seen.split('\n').at(-1) ?? '')).to.have.nested.property(
        'x_bellwether.tools[0].ok',
        false,
      );
      await expectAlive(world.service);
    });
  }
});
