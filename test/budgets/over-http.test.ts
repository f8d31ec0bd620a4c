import { expect } from 'chai';
import { seededRandom } from '../../bench/seeded-random.js';
import { until } from '../http/support/collection-client.js';
import { assistantOf, configure } from '../http/support/settings-client.js';
import { aColleagueOf, aPerson, inDatabase, type Person, publish } from '../http/support/users-fixture.js';
import { type ModelRequest, uniqueName } from '../support/fakes/fakes.js';
import type { LedgerRow } from '../support/fakes/ledger.js';
import { call, fail, hang, say, type Step, type Usage } from '../support/fakes/model-script.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

const KINDS = [
  'plain',
  'tools',
  'parent',
  'child',
  'failing',
  'odd',
  'left',
  'unheard',
  'late',
  'fallback',
] as const;
const LLM = Object.fromEntries(KINDS.map((kind) => [kind, uniqueName(kind)])) as Record<
  (typeof KINDS)[number],
  string
>;

const TEXT = 'token token token token token ';
const DELTAS = 5;
const READ_BEFORE_LEAVING = 3;

interface Tokens {
  readonly prompt: number;
  readonly completion: number;
  readonly estimated: boolean;
}

interface Figures {
  readonly id: string;
  readonly used: number;
  readonly reserved: number;
}

/** The rule for a call whose usage never came: eight tokens a message, one for three bytes, one for four characters said. */
function ownCount({ messages, tools = [] }: ModelRequest, said: string): Tokens {
  const texts = messages.map(({ content, tool_calls = [] }) => [
    typeof content === 'string' ? content : '',
    ...tool_calls.map(({ function: { name, arguments: text } }) => name + text),
  ]);
  const functions = tools.length === 0 ? '' : JSON.stringify(tools.map((tool) => tool.function));
  const bytes = Buffer.byteLength([...texts.flat(), functions].join(''));
  return {
    prompt: 8 * messages.length + Math.ceil(bytes / 3),
    completion: Math.ceil(said.length / 4),
    estimated: true,
  };
}

const isUsable = (usage: Usage | null | undefined): usage is Usage =>
  usage != null &&
  [usage.prompt_tokens, usage.completion_tokens].every((n) => Number.isSafeInteger(n) && n >= 0);

/** What one request came to, as the provider knows it. */
function countOf({ body, closedEarly, outcome }: LedgerRow<ModelRequest>, step: Step): Tokens | undefined {
  if (outcome === 'status') return undefined;
  const sentences = 'say' in step ? step.say : '';
  if (closedEarly) return ownCount(body, sentences.slice(0, (TEXT.length / DELTAS) * READ_BEFORE_LEAVING));
  const usage = 'usage' in step ? step.usage : undefined;
  if (isUsable(usage))
    return { prompt: usage.prompt_tokens, completion: usage.completion_tokens, estimated: false };
  return ownCount(body, sentences);
}

describe('budgets, through the front door', function () {
  this.timeout(60_000);
  let world: TestService;
  let teacher: Person;
  let administrator: Person;
  let pupils: readonly Person[];
  const scripts = new Map<string, readonly Step[]>();
  const random = seededRandom(18);
  const upTo = (most: number) => 1 + Math.floor(random() * most);

  before(async () => {
    world = await sharedService();
    teacher = await aPerson(world.service);
    administrator = await aColleagueOf(world.service, teacher, 'org_admin');
    pupils = await Promise.all(
      Array.from({ length: 8 }, () => aColleagueOf(world.service, teacher, 'student')),
    );
    await configure(world.service, teacher, {
      setups: {
        default: {
          providers: { openai: { base_url: `${world.model.url}/v1` } },
          fallback_model: { provider: 'openai', model: LLM.fallback },
          prices: Object.fromEntries(Object.values(LLM).map((name) => [name, { prompt: 2, completion: 10 }])),
        },
      },
    });
  });

  const usage = (): Usage => ({ prompt_tokens: upTo(900), completion_tokens: upTo(300) });
  const script = async (llm: string, step: () => Step, times = 300) => {
    const steps = Array.from({ length: times }, step);
    scripts.set(llm, steps);
    await world.model.script(llm, steps);
  };
  const anAssistant = async (llm: string, tools: readonly object[] = []) => {
    const { id } = await assistantOf(world.service, teacher, { connector: 'openai', llm, tools });
    await publish(world.service, id, 'organization', teacher);
    return id;
  };
  const limit = async (scope: object, unit = 'tokens', amount = 1_000_000_000) => {
    const { status, json } = await world.service.request<Figures>('/lamb/v1/budgets', {
      ...{ key: administrator.key, body: { scope, unit, amount, period: 'month' } },
    });
    expect(status, JSON.stringify(json)).to.equal(201);
    return async () => {
      const path = `/lamb/v1/budgets/${json.id}`;
      const { used, reserved } = (await world.service.request<Figures>(path, { key: administrator.key }))
        .json;
      return { used: unit === 'cost' ? Math.round(used * 1e9) : used, reserved };
    };
  };
  const body = (more: object = {}) => ({
    ...{ messages: [{ role: 'user', content: 'What is it like?' }], max_tokens: 500, ...more },
  });
  let turn = 0;
  const somebody = () => pupils[turn++ % pupils.length]!;

  /** A whole answer, streamed or not. */
  const ask = async (id: number) => {
    const { key } = somebody();
    if (turn % 2 === 0) {
      const { status, json } = await world.service.chat(id, body(), { key });
      expect(status, JSON.stringify(json)).to.equal(200);
      return;
    }
    const { error, done } = await (await world.service.stream(id, body(), { key })).whole();
    expect({ error, done }).to.deep.equal({ error: undefined, done: true });
  };

  /** Hangs up once so much has been read and this has happened, and waits until the run has ended. */
  const leave = async (id: number, read: string, happened: () => Promise<unknown>) => {
    const leaving = new AbortController();
    const { response, frames } = await world.service.stream(id, body(), {
      ...{ key: somebody().key, signal: leaving.signal },
    });
    let text = '';
    for await (const frame of frames) {
      if (frame !== '[DONE]') text += frame.choices?.[0]?.delta.content ?? '';
      if (text === read) break;
    }
    await happened();
    leaving.abort();
    const runId = response.headers.get('x-run-id');
    await world.service.waitForLog((line) => line['runId'] === runId && line['msg'] === 'run ended');
  };

  const times = (count: number, what: () => Promise<void>) => Array.from({ length: count }, what);

  it('after 200 runs at the same time with children, fallbacks, retries, odd usage and clients that leave, equal the provider’s count to the token', async () => {
    const never = uniqueName('never');
    await script(LLM.plain, () => say(TEXT, { usage: usage() }));
    await script(LLM.tools, () =>
      random() < 0.4
        ? call('get_weather', { location: 'Barcelona' }, { usage: usage() })
        : say(TEXT, { usage: usage() }),
    );
    await script(LLM.child, () => say(TEXT, { usage: random() < 0.2 ? null : usage() }));
    await script(LLM.failing, () =>
      random() < 0.8 ? fail(503, { headers: { 'retry-after': '0' } }) : say(TEXT, { usage: usage() }),
    );
    await script(LLM.fallback, () => say(TEXT, { usage: usage() }));
    const strange = [
      null,
      { prompt_tokens: 90_000, completion_tokens: 70_000 },
      { prompt_tokens: -5, completion_tokens: 1 },
      { prompt_tokens: 1.5, completion_tokens: 1 },
      { prompt_tokens: 1e300, completion_tokens: 1 },
    ];
    await script(LLM.odd, () => say(TEXT, { usage: strange[upTo(strange.length) - 1]! }));
    const paused = { chunks: DELTAS, pause: { after: READ_BEFORE_LEAVING, until: never } };
    await script(LLM.left, () => say(TEXT, { usage: usage(), ...paused }));
    await script(LLM.unheard, () => hang('before-headers'));
    const soon = uniqueName('soon');
    await script(LLM.late, () =>
      say(TEXT, { usage: usage(), chunks: DELTAS, pause: { after: DELTAS, until: soon } }),
    );

    const child = await anAssistant(LLM.child);
    const asksChild = { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child } };
    const parent = await anAssistant(LLM.parent, [asksChild]);
    await script(LLM.parent, () =>
      random() < 0.5
        ? call(`call_assistant_${String(child)}`, { query: 'Well?' }, { usage: usage() })
        : say(TEXT, { usage: usage() }),
    );
    const plain = await anAssistant(LLM.plain);
    const tools = await anAssistant(LLM.tools, [weatherFunction]);
    const failing = await anAssistant(LLM.failing);
    const odd = await anAssistant(LLM.odd);
    const left = await anAssistant(LLM.left);
    const unheard = await anAssistant(LLM.unheard);
    const late = await anAssistant(LLM.late);
    const organization = { type: 'organization', id: administrator.organizationId };
    const inTokens = await limit(organization);
    const inMoney = await limit(organization, 'cost', 1_000);
    const inQuestions = await limit(organization, 'requests');
    const ofChild = await limit({ type: 'assistant', id: child });
    const ofPupils = await Promise.all(pupils.map(({ id }) => limit({ type: 'user', id })));

    const whole = [
      ...[...times(50, () => ask(plain)), ...times(35, () => ask(tools)), ...times(25, () => ask(parent))],
      ...[...times(20, () => ask(failing)), ...times(20, () => ask(odd))],
    ];
    const lateOnes = times(10, () => ask(late));
    const leaving = [
      ...times(30, () =>
        leave(left, TEXT.slice(0, (TEXT.length / DELTAS) * READ_BEFORE_LEAVING), () => Promise.resolve()),
      ),
      ...times(10, () => leave(unheard, '', () => world.model.waitFor(LLM.unheard, { requests: 10 }))),
    ];
    await Promise.all([...whole, ...leaving]);
    await world.model.release(soon);
    await Promise.all(lateOnes);
    await world.model.waitFor(LLM.left, { closed: 30 });
    await world.model.waitFor(LLM.unheard, { closed: 10 });

    const counted = new Map<string, readonly Tokens[]>();
    for (const [llm, steps] of scripts) {
      const rows = await world.model.ledger(llm);
      counted.set(
        llm,
        rows.flatMap((row, n) => countOf(row, steps[n]!) ?? []),
      );
    }
    const sumOf = (all: readonly Tokens[]) => ({
      prompt: all.reduce((sum, { prompt }) => sum + prompt, 0),
      completion: all.reduce((sum, { completion }) => sum + completion, 0),
    });
    const all = [...counted.values()].flat();
    const { prompt, completion } = sumOf(all);
    const ofTheChild = sumOf(counted.get(LLM.child) ?? []);
    // What was set aside for several of them is given back a moment after the last.
    await until(inTokens, ({ reserved }) => reserved === 0);
    expect(await inTokens()).to.deep.equal({ used: prompt + completion, reserved: 0 });
    expect(await inMoney()).to.deep.equal({ used: 2_000 * prompt + 10_000 * completion, reserved: 0 });
    expect(await inQuestions()).to.deep.equal({ used: 190, reserved: 0 });
    expect(await ofChild()).to.deep.equal({ used: ofTheChild.prompt + ofTheChild.completion, reserved: 0 });

    const ledger = await inDatabase(world.service, (_stores, db) =>
      db('usage_ledger').where('organization_id', administrator.organizationId).select<LedgerEntry[]>('*'),
    );
    expect(ledger.filter(({ estimated }) => estimated)).to.have.length(
      all.filter(({ estimated }) => estimated).length,
    );
    const spentBy = (id: number) =>
      ledger.reduce(
        (sum, row) => sum + (row.user_id === id ? row.prompt_tokens + row.completion_tokens : 0),
        0,
      );
    expect(await Promise.all(ofPupils.map((read) => read()))).to.deep.equal(
      pupils.map(({ id }) => ({ used: spentBy(id), reserved: 0 })),
    );
    const report = await world.service.request<{ total: object }>('/lamb/v1/usage?group_by=model', {
      key: administrator.key,
    });
    expect(report.json.total).to.include({ prompt_tokens: prompt, completion_tokens: completion });
  });
});

interface LedgerEntry {
  readonly user_id: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly estimated: number;
}
