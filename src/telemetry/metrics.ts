import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { BUDGET_SCOPES } from '../core/budgets/budget.js';
import { type Plugins, providersOf } from '../core/plugins.js';
import type { RunStep } from '../core/runs/record.js';
import { type EndedRun, type Metrics, outcomeOf, type TellEnded } from '../core/runs/telemetry.js';

/** What one process has measured, as it goes from one to another. */
export type MetricsSnapshot = readonly object[];

/** What is looked at when somebody asks. */
export interface Watched {
  readonly openStreams: () => number;
  readonly waitingRuns: () => number;
  readonly openCircuits: () => ReadonlySet<string>;
}

export interface ServiceMetrics extends Metrics {
  /** Counts runs from now on, under these labels. */
  countRuns(labels: RunLabels): TellEnded;
  watch(watched: Watched, providers: Iterable<string>): void;
  snapshot(): Promise<MetricsSnapshot>;
}

/** Work that all processes of an installation share, by the name of its queue. */
export type QueueDepths = Readonly<Record<string, number>>;

const QUEUE_DEPTH = {
  name: 'bellwether_queue_depth',
  help: 'What waits or is being worked on, by queue. All but "runs" are of the whole installation.',
};

/** With a registry of its own: two services in one process share nothing. */
export function createMetrics(): ServiceMetrics {
  const register = new Registry();
  const registers = [register];
  const runs = createRunMetrics(registers);
  const refusals = new Counter({
    name: 'bellwether_budget_refusals_total',
    help: 'Questions refused because a budget is spent, by whose budget it is.',
    ...{ labelNames: ['scope'] as const, registers },
  });
  for (const scope of BUDGET_SCOPES) refusals.inc({ scope }, 0);
  const waits = new Histogram({
    name: 'bellwether_database_wait_seconds',
    help: 'How long a connection to the database was waited for.',
    ...{ buckets: [0.0005, 0.002, 0.01, 0.05, 0.2, 1, 5], registers },
  });
  let isNodeWatched = false;

  return {
    countRuns: (labels) => (run) => {
      countRun(run, runs, labels);
    },
    budgetRefused(scope) {
      refusals.inc({ scope });
    },
    databaseWaited(ms) {
      waits.observe(ms / 1000);
    },
    watch(watched, providers) {
      addGauges(watched, [...providers], registers);
    },
    async snapshot() {
      // Watching the event loop and the garbage collector is not free: it begins when somebody reads it.
      if (!isNodeWatched) collectDefaultMetrics({ register });
      isNodeWatched = true;
      return ((await register.getMetricsAsJSON()) as Told[]).map(readable);
    },
  };
}

type Told = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number] & {
  readonly values: readonly { readonly value: number }[];
};

const EVENT_LOOP = /^nodejs_eventloop_lag_/;
/** What Node tells where it has seen no turn of the event loop yet is more, or no number at all. */
const LONGEST_TURN_SECONDS = 1_000_000;

/** What prom-client measures of Node, as it makes sense for several processes and in the first moment. */
function readable(metric: Told): object {
  const { name, values } = metric;
  // When the first of them began; it would be left out where there are several.
  if (name === 'process_start_time_seconds') return { ...metric, aggregator: 'min' };
  if (!EVENT_LOOP.test(name)) return metric;
  return { ...metric, values: values.filter(({ value }) => value < LONGEST_TURN_SECONDS) };
}

/** The text that Prometheus reads, of all processes together. */
export async function exposition(
  snapshots: readonly MetricsSnapshot[],
  depths: QueueDepths,
): Promise<{ readonly contentType: string; readonly text: string }> {
  const values = Object.entries(depths).map(([queue, value]) => ({ labels: { queue }, value }));
  const queues = { ...QUEUE_DEPTH, type: 'gauge', aggregator: 'sum', values };
  const all = AggregatorRegistry.aggregate([...snapshots.map((one) => [...one]), [queues]]);
  return { contentType: all.contentType, text: await all.metrics() };
}

/** What runs are counted under. Only what is installed has a name of its own, so that the number of names is bounded. */
export interface RunLabels {
  /** The type of a tool. */
  tool(name: string): string;
  /** The provider whom a connector asks. */
  provider(connector: string): string;
}

const OTHER = 'other';

/** Each is a dozen time series. Who installs more tools than this of their own reads the sum of the rest. */
const MOST_TOOLS = 100;

export function runLabels({ tools, connectors }: Pick<Plugins, 'tools' | 'connectors'>): RunLabels {
  // "unknown" is what a model called though nobody had offered it.
  const known = new Set(['unknown', ...tools.keys()].slice(0, MOST_TOOLS));
  const providers = new Map<string, string>([
    // The step of a reranker names its provider itself.
    ...[...providersOf(connectors).keys()].map((name) => [name, name] as const),
    ...[...connectors.values()].map(({ name, provider }) => [name, provider?.name ?? name] as const),
  ]);
  return {
    tool: (name) => (known.has(name) ? name : OTHER),
    provider: (connector) => providers.get(connector) ?? OTHER,
  };
}

type RunMetrics = ReturnType<typeof createRunMetrics>;

function createRunMetrics(registers: Registry[]) {
  const runs = new Counter({
    name: 'bellwether_runs_total',
    help: 'Runs that ended, by how. Those that another run asked for are counted as its tool calls.',
    ...{ labelNames: ['status'] as const, registers },
  });
  for (const status of ['completed', 'failed', 'aborted', 'capped'] as const) runs.inc({ status }, 0);
  return {
    runs,
    seconds: new Histogram({
      name: 'bellwether_run_seconds',
      help: 'How long runs took, from being let in to their end.',
      ...{ buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300], registers },
    }),
    firstToken: new Histogram({
      name: 'bellwether_first_token_seconds',
      help: 'How long runs took to say their first words.',
      ...{ buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60], registers },
    }),
    toolCalls: new Counter({
      name: 'bellwether_tool_calls_total',
      help: 'Calls of tools, by the type of the tool and how they ended.',
      ...{ labelNames: ['tool', 'outcome'] as const, registers },
    }),
    toolSeconds: new Histogram({
      name: 'bellwether_tool_seconds',
      help: 'How long calls of tools took, by the type of the tool.',
      ...{ labelNames: ['tool'] as const, buckets: [0.05, 0.25, 1, 2.5, 5, 10, 30, 60], registers },
    }),
    tokens: new Counter({
      name: 'bellwether_model_tokens_total',
      help: 'Tokens of models, by provider. What was cached is part of the prompt.',
      ...{ labelNames: ['provider', 'kind'] as const, registers },
    }),
  };
}

function countRun({ record, firstTextMs, isHandedOver }: EndedRun, metrics: RunMetrics, labels: RunLabels) {
  if (record.parentRunId === undefined) {
    if (!isHandedOver) {
      metrics.runs.inc({ status: outcomeOf(record) });
      metrics.seconds.observe(record.ms / 1000);
    }
    if (firstTextMs !== undefined) metrics.firstToken.observe(firstTextMs / 1000);
  }
  for (const step of record.steps) {
    if (step.kind === 'model') countTokens(step, metrics, labels);
    else countCall(step, metrics, labels);
  }
}

function countCall({ tool = '', ok, denied, ms }: RunStep, metrics: RunMetrics, labels: RunLabels) {
  const label = labels.tool(tool);
  metrics.toolCalls.inc({ tool: label, outcome: ok ? 'completed' : denied ? 'denied' : 'failed' });
  if (!denied) metrics.toolSeconds.observe({ tool: label }, ms / 1000);
}

function countTokens({ connector = '', usage }: RunStep, { tokens }: RunMetrics, labels: RunLabels) {
  if (!usage) return;
  const provider = labels.provider(connector);
  tokens.inc({ provider, kind: 'prompt' }, usage.promptTokens);
  tokens.inc({ provider, kind: 'completion' }, usage.completionTokens);
  if (usage.cachedTokens) tokens.inc({ provider, kind: 'cached' }, usage.cachedTokens);
}

function addGauges(watched: Watched, providers: readonly string[], registers: Registry[]): void {
  new Gauge({
    name: 'bellwether_open_streams',
    help: 'Answers that are being streamed.',
    ...{ registers, aggregator: 'sum' },
    collect() {
      this.set(watched.openStreams());
    },
  });
  new Gauge({
    ...{ ...QUEUE_DEPTH, registers, aggregator: 'sum', labelNames: ['queue'] as const },
    collect() {
      this.set({ queue: 'runs' }, watched.waitingRuns());
    },
  });
  new Gauge({
    name: 'bellwether_circuit_open',
    help: '1 while a provider is left alone by any organisation because it failed again and again.',
    ...{ registers, aggregator: 'max', labelNames: ['provider'] as const },
    collect() {
      const open = watched.openCircuits();
      for (const provider of providers) this.set({ provider }, open.has(provider) ? 1 : 0);
    },
  });
}
