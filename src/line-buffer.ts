import { LONGEST_LINE } from './short-line.js';

export interface LineBuffer {
  write(line: string): void;
  /** Writes what waits; to be called before the process ends. */
  flush(): void;
}

/** Lines of one turn of the event loop are written together, as many as a pipe takes in one piece. */
export function createLineBuffer(out: { write(lines: string): unknown }): LineBuffer {
  let pending = '';
  let bytes = 0;
  const flush = () => {
    const lines = pending;
    pending = '';
    bytes = 0;
    if (lines !== '') out.write(lines);
  };
  return {
    write(line) {
      const more = Buffer.byteLength(line);
      if (bytes + more > LONGEST_LINE) flush();
      if (pending === '') setImmediate(flush);
      pending += line;
      bytes += more;
    },
    flush,
  };
}
