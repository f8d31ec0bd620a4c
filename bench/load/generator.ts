import { attendClass } from './class.js';
import { closedLoop } from './closed-loop.js';
import { firstToken } from './first-token.js';
import type { Job, Results, Told } from './jobs.js';
import { holdStreams } from './open-streams.js';
import { paced } from './paced.js';

/** The load generator, a process of its own: takes jobs over its channel, one at a time. */

const held = holdStreams();

async function work(job: Job): Promise<Results[Job['kind']]> {
  switch (job.kind) {
    case 'closed-loop':
      return await closedLoop(job);
    case 'paced':
      return await paced(job);
    case 'first-token':
      return await firstToken(job);
    case 'class':
      return await attendClass(job);
    case 'open':
      return await held.open(job);
    case 'vanish':
      return await held.vanish();
  }
}

process.on('message', (job: Job) => {
  const tell = (told: Told) => process.send?.(told);
  work(job).then(
    (result) => tell({ result }),
    (fault: unknown) => tell({ failure: fault instanceof Error ? fault.message : String(fault) }),
  );
});
process.once('disconnect', () => process.exit(0));
