import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { countCpu } from '../cpu.js';
import { ask } from './ask.js';
import type { ClosedLoopJob, ClosedLoopResult } from './jobs.js';

/** What is put off until after an answer, such as a batch of records, belongs to it. */
const SETTLE_MS = 50;

export async function closedLoop(job: ClosedLoopJob): Promise<ClosedLoopResult> {
  const { question, concurrency, ms, pid } = job;
  const dispatcher = new Pool(question.url, { connections: concurrency });
  await pause(SETTLE_MS);
  const cpuNs = countCpu(pid);
  const began = performance.now();
  let requests = 0;
  const askOn = async () => {
    while (performance.now() - began < ms) {
      await ask(question, { dispatcher });
      requests += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, askOn));
    const took = performance.now() - began;
    await pause(SETTLE_MS);
    return { requests, cpuNs: cpuNs(), ms: took };
  } finally {
    await dispatcher.destroy();
  }
}
