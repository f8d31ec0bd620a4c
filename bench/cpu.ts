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
