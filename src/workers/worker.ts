import type { Worker } from 'node:cluster';
import { RateLimiterCluster } from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import type { News, Siblings } from '../http/middleware/peers.js';
import { type Program, serve, type Stop } from '../serve.js';
import type { Voice } from '../services.js';
import { banner } from '../startup/first-start.js';
import { heardByWorker, type ToKeeper, type ToWorker } from './messages.js';
import { batchOf, createBatchedLimiter } from './shared-limiter.js';

/** In so many parts an allowance is taken: all that the others hold unused is less than a twentieth of it. */
const PARTS_FOR_EACH = 20;

/** One of several that serve: begins when its keeper says so, and ends when it says so. */
export function serveAsWorker(worker: Worker, config: Config, voice: Voice, program: Program): Stop {
  const listeners: ((news: News) => void)[] = [];
  const siblings = siblingsOf(worker, listeners, config.workers * PARTS_FOR_EACH);
  let stopServing: Stop | undefined;

  const begin = ({ port, prepares }: ToWorker & { readonly say: 'start' }) =>
    serve({ ...config, port }, voice, program, {
      ...{ siblings, prepares },
      up({ url, facts }) {
        tell(worker, { say: 'up', url, banner: facts && banner(facts) });
      },
      leaving(exitCode) {
        // Told to end, all end. When only this one does, the others go on and a new one takes its place.
        if (exitCode !== 0) tell(worker, { say: 'leaving' });
        return { othersGoOn: exitCode !== 0 };
      },
    });
  const stop: Stop = (why, exitCode) => {
    if (stopServing) stopServing(why, exitCode);
    else program.exit(exitCode);
  };

  worker.on('message', (message: unknown) => {
    const words = heardByWorker(message);
    if (words?.say === 'start') stopServing ??= begin(words);
    else if (words?.say === 'stop') stop(words.why, 0);
    else if (words) for (const listener of listeners) listener(words.news);
  });
  tell(worker, { say: 'here' });
  return stop;
}

function siblingsOf(worker: Worker, listeners: ((news: News) => void)[], parts: number): Siblings {
  return {
    limiter(name, { points, seconds }) {
      const shared = new RateLimiterCluster({ keyPrefix: name, points, duration: seconds });
      return createBatchedLimiter(shared, batchOf(points, parts));
    },
    tell(news) {
      tell(worker, { say: 'news', news });
    },
    onNews(listener) {
      listeners.push(listener);
    },
  };
}

function tell(worker: Worker, words: ToKeeper): void {
  worker.send(words);
}
