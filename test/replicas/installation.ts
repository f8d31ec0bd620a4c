import knex, { type Knex } from 'knex';
import { type FakeModel, type FakeWeather, startFakeWeather, uniqueName } from '../support/fakes/fakes.js';
import type { Step } from '../support/fakes/model-script.js';
import { type LtiPlatform, startLtiPlatform } from '../support/lti-platform/platform.js';
import { type PostgresServer, startPostgres } from '../support/runner/postgres-server.js';
import {
  ADMIN_KEY,
  type AssistantRecord,
  clientAt,
  type ServiceClient,
  type ServiceProcess,
  startServiceProcess,
} from '../support/service.js';
import { S3_ENV, startFakeS3 } from '../support/s3-server.js';
import { startAskedModel } from './asked-model.js';
import { type Proxy, startProxy } from './proxy.js';
import { SCALE } from './scale.js';

const REPLICAS = 3;
/** All start at the same time, and others beside people who ask. */
const READY_MS = 60_000;

/** One service for those who use it: replicas behind a proxy, which share a PostgreSQL and an object store. */
export interface Installation extends ServiceClient {
  /** Those that run now, by their own addresses. */
  readonly replicas: readonly ServiceProcess[];
  readonly postgres: PostgresServer;
  readonly db: Knex;
  readonly model: FakeModel;
  readonly weather: FakeWeather;
  readonly platform: LtiPlatform;
  /** Has the proxy look who is ready, from now on. */
  watch(): void;
  /** Kills one, and starts another in its place, which knows nothing of it. */
  killAndReplace(replica: ServiceProcess): Promise<void>;
  /** Stops one in good order. */
  drainAndReplace(replica: ServiceProcess): Promise<void>;
  /** An assistant that answers as each question says, or by its script. */
  assistant(parts?: AssistantParts): Promise<AssistantRecord>;
  /** Another key of the administrator's: limits count by key. */
  newKey(): Promise<string>;
  stop(): Promise<void>;
}

export interface AssistantParts {
  readonly steps?: readonly Step[];
  readonly tools?: readonly object[];
  readonly metadata?: object;
}

export async function startInstallation(): Promise<Installation> {
  const [postgres, s3, model, weather, platform, proxy] = await Promise.all([
    startPostgres('lasting'),
    startFakeS3(),
    startAskedModel(),
    startFakeWeather(),
    startLtiPlatform(),
    startProxy(),
  ]);
  const env = {
    ...{ DATABASE_URL: postgres.url, PUBLIC_URL: proxy.url, TRUST_PROXY: '1' },
    ...{ ...S3_ENV, BLOBS_URL: s3.blobsUrl(), SECRET_KEY: 'the same at every replica' },
    ...{ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: `${model.url}/v1` },
    ...{ WEATHER_URL: weather.url, GEOCODING_URL: weather.url, RATE_LIMIT: String(SCALE.rateLimit) },
    // Far longer than the proxy takes to notice, also on a machine that has much else to do.
    ...{ DRAIN_DELAY_MS: '2000', SHUTDOWN_GRACE_MS: '200' },
    // Who waits for their turn is told soon that it does not come.
    QUEUE_WAIT_MS: '3000',
  };
  // Each in a folder of its own, which is gone when it ends.
  const replicas = createReplicas(proxy, () => startServiceProcess(env, { readyTimeoutMs: READY_MS }));
  // All of them find an empty database.
  await Promise.all(Array.from({ length: REPLICAS }, replicas.start));
  // That PostgreSQL has closed a connection is nothing to tell of here.
  const db = knex({ client: 'pg', connection: postgres.url, log: { warn: () => undefined } });
  const front = clientAt(proxy.url, ADMIN_KEY);
  return {
    ...front,
    ...{ replicas: replicas.running, postgres, db, model, weather, platform },
    watch: proxy.watch,
    killAndReplace: (replica) => replicas.replace(replica, () => replica.kill()),
    drainAndReplace: (replica) => replicas.replace(replica, () => replica.stop()),
    async assistant({ steps, tools = [], metadata = {} } = {}) {
      const llm = uniqueName('model');
      if (steps) await model.script(llm, steps);
      return front.createAssistant({
        metadata: { _format_version: 2, connector: 'openai', llm, tools, ...metadata },
      });
    },
    async newKey() {
      const made = await front.request<{ key: string }>('/lamb/v1/api-keys', {
        body: { name: uniqueName('key') },
      });
      return made.json.key;
    },
    async stop() {
      await Promise.all([...replicas.running].map((replica) => replica.stop()));
      await db.destroy();
      await Promise.all([model, weather, platform, proxy, s3].map((each) => each.stop()));
      await postgres.remove();
    },
  };
}

function createReplicas(proxy: Proxy, startOne: () => Promise<ServiceProcess>) {
  const running: ServiceProcess[] = [];
  const start = async () => {
    const replica = await startOne();
    running.push(replica);
    proxy.add(replica.url);
  };
  return {
    running,
    start,
    async replace(replica: ServiceProcess, end: () => Promise<unknown>) {
      running.splice(running.indexOf(replica), 1);
      await end();
      // Not before: that it is gone is for the proxy to find out.
      proxy.remove(replica.url);
      await start();
    },
  };
}
