import type { Config } from '../config.js';
import type { Logger } from '../core/log.js';
import type { Program, Stop } from '../serve.js';
import { createMetricsGathering } from './gather-metrics.js';
import type { ToSupervisor } from './messages.js';
import { createWorkerPool, type WorkerPool, type Ended } from './pool.js';

/** How long after the grace a worker may take to end before it is made to. */
const LAST_RESORT_MS = 10_000;

/** Has so many workers serve: the first prepares what all share, whoever ends is replaced, and all stop together. */
export function keepWorkers(
  config: Pick<Config, 'port' | 'workers' | 'drainDelayMs' | 'shutdownGraceMs'>,
  log: Logger,
  program: Program,
  gather = createWorkerPool,
): Stop {
  const port = createSharedPort(config.port);
  const leavers = new Set<number>();
  const pool = gather({
    listening(id, at) {
      if (!port.taken(id, at)) replacing.giveUp('its workers ended at once, and the port of PORT=0 is lost');
    },
    said(id, words) {
      if (words.type === 'online' && ending.begun()) pool.tell(id, { type: 'stop', why: 'came too late' });
      else if (words.type === 'online') opening.here(id);
      else if (words.type === 'peer-message') pool.broadcast(words, id);
      else if (words.type === 'gather-metrics') metrics.wanted(id, words.request);
      else if (words.type === 'metrics-told') metrics.told(id, words.snapshot);
      else if (words.type === 'listening') {
        metrics.joined(id);
        opening.up(id, words);
      } else {
        port.left(id);
        leavers.add(id);
        replacing.replace({ pid: pool.pidOf(id) });
      }
    },
    ended(id, how) {
      port.left(id);
      metrics.left(id);
      if (ending.begun()) ending.oneLess(how);
      else if (!opening.over()) ending.stop('a worker that could not start', 1);
      else if (!leavers.delete(id)) replacing.replace(how);
    },
  });
  const metrics = createMetricsGathering(pool);
  const start = (id: number, prepares: boolean) => {
    pool.tell(id, { type: 'start', port: port.toAskFor(), prepares });
  };
  const opening = createOpening(config.workers, { pool, start, log, program });
  const ending = createEnding(config.drainDelayMs + config.shutdownGraceMs, { pool, log, program });
  const replacing = createReplacing(config.workers, { pool, ending, log, program });

  opening.begin();
  return ending.stop;
}

interface Deps {
  readonly pool: WorkerPool;
  readonly log: Logger;
  readonly program: Program;
}

/** The first worker prepares while the others load; once all serve, the service is announced. */
function createOpening(
  workers: number,
  { pool, start, log, program }: Deps & { start(id: number, prepares: boolean): void },
) {
  const toStart: number[] = [];
  let first: number | undefined;
  let banner: string | undefined;
  let missing = workers;

  return {
    begin() {
      while (pool.size() < workers) pool.fork();
    },
    here(id: number) {
      first ??= id;
      if (first === id) start(id, true);
      else if (banner === undefined) toStart.push(id);
      else start(id, false);
    },
    up(id: number, up: ToSupervisor & { readonly type: 'listening' }) {
      missing -= 1;
      if (missing < 0) log.info({ worker: pool.pidOf(id) }, 'a worker took the place of another');
      banner ??= up.banner;
      for (const other of toStart.splice(0)) start(other, false);
      if (missing !== 0) return;
      log.info({ url: up.url, workers }, 'listening');
      program.print(banner ?? '');
    },
    over: () => missing <= 0,
  };
}

function createEnding(graceMs: number, { pool, log, program }: Deps) {
  let exitCode: number | undefined;
  const exitWhenEmpty = () => {
    if (exitCode === undefined || pool.size() > 0) return;
    log.info({}, 'stopped');
    program.exit(exitCode);
  };
  const stop: Stop = (why, code) => {
    if (exitCode !== undefined) return;
    exitCode = code;
    log.info({ signal: why }, 'stopping');
    pool.broadcast({ type: 'stop', why });
    setTimeout(pool.kill, graceMs + LAST_RESORT_MS);
    exitWhenEmpty();
  };
  return {
    stop,
    begun: () => exitCode !== undefined,
    oneLess({ code, signal }: Ended) {
      // Whoever signals a whole group may reach a worker before it heeds signals.
      if (code !== 0 && signal !== 'SIGTERM' && signal !== 'SIGINT') exitCode = 1;
      exitWhenEmpty();
    },
  };
}

function createReplacing(
  workers: number,
  { pool, ending, log, program }: Deps & { readonly ending: { readonly stop: Stop; begun(): boolean } },
) {
  const pace = createRestartPace(workers);
  const giveUp = (why: string) => {
    program.complain(`Bellwether gives up: ${why}. The log says how each ended.\n`);
    ending.stop('gave up', 1);
  };
  return {
    giveUp,
    replace({ pid, code, signal }: Partial<Ended>) {
      const waitMs = pace(Date.now());
      log.error({ worker: pid, code, signal, waitMs }, 'a worker ended');
      if (waitMs === undefined) {
        giveUp('its workers end again and again');
        return;
      }
      setTimeout(() => {
        if (!ending.begun()) pool.fork();
      }, waitMs);
    },
  };
}

/** How long to wait before a worker that ended is replaced; undefined when it is no use to go on. */
export type RestartPace = (now: number) => number | undefined;

const WITHIN_MS = 60_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const MOST_FOR_EACH = 5;

/** One that ends now and then is replaced at once. When they end again and again it takes longer, and then it is over. */
function createRestartPace(workers: number): RestartPace {
  const ends: number[] = [];

  return (now) => {
    while (ends[0] !== undefined && ends[0] <= now - WITHIN_MS) ends.shift();
    ends.push(now);
    if (ends.length > workers * MOST_FOR_EACH) return undefined;
    return Math.min(FIRST_WAIT_MS * 2 ** (ends.length - 1), LONGEST_WAIT_MS);
  };
}

/** The one port of all workers, which PORT=0 leaves to the system. */
export interface SharedPort {
  /** What a worker is to listen at. */
  toAskFor(): number;
  /** False when it is not the port of the others. */
  taken(id: number, port: number): boolean;
  left(id: number): void;
}

/**
 * Whoever asks for 0 gets the port of those who asked for it before and still listen; to ask for that by its number
 * would be asking for a port in use. Once nobody listens any more, it has to be asked for by its number, by all.
 */
function createSharedPort(wanted: number): SharedPort {
  const listening = new Set<number>();
  let known: number | undefined;
  let asked = wanted;

  return {
    toAskFor: () => asked,
    taken(id, port) {
      listening.add(id);
      known ??= port;
      return known === port;
    },
    left(id) {
      listening.delete(id);
      if (listening.size === 0) asked = known ?? wanted;
    },
  };
}
