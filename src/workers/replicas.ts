import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { z } from 'zod';
import { openNews } from '../../db/open.js';
import type { RateLimitStore } from '../core/access/rate-limit.js';
import type { DatabaseTarget } from '../core/base/database-target.js';
import { parseStrictJson } from '../core/base/json.js';
import type { Logger } from '../core/log.js';
import type { PeerMessage, Peers } from '../http/peers.js';
import { createBatchedLimiter } from './shared-limiter.js';

/** In so many parts an allowance is taken: of 1200 a minute 20 at a time, and one by one below 120. */
const PARTS = 60;

interface Deps {
  /** The processes of this machine. */
  readonly machine: Peers;
  readonly db: Knex;
  readonly rateLimits: RateLimitStore;
  readonly log: Logger;
}

export interface Replicas {
  readonly peers: Peers;
  close(): Promise<void>;
}

/**
 * All serving processes on one database. SQLite has those of one machine, which know each other. On PostgreSQL they may
 * be anywhere and meet in the database alone: they count there and hear of each other by LISTEN and NOTIFY. What they
 * measured stays with each machine, for whoever gathers metrics to ask every one of them.
 */
export async function joinReplicas(
  database: DatabaseTarget,
  { machine, db, rateLimits, log }: Deps,
): Promise<Replicas> {
  const own = randomUUID();
  const listeners: ((message: PeerMessage) => void)[] = [];
  const news = await openNews(database, db, {
    heard(text) {
      const told = toldIn(text);
      if (told && told.from !== own) for (const listener of listeners) listener(told.message);
    },
    log,
  });
  if (!news) return { peers: machine, close: () => Promise.resolve() };
  return {
    peers: {
      limiter: (name, most) => createBatchedLimiter(rateLimits.counter(name, most), most.points, PARTS),
      tell(message) {
        news.tell(JSON.stringify({ from: own, message } satisfies Told));
      },
      onMessage(listener) {
        listeners.push(listener);
      },
      shareMetrics: machine.shareMetrics,
    },
    close: news.close,
  };
}

const Told = z.object({
  from: z.string(),
  message: z.union([z.object({ cancelledCall: z.string() }), z.object({ reconfigured: z.number() })]),
});
type Told = z.output<typeof Told>;

/** Another version of the service may tell what this one does not know. */
function toldIn(text: string): Told | undefined {
  const read = parseStrictJson(text);
  return read.ok ? Told.safeParse(read.value).data : undefined;
}
