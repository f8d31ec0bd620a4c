import { EventEmitter, once } from 'node:events';

/** What a program says, and its lines for whoever waits for one of them. */
export interface Output {
  /** Everything so far. */
  output(): string;
  /** The finished lines so far, but for those of stderr. */
  lines(): readonly string[];
  /** The first line, past or to come, that `pick` does not turn down; fails when the time runs out first. */
  waitForLine<T>(pick: (line: string) => T | undefined, timeoutMs?: number): Promise<T>;
}

export function createOutput(program: string) {
  const said: string[] = [];
  const lines: string[] = [];
  let unfinished = '';
  let isOver = false;
  const changes = new EventEmitter().setMaxListeners(0);

  const output = () => said.join('');
  return {
    output,
    lines: (): readonly string[] => lines,
    add(text: string): void {
      said.push(text);
      // Not readline: it also cuts at U+2028, which JSON leaves bare.
      const [first = '', ...more] = text.split('\n');
      const finished = [unfinished + first, ...more];
      unfinished = finished.pop() ?? '';
      lines.push(...finished);
      if (finished.length > 0) changes.emit('change');
    },
    /** Of stderr. */
    addAside(text: string): void {
      said.push(text);
    },
    end(): void {
      isOver = true;
      changes.emit('change');
    },
    async waitForLine<T>(pick: (line: string) => T | undefined, timeoutMs = 30_000): Promise<T> {
      const signal = AbortSignal.timeout(timeoutMs);
      for (let seen = 0; ;) {
        for (const line of lines.slice(seen)) {
          const found = pick(line);
          if (found !== undefined) return found;
        }
        seen = lines.length;
        if (isOver || signal.aborted)
          throw new Error(`${program} wrote no such line. It wrote:\n${output()}`);
        await once(changes, 'change', { signal }).catch(() => undefined);
      }
    },
  };
}
