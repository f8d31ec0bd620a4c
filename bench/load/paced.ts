import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { countCpu } from '../cpu.js';
import { ask } from './ask.js';
import type { PacedJob, PacedResult } from './jobs.js';

export async function paced(job: PacedJob): Promise<PacedResult> {
  const { question, streams, everyMs, leadMs, ms, pid } = job;
  const dispatcher = new Pool(question.url, { connections: streams });
  const lengths = new Array<number>(streams).fill(0);
  const wordsSoFar = () => lengths.reduce((sum, length) => sum + wordsIn(question.expected, length), 0);
  try {
    const asking = lengths.map(async (_, i) => {
      // People do not type in step: spread over one beat, no two streams move at the same moment.
      await pause((i * everyMs) / streams);
      const onText = (text: string) => {
        lengths[i] = text.length;
      };
      await ask(question, { dispatcher, onText });
    });
    const answers = Promise.all(asking);
    const watching = (async () => {
      await pause(leadMs);
      const cpuNs = countCpu(pid);
      const before = wordsSoFar();
      await pause(ms);
      return { cpuNs: cpuNs(), words: wordsSoFar() - before };
    })();
    const [result] = await Promise.all([watching, answers]);
    return result;
  } finally {
    await dispatcher.destroy();
  }
}

function wordsIn(text: string, length: number): number {
  return text.slice(0, length).split(' ').length - 1;
}
