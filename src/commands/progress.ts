import { SingleBar } from 'cli-progress';

export interface ImportProgress {
  readonly title: string;
  readonly done: number;
  readonly total: number;
}

export interface ProgressDisplay {
  show(progress: ImportProgress): void;
  /** Leaves the line, whatever it shows. */
  end(): void;
}

/** A bar on a terminal; elsewhere a line for each step, fit for a log. */
export function createProgressDisplay(out: NodeJS.WriteStream): ProgressDisplay {
  if (!out.isTTY) {
    return {
      show: ({ title, done, total }) => {
        if (total > 0) out.write(`${title}: ${String(done)} of ${String(total)}\n`);
      },
      end: () => undefined,
    };
  }
  const bar = new SingleBar({
    format: '  {bar} {value}/{total}  {title}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
    stream: out,
    hideCursor: true,
    clearOnComplete: true,
  });
  return {
    show: ({ title, done, total }) => {
      if (!bar.isActive) bar.start(total, done, { title });
      bar.setTotal(total);
      bar.update(done, { title });
    },
    end: () => {
      bar.stop();
    },
  };
}
