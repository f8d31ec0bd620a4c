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

/** CPU time so far, in nanoseconds. */
export function cpuNsOf(pid: number): number {
  return threadsOf(pid).reduce((sum, { cpuNs }) => sum + cpuNs, 0);
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
