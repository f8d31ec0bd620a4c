import { readFile } from 'node:fs/promises';
import { monotonicMs } from '../clock.js';
import { cpuNsOf, waitedNsOf, wholeRssKbOf } from '../cpu.js';

/** What the operating system says of the service at one moment. */
export interface Sample {
  readonly at: number;
  readonly cpuNs: number;
  readonly rssKb: number;
  /** For a core, so far. */
  readonly waitedNs: number;
}

export interface Lateness {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** A line that `event-loop.mjs` has written, in milliseconds. */
export interface LoopLine {
  readonly at: number;
  readonly lately: Lateness;
  readonly inAll: Lateness;
}

const EVERY_MS = 500;

/** Looks at a process from outside until it is told to stop. */
export function watch(pid: number): { stop(): readonly Sample[] } {
  const samples: Sample[] = [];
  const look = () => {
    samples.push({
      at: monotonicMs(),
      cpuNs: cpuNsOf(pid),
      rssKb: wholeRssKbOf(pid),
      waitedNs: waitedNsOf(pid),
    });
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return samples;
    },
  };
}

export async function readLoopLines(file: string, since: number): Promise<LoopLine[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoopLine)
    .filter(({ at }) => at > since);
}
