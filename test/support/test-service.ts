import { atTheEnd } from './at-the-end.js';
import {
  type FakeModel,
  type FakeWeather,
  startFakeModel,
  startFakeWeather,
  uniqueName,
} from './fakes/fakes.js';
import type { Step } from './fakes/model-script.js';
import { createOutboundWorld, endOutboundWorld, type OutboundWorld } from './outbound-service.js';
import {
  type AssistantRecord,
  type Service,
  type ServiceProcess,
  startService,
  startServiceProcess,
} from './service.js';

/** What opens the metrics of every service that is made here. */
export const METRICS_TOKEN = 'a-token-for-metrics-0123456789';

/** One service with its model and weather servers, shared by all suites that need nothing special. */
export interface TestService<Kind extends Service = Service> {
  readonly service: Kind;
  readonly model: FakeModel;
  readonly weather: FakeWeather;
  /** An assistant on a model of its own that follows this script. */
  assistant(steps: readonly Step[], content?: AssistantParts): Promise<ScriptedAssistant>;
}

export interface AssistantParts {
  readonly tools?: readonly object[];
  readonly metadata?: object;
  readonly repeat?: boolean;
  readonly [field: string]: unknown;
}

export interface ScriptedAssistant extends AssistantRecord {
  readonly model: string;
}

let world: Promise<TestService> | undefined;

/** Started with the first suite that asks, stopped after the last one. */
export function sharedService(): Promise<TestService> {
  if (!world) {
    const made = createTestService();
    atTheEnd(async () => endWorld(await made));
    world = made;
  }
  return world;
}

let quiet: Promise<TestService> | undefined;

/** Another one, in which nobody shares anything with everyone: for lists that hold just what a test put there. */
export function sharedQuietService(): Promise<TestService> {
  if (!quiet) {
    const made = createTestService();
    atTheEnd(async () => endWorld(await made));
    quiet = made;
  }
  return quiet;
}

let demo: Promise<Service> | undefined;

/** With the demo data, which takes reading documents to put there; nobody sets up a model in it. */
export function sharedDemoService(): Promise<Service> {
  if (!demo) {
    const started = startService({ DEMO_DATA: 'true' });
    atTheEnd(async () => (await started).stop());
    demo = started;
  }
  return demo;
}

let outbound: Promise<OutboundWorld> | undefined;

/** A second one, for what calls other servers; started and stopped like the first. */
export function theOutboundWorld(): Promise<OutboundWorld> {
  if (!outbound) {
    const made = createOutboundWorld(createTestService);
    atTheEnd(async () => {
      await endWorld(await made);
      await endOutboundWorld(await made);
    });
    outbound = made;
  }
  return outbound;
}

export const createTestService = (env: Env = {}): Promise<TestService> => worldWith(startService, env);

/** With its service as a process of its own. */
export const createTestServiceProcess = (env: Env = {}): Promise<TestService<ServiceProcess>> =>
  worldWith(startServiceProcess, env);

type Env = Readonly<Record<string, string>>;

async function worldWith<Kind extends Service>(
  start: (env: Env) => Promise<Kind>,
  env: Env,
): Promise<TestService<Kind>> {
  const [model, weather] = await Promise.all([startFakeModel(), startFakeWeather()]);
  const service = await start({
    OPENAI_API_KEY: 'sk-canary-0123456789abcdef',
    OPENAI_BASE_URL: `${model.url}/v1`,
    WEATHER_URL: weather.url,
    GEOCODING_URL: weather.url,
    RATE_LIMIT: '0',
    METRICS_TOKEN,
    // Tests of faults make many in a row.
    CIRCUIT_FAILURES: '0',
    ...env,
  });
  return {
    service,
    model,
    weather,
    async assistant(steps, { tools = [], metadata = {}, repeat = false, ...content } = {}) {
      const name = uniqueName('model');
      await model.script(name, steps, { repeat });
      const made = await service.createAssistant({
        metadata: { _format_version: 2, connector: 'openai', llm: name, tools, ...metadata },
        ...content,
      });
      return { ...made, model: name };
    },
  };
}

export async function endWorld({ service, model, weather }: TestService): Promise<void> {
  await service.stop();
  await Promise.all([model.stop(), weather.stop()]);
}

export const weatherFunction = { type: 'weather', enabled: true, mode: 'function', config: {} };
