import { expect } from 'chai';
import type { ChatStream } from '../../support/chat-client.js';
import { type FakeProviders, startFakeProviders } from '../../support/fakes/fakes.js';
import {
  fail,
  flood,
  hang,
  partialText,
  raw,
  reset,
  say,
  type Step,
} from '../../support/fakes/model-script.js';
import type { ChatInput } from '../../support/service.js';
import { createTestService, endWorld, sharedService, type TestService } from '../../support/test-service.js';
import {
  allAtOnce,
  ask,
  expectAnswer,
  expectError,
  expectNothingOfTheProvider,
  spellings,
  UPSTREAM_WORDS,
} from '../support/api-client.js';
import { aCustomerOf, PROVIDERS, type ProviderCase, speakingThrough } from '../support/provider-cases.js';
import { refusalOf } from '../support/refusal.js';
import type { Person } from '../support/users-fixture.js';

const FAILED = { status: 502, code: 'upstream_failed' };
const CREDENTIALS = { status: 502, code: 'upstream_credentials' };
const INCOMPLETE = { status: 502, code: 'upstream_incomplete' };
const UNKNOWN_MODEL = { status: 502, code: 'upstream_unknown_model' };
const LIMITED = { status: 429, code: 'rate_limit_exceeded', type: 'rate_limit_error' };

/** Streamed and whole. */
const WAYS = 2;

/** Everybody asks the same questions of every provider at once; each test looks at one answer. */
const eachOf = <Case>(cases: readonly Case[]) =>
  PROVIDERS.flatMap((provider) => cases.map((each) => ({ provider, each })));

describe('a provider of any kind', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeProviders;
  let people: ReadonlyMap<ProviderCase, Person>;
  before(async () => {
    [world, fake] = await Promise.all([sharedService(), startFakeProviders()]);
    people = await customersOf(world, fake);
    // Each is asked once before all are asked at once: what speaks to it is loaded then, and nobody else waits for that.
    for (const provider of PROVIDERS) await askOf(provider, [badly(400, provider)], true);
  });
  after(() => fake.stop());

  const assistantOf = async (provider: ProviderCase, steps: readonly Step[], repeat = false) => {
    const person = people.get(provider)!;
    const made = await speakingThrough(world.service, { fake, provider, person }, steps, { repeat });
    return { ...made, key: person.key };
  };
  const askOf = async (provider: ProviderCase, steps: readonly Step[], repeat = false) => {
    const { id, model, key } = await assistantOf(provider, steps, repeat);
    const input = { messages: [{ role: 'user', content: 'Hello?' }], conversation_id: 'new' };
    const asThem = {
      chat: (assistant: number, said: ChatInput) => world.service.chat(assistant, said, { key }),
      stream: (assistant: number, said: ChatInput) => world.service.stream(assistant, said, { key }),
    };
    const outcomes = await Promise.all([ask(asThem, 'streamed', id, input), ask(asThem, 'whole', id, input)]);
    return { outcomes, model, key, rows: await fake.ledger(model) };
  };
  const badly = (status: number, { key }: ProviderCase, headers: Record<string, string> = {}) =>
    fail(status, { headers, body: { error: { message: `${UPSTREAM_WORDS} ${key}`, type: key } } });

  const statuses = eachOf([
    { status: 302, expected: FAILED, callsEach: 1 },
    { status: 400, expected: FAILED, callsEach: 1 },
    { status: 401, expected: CREDENTIALS, callsEach: 1 },
    { status: 403, expected: CREDENTIALS, callsEach: 1 },
    { status: 404, expected: UNKNOWN_MODEL, callsEach: 1 },
    { status: 429, expected: LIMITED, callsEach: 3 },
    { status: 500, expected: FAILED, callsEach: 3 },
    { status: 529, expected: FAILED, callsEach: 3 },
  ]);
  const refused = allAtOnce(statuses, ({ provider, each: { status } }) => {
    const elsewhere = status === 302 ? { Location: `${world.model.url}/v1/elsewhere` } : {};
    return askOf(provider, [badly(status, provider, elsewhere)], true);
  });
  for (const at of statuses) {
    const { status, callsEach, expected } = at.each;
    it(`${at.provider.name}: on ${String(status)} is asked ${String(callsEach)} time(s), by our loop alone`, async () => {
      const { outcomes, rows } = await refused(at);

      for (const outcome of outcomes) {
        expectError(outcome, expected);
        expectNothingOfTheProvider(outcome.seen, fake, at.provider.key);
      }
      expect(rows).to.have.length(WAYS * callsEach);
      // The key would go along with a redirect that is followed.
      expect((await world.model.ledger()).some(({ path }) => path.includes('elsewhere'))).to.equal(false);
    });
  }

  const passing = eachOf([
    { what: '500', step: fail(500) },
    { what: 'a reset before the headers', step: reset('before-headers') },
    { what: 'a reset after the headers', step: reset('after-headers') },
  ]);
  const recovered = allAtOnce(passing, ({ provider, each: { step } }) =>
    askOf(provider, [step, step, say('Here I am.'), say('Here I am.')]),
  );
  for (const at of passing) {
    it(`${at.provider.name}: ${at.each.what} before the first byte is tried again`, async () => {
      const { outcomes, rows } = await recovered(at);

      for (const outcome of outcomes) expectAnswer(outcome, 'Here I am.');
      expect(rows).to.have.length(4);
    });
  }

  const waits = allAtOnce(PROVIDERS, (provider) =>
    askOf(provider, [badly(429, provider, { 'Retry-After': '3600' })], true),
  );
  for (const provider of PROVIDERS) {
    it(`${provider.name}: a Retry-After of an hour is passed on at once`, async () => {
      const { outcomes, rows } = await waits(provider);

      for (const outcome of outcomes) expectError(outcome, LIMITED);
      expect(outcomes[1].headers.get('retry-after')).to.equal('3600');
      expect(rows).to.have.length(WAYS);
    });
  }

  const broken = allAtOnce(PROVIDERS, (provider) => askOf(provider, [reset(3)], true));
  for (const provider of PROVIDERS) {
    it(`${provider.name}: a connection that breaks in the answer is never asked again; the part that came is kept`, async () => {
      const { outcomes, rows, key } = await broken(provider);

      expect(rows).to.have.length(WAYS);
      expect(outcomes[0].text).to.equal(partialText(3));
      for (const { headers, ...outcome } of outcomes) {
        expectError({ headers, ...outcome }, FAILED);
        const path = `/lamb/v1/conversations/${headers.get('x-conversation-id') ?? ''}`;
        const kept = await world.service.request<{ messages: object[] }>(path, { key });
        expect(kept.json.messages[1]).to.include({ content: partialText(3), incomplete: true });
      }
    });
  }

  for (const { provider, each } of eachOf([
    { what: 'one endless line', step: flood('x'.repeat(65_536)) },
    { what: 'nonsense without end', step: flood('data: x\n\n'.repeat(1_000)) },
  ])) {
    it(`${provider.name}: ${each.what} is cut off`, async () => {
      const { outcomes, rows, model } = await askOf(provider, [each.step], true);

      for (const outcome of outcomes) expectError(outcome, INCOMPLETE);
      expect(rows).to.have.length(WAYS);
      await fake.waitFor(model, { closed: WAYS });
    });
  }

  const unusable = eachOf([
    {
      what: 'a page',
      step: fail(200, { body: '<html></html>', headers: { 'Content-Type': 'text/html' } }),
      expected: { status: 502, code: 'upstream_unusable' },
    },
    { what: 'half of an answer', step: raw([]), expected: INCOMPLETE },
    { what: 'nonsense', step: raw(['nonsense\n', 'data: nonsense\n\n', '{}\n']), expected: INCOMPLETE },
  ]);
  const odd = allAtOnce(unusable, ({ provider, each: { step } }) => askOf(provider, [step], true));
  for (const at of unusable) {
    it(`${at.provider.name}: ${at.each.what} instead of an answer is told so, and not asked again`, async () => {
      const { outcomes, rows } = await odd(at);

      for (const outcome of outcomes) expectError(outcome, at.each.expected);
      expect(rows).to.have.length(WAYS);
    });
  }

  for (const provider of PROVIDERS) {
    for (const moment of ['before-headers', 'after-headers', 2] as const) {
      it(`${provider.name}: is let go within a second of the client, hanging ${String(moment)}`, async () => {
        const { id, model, key } = await assistantOf(provider, [hang(moment)]);
        const hangUp = new AbortController();

        const stream = await world.service.stream(id, 'Hello?', { key, signal: hangUp.signal });
        await fake.waitFor(model, { requests: 1 });
        if (moment === 2) await firstText(stream);
        hangUp.abort();
        const leftAt = Date.now();

        const [row] = await fake.waitFor(model, { closed: 1 });
        expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
      });
    }
  }

  it('tells its key to nobody, however it fails', async () => {
    await Promise.all(statuses.map(refused));

    for (const { key } of PROVIDERS) {
      for (const spelling of spellings(key)) expect(world.service.output()).not.to.include(spelling);
    }
  });
});

describe('a provider of any kind that falls silent', function () {
  this.timeout(60_000);
  let world: TestService;
  let fake: FakeProviders;
  let people: ReadonlyMap<ProviderCase, Person>;
  before(async () => {
    [world, fake] = await Promise.all([
      createTestService({ MODEL_SILENCE_MS: '1000' }),
      startFakeProviders(),
    ]);
    people = await customersOf(world, fake);
  });
  after(() => Promise.all([endWorld(world), fake.stop()]));

  const moments = eachOf(['before-headers', 'after-headers', 3] as const);
  const silenced = allAtOnce(moments, async ({ provider, each }) => {
    const person = people.get(provider)!;
    const customer = { fake, provider, person };
    const { id, model } = await speakingThrough(world.service, customer, [hang(each)], { repeat: true });
    const answer = await world.service.chat(id, 'Hello?', { key: person.key });
    return { answer, rows: await fake.ledger(model), model };
  });
  for (const at of moments) {
    it(`${at.provider.name}: ${String(at.each)} is given up on, typed, and its socket closed`, async () => {
      const { answer, rows, model } = await silenced(at);

      expect(refusalOf(answer, 504)).to.include({ type: 'api_error', code: 'upstream_timeout' });
      expect(rows).to.have.length(at.each === 3 ? 1 : 3);
      await fake.waitFor(model, { closed: rows.length });
    });
  }
});

/** One after the other: each opens the service's database beside it. */
async function customersOf(
  { service }: TestService,
  fake: FakeProviders,
): Promise<ReadonlyMap<ProviderCase, Person>> {
  const people = new Map<ProviderCase, Person>();
  for (const provider of PROVIDERS) people.set(provider, await aCustomerOf(service, provider, fake));
  return people;
}

async function firstText({ frames }: ChatStream): Promise<void> {
  const reading = frames[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await reading.next();
    if (done === true || (value !== '[DONE]' && value.choices?.[0]?.delta.content)) return;
  }
}
