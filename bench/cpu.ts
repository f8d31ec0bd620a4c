import { readdirSync, readFileSync } from 'node:fs';

/** What the operating system says of a process, all of its threads together: databases and compilers work in those. */

export interface Thread {
  readonly id: number;
  readonly cpuNs: number;
  /** Bytes it has moved; threads that compile or collect garbage move next to none. */
  readonly movedBytes: number;
}

export function threadsOf(pid: number): Thread[] {
  return readdirSync(`/proc/${String(pid)}/task`).flatMap((id) => {
    const folder = `/proc/${String(pid)}/task/${id}`;
    try {
      const io = readFileSync(`${folder}/io`, 'utf8');
      return [
        {
          id: Number(id),
          cpuNs: Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]),
          movedBytes: counted(io, 'rchar') + counted(io, 'wchar'),
        },
      ];
    } catch {
      // It ended between the listing and the reading.
      return [];
    }
  });
}

const NS_PER_TICK = 10_000_000;

/** CPU time so far, in nanoseconds, to a hundredth of a second. What threads took that have ended counts as well. */
export function cpuNsOf(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // After the name, which may hold anything: the 12th and 13th are the times in user mode and in the kernel.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * NS_PER_TICK;
}

/**
 * Counts the CPU time of a process from now on, in nanoseconds: to the nanosecond while its threads last, which is what short
 * measurements need; when one has ended its part is only in the hundredths of a second.
 */
export function countCpu(pid: number): () => number {
  const before = { ns: cpuNsOf(pid), threads: threadsOf(pid) };
  return () => {
    const threads = threadsOf(pid);
    const hasEnded = before.threads.some(({ id }) => !threads.some((thread) => thread.id === id));
    return hasEnded ? cpuNsOf(pid) - before.ns : sumNs(threads) - sumNs(before.threads);
  };
}

const sumNs = (threads: readonly Thread[]) => threads.reduce((sum, { cpuNs }) => sum + cpuNs, 0);

/** Of a process with the children that it has now and those that have ended, as Linux adds them up. */
export function cpuSecondsOfAll(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // After the name, which may hold anything: its own times in user mode and in the kernel, then those of ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * (NS_PER_TICK / 1e9);
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOfAll(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${String(pid)}/task`).flatMap((thread) =>
    readFileSync(`/proc/${String(pid)}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child.trim() !== '')
      .map(Number),
  );
}

/** How long its main thread was ready to run and had no core, in nanoseconds: others were running there. */
export function waitedNsOf(pid: number): number {
  return Number(readFileSync(`/proc/${String(pid)}/schedstat`, 'utf8').split(' ')[1]);
}

/** Resident memory of its own, in KB: without the pages of programs and libraries, which come and go by themselves. */
export function rssKbOf(pid: number): number {
  return counted(readFileSync(`/proc/${String(pid)}/status`, 'utf8'), 'RssAnon');
}

/** All of its resident memory, in KB, programs and libraries included. */
export function wholeRssKbOf(pid: number): number {
  return counted(readFileSync(`/proc/${String(pid)}/status`, 'utf8'), 'VmRSS');
}

function counted(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? NaN);
}

export interface MachineTime {
  readonly all: number;
  /** What the host of a virtual machine gave to others, while something here was waiting to run. */
  readonly stolen: number;
}

/** Of all cores so far, in ticks. */
export function machineTime(): MachineTime {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/).map(Number);
  return { all: ticks.slice(0, 8).reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

/** Which part of the machine was taken since then. */
export function stolenSince(before: MachineTime, now = machineTime()): number {
  const all = now.all - before.all;
  return all === 0 ? 0 : (now.stolen - before.stolen) / all;
}
