import { once } from 'node:events';
import { LOAD_CORE, spawnNode, stopChild } from '../processes.js';
import type { Job, Results, Told } from './jobs.js';

export interface Load {
  /** Does one job. Throws when any answer was late, cut short or wrong: there is no figure then. */
  do<J extends Job>(job: J): Promise<Results[J['kind']]>;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the load generator, beside the model. */
export function startLoad(): Load {
  const child = spawnNode(['bench/load/generator.ts'], { core: LOAD_CORE, hasChannel: true });
  const ended = once(child, 'exit').then((): never => {
    throw new Error('The load generator ended.');
  });
  ended.catch(() => undefined);
  return {
    async do<J extends Job>(job: J) {
      const telling = once(child, 'message') as Promise<[Told]>;
      child.send(job);
      const [told] = await Promise.race([telling, ended]);
      if ('failure' in told) throw new Error(told.failure);
      return told.result as Results[J['kind']];
    },
    pid: child.pid ?? NaN,
    stop: () => stopChild(child),
  };
}
