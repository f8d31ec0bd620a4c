import type { Worker } from 'node:cluster';
import { RateLimiterCluster } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import type { PeerMessage, Peers } from '../http/peers.js';
import { type Program, serve, type Stop } from '../serve.js';
import type { Diagnostics } from '../services.js';
import type { MetricsSnapshot } from '../telemetry/metrics.js';
import { banner } from '../startup/first-start.js';
import { readByWorker, type ToSupervisor, type ToWorker } from './messages.js';
import { createBatchedLimiter } from './shared-limiter.js';

/** In so many parts an allowance is taken: all that the others hold unused is less than a twentieth of it. */
const PARTS_FOR_EACH = 20;

/** One of several that serve: begins when its keeper says so, and ends when it says so. */
export function serveAsWorker(
  worker: Worker,
  config: Config,
  diagnostics: Diagnostics,
  program: Program,
): Stop {
  const listeners: ((message: PeerMessage) => void)[] = [];
  const metrics = createMetricsExchange(worker);
  const peers = {
    ...siblingsOf(worker, listeners, config.workers * PARTS_FOR_EACH),
    shareMetrics: metrics.share,
  };
  let stopServing: Stop | undefined;

  const begin = ({ port, prepares }: ToWorker & { readonly type: 'start' }) =>
    serve({ ...config, port }, diagnostics, program, {
      ...{ peers, prepares },
      up({ url, facts }) {
        tell(worker, { type: 'listening', url, banner: facts && banner(facts) });
      },
      leaving(exitCode) {
        // Told to end, all end. When only this one does, the others go on and a new one takes its place.
        if (exitCode !== 0) tell(worker, { type: 'stopping' });
        return { othersGoOn: exitCode !== 0 };
      },
    });
  const stop: Stop = (why, exitCode) => {
    if (stopServing) stopServing(why, exitCode);
    else program.exit(exitCode);
  };

  worker.on('message', (message: unknown) => {
    const words = readByWorker(message);
    if (words?.type === 'start') stopServing ??= begin(words);
    else if (words?.type === 'stop') stop(words.why, 0);
    else if (words?.type === 'peer-message') for (const listener of listeners) listener(words.message);
    else if (words) metrics.heard(words);
  });
  tell(worker, { type: 'online' });
  return stop;
}

type Sharing = Peers['shareMetrics'];

/** Metrics go by way of the supervisor, which knows who serves. */
function createMetricsExchange(worker: Worker) {
  const waiting = new Map<number, (snapshots: readonly MetricsSnapshot[]) => void>();
  let own: () => Promise<MetricsSnapshot> = () => Promise.resolve([]);
  let requests = 0;

  const share: Sharing = (snapshot) => {
    own = snapshot;
    return () =>
      new Promise((resolve) => {
        requests += 1;
        waiting.set(requests, resolve);
        tell(worker, { type: 'gather-metrics', request: requests });
      });
  };
  return {
    share,
    heard(words: ToWorker & { readonly type: 'metrics-wanted' | 'metrics' }) {
      if (words.type === 'metrics-wanted') {
        void own().then((snapshot) => {
          tell(worker, { type: 'metrics-told', snapshot });
        });
        return;
      }
      waiting.get(words.request)?.(words.snapshots);
      waiting.delete(words.request);
    },
  };
}

function siblingsOf(
  worker: Worker,
  listeners: ((message: PeerMessage) => void)[],
  parts: number,
): Omit<Peers, 'shareMetrics'> {
  return {
    limiter(name, { points, seconds }) {
      const shared = new RateLimiterCluster({ keyPrefix: name, points, duration: seconds });
      return createBatchedLimiter(shared, points, parts);
    },
    tell(message) {
      tell(worker, { type: 'peer-message', message });
    },
    onMessage(listener) {
      listeners.push(listener);
    },
  };
}

function tell(worker: Worker, words: ToSupervisor): void {
  worker.send(words);
}
