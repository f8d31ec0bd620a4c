import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, held, say, type Step } from '../../support/fakes/model-script.js';
import { startService } from '../../support/service.js';
import {
  type AssistantParts,
  createTestService,
  endWorld,
  METRICS_TOKEN,
  type TestService,
  weatherFunction,
} from '../../support/test-service.js';
import { aBudgetedClass } from '../support/budget-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf } from '../support/settings-client.js';
import { aPerson, speakingTo } from '../support/users-fixture.js';

/** The value of a series, by its name and labels as they are written; 0 where it is not there. */
function valueIn(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

const namesIn = (text: string) => new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));

describe('metrics', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await createTestService({ CIRCUIT_FAILURES: '1' });
  });
  after(() => endWorld(world));

  const scrape = async (key: string | null = METRICS_TOKEN) => world.service.request('/metrics', { key });
  const read = async () => (await scrape()).text;
  /** How much each series grew meanwhile. */
  async function growth(series: readonly string[], doing: () => Promise<unknown>): Promise<number[]> {
    const before = await read();
    await doing();
    const after = await read();
    return series.map((one) => valueIn(after, one) - valueIn(before, one));
  }
  const chat = async (steps: readonly Step[], content: AssistantParts = {}) => {
    const { id } = await world.assistant(steps, content);
    return world.service.chat(id, 'How is the weather in Paris?');
  };
  const until = async (isSo: (text: string) => boolean) => {
    while (!isSo(await read()));
  };

  it('are Prometheus text for whoever has METRICS_TOKEN, and for no key of ours', async () => {
    const answer = await scrape();

    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    for (const key of [null, world.service.adminKey, `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(1)]) {
      expect(refusalOf(await scrape(key), 401).message).to.match(/METRICS_TOKEN/);
    }
  });

  it('have all that the contract names, and Node’s own', async () => {
    const names = namesIn(await read());

    expect(names).to.include.keys(
      ...['runs_total', 'run_seconds', 'first_token_seconds', 'tool_calls_total', 'tool_seconds'].map(ours),
      ...['model_tokens_total', 'open_streams', 'queue_depth', 'circuit_open'].map(ours),
      ...['budget_refusals_total', 'database_wait_seconds'].map(ours),
      ...['process_cpu_seconds_total', 'process_start_time_seconds', 'nodejs_eventloop_lag_seconds'],
    );
  });

  it('count a run, its first words, its tools by type and its tokens by provider', async () => {
    const usage = {
      ...{ prompt_tokens: 100, completion_tokens: 20 },
      prompt_tokens_details: { cached_tokens: 64 },
    };
    const grown = await growth(
      [
        'bellwether_runs_total{status="completed"}',
        'bellwether_run_seconds_count',
        'bellwether_first_token_seconds_count',
        'bellwether_tool_calls_total{tool="weather",outcome="completed"}',
        'bellwether_tool_seconds_count{tool="weather"}',
        'bellwether_model_tokens_total{provider="openai",kind="prompt"}',
        'bellwether_model_tokens_total{provider="openai",kind="completion"}',
        'bellwether_model_tokens_total{provider="openai",kind="cached"}',
      ],
      () =>
        chat([call('get_weather', { city: 'Girona' }, { usage }), say('Mild.', { usage })], {
          tools: [weatherFunction],
        }),
    );

    expect(grown).to.deep.equal([1, 1, 1, 1, 1, 200, 40, 128]);
  });

  it('tell calls that went well, that failed and that the gate denied apart', async () => {
    const weather = (outcome: string) => `bellwether_tool_calls_total{tool="weather",outcome="${outcome}"}`;
    const grown = await growth(
      [
        weather('completed'),
        weather('failed'),
        'bellwether_tool_seconds_count{tool="weather"}',
        'bellwether_tool_calls_total{tool="unknown",outcome="denied"}',
        'bellwether_tool_seconds_count{tool="unknown"}',
      ],
      () =>
        chat(
          [
            call('get_weather', { city: 'Girona' }),
            call('get_weather', { city: '' }),
            call('not_offered', {}),
            say('Done.'),
          ],
          { tools: [weatherFunction] },
        ),
    );

    expect(grown).to.deep.equal([1, 1, 2, 1, 0]);
  });

  it('count a run that another asked for as its call, with the tokens of both', async () => {
    const child = await world.assistant([say('A child.')]);
    const tool = { type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } };
    const grown = await growth(
      [
        'bellwether_runs_total{status="completed"}',
        'bellwether_tool_calls_total{tool="assistant",outcome="completed"}',
        'bellwether_model_tokens_total{provider="openai",kind="completion"}',
      ],
      () =>
        chat([call(`call_assistant_${String(child.id)}`, { query: 'Who?' }), say('It was a child.')], {
          tools: [tool],
        }),
    );

    expect(grown).to.deep.equal([1, 1, 15]);
  });

  it('tell failed, aborted and capped runs apart', async () => {
    const { service, model } = world;
    const statuses = ['completed', 'failed', 'aborted', 'capped'];
    const grown = await growth(
      statuses.map((status) => `bellwether_runs_total{status="${status}"}`),
      async () => {
        await chat([fail(400)]);
        const rounds = Array.from({ length: 5 }, (_, i) =>
          call('get_weather', { city: 'Girona' }, { id: `c${String(i)}` }),
        );
        await chat([...rounds, say('Enough.')], { tools: [weatherFunction] });
        const gate = uniqueName('gate');
        const slow = await world.assistant([say('One two', { chunks: 2, pause: { after: 1, until: gate } })]);
        const { frames } = await service.stream(slow.id, 'Hello?');
        for await (const _frame of frames) {
          expect(valueIn(await read(), 'bellwether_open_streams')).to.equal(1);
          break;
        }
        await model.waitFor(slow.model, { closed: 1 });
        await until((text) => valueIn(text, 'bellwether_runs_total{status="aborted"}') > 0);
        expect(valueIn(await read(), 'bellwether_open_streams')).to.equal(0);
      },
    );

    expect(grown).to.deep.equal([0, 1, 1, 1]);
  });

  it('tell who waits for their turn, and a provider that is left alone', async () => {
    const { service, model } = world;
    const config = { ...speakingTo(model), limits: { concurrent_runs: 1 } };
    const teacher = await aPerson(service, { config });
    const [llm, gate] = [uniqueName('busy'), uniqueName('gate')];
    await model.script(llm, [held(gate, say('Done.')), say('Next.'), fail(401)], { repeat: true });
    const { id } = await assistantOf(service, teacher, { connector: 'openai', llm });
    const ask = () => service.chat(id, 'Hello?', { key: teacher.key });
    const first = ask();
    await model.waitFor(llm, { requests: 1 });
    const second = ask();

    await until((text) => valueIn(text, 'bellwether_queue_depth{queue="runs"}') === 1);
    await model.release(gate);
    await Promise.all([first, second]);
    expect(valueIn(await read(), 'bellwether_queue_depth{queue="runs"}')).to.equal(0);
    expect(valueIn(await read(), 'bellwether_circuit_open{provider="openai"}')).to.equal(0);

    const away = uniqueName('away');
    await model.script(away, [fail(503, { headers: { 'retry-after': '0' } })], { repeat: true });
    const broken = await assistantOf(service, teacher, { connector: 'openai', llm: away });
    await service.chat(broken.id, 'Hello?', { key: teacher.key });
    expect(valueIn(await read(), 'bellwether_circuit_open{provider="openai"}')).to.equal(1);
  });

  it('count questions that a budget refused, by whose it is', async () => {
    const { pupil, limit, ask } = await aBudgetedClass(world, [say('Hello.')]);
    await limit({ type: 'user', id: pupil.email }, { amount: 200 });

    const grown = await growth(['bellwether_budget_refusals_total{scope="user"}'], async () => {
      expect((await ask()).status).to.equal(429);
    });

    expect(grown).to.deep.equal([1]);
  });

  it('name no person, no assistant and no organisation', async () => {
    const person = await aPerson(world.service, { config: speakingTo(world.model) });
    const llm = uniqueName('named');
    await world.model.script(llm, [call(uniqueName('function'), {}), say('Hello.')]);
    const made = await assistantOf(world.service, person, { connector: 'openai', llm });
    await world.service.chat(made.id, 'Hello?', { key: person.key });

    const text = await read();

    for (const name of [person.email, made.name, llm, 'function-']) expect(text).not.to.include(name);
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    expect([...labels].sort()).to.deep.equal(
      ['kind', 'le', 'major', 'minor', 'outcome', 'patch', 'provider', 'queue', 'scope', 'space', 'status']
        .concat(['tool', 'type', 'version'])
        .sort(),
    );
  });

  it('are all on the dashboard, which asks for none that is not there', async () => {
    const known = namesIn(await read());
    const file = new URL('../../../docs/grafana-dashboard.json', import.meta.url);
    const { panels } = JSON.parse(await readFile(file, 'utf8')) as Dashboard;
    const asked = new Set(
      panels
        .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
        .flatMap((expr) => expr.match(/\b(?:bellwether|process|nodejs)_\w+/g) ?? [])
        .map((name) => (known.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''))),
    );

    expect([...asked].filter((name) => !known.has(name))).to.deep.equal([]);
    const own = [...known].filter((name) => name.startsWith('bellwether_'));
    expect(own.filter((name) => !asked.has(name))).to.deep.equal([]);
  });
});

const ours = (name: string) => `bellwether_${name}`;

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

describe('metrics without METRICS_TOKEN', function () {
  this.timeout(30_000);

  it('are read from this machine, by its own name, and by nobody whose request was passed on', async () => {
    const service = await startService();
    try {
      const ask = async (headers: Readonly<Record<string, string>> = {}) =>
        (await service.request('/metrics', { key: null, headers })).status;

      expect(await ask()).to.equal(200);
      for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
        expect(await ask({ [name]: '127.0.0.1' }), name).to.equal(401);
      }
      expect(await ask({ origin: 'https://elsewhere.example' })).to.equal(403);
    } finally {
      await service.stop();
    }
  });

  it('are nobody’s behind a proxy, where everybody seems to come from this machine', async () => {
    const service = await startService({ TRUST_PROXY: '1' });
    try {
      const answer = await service.request('/metrics', { key: null });

      expect(refusalOf(answer, 401).message).to.match(/METRICS_TOKEN/);
    } finally {
      await service.stop();
    }
  });
});
