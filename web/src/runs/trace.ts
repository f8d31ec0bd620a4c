import type { RunWithSteps } from '../../../src/http/contract/runs.ts';

/** More than any run has; a chain that does not end is not followed. */
const MOST_RUNS = 50;

/** A run, and all that it asked others to do. */
export interface Trace {
  readonly run: RunWithSteps;
  readonly children: ReadonlyMap<string, RunWithSteps>;
}

/** Follows a run into those it started. One that may not be seen is left out: its step tells enough. */
export async function readTrace(read: (id: string) => Promise<RunWithSteps>, id: string): Promise<Trace> {
  const run = await read(id);
  const children = new Map<string, RunWithSteps>();
  let wanted = childrenOf(run);
  while (wanted.length > 0 && children.size < MOST_RUNS) {
    const found = await Promise.all(
      wanted.slice(0, MOST_RUNS - children.size).map((each) => read(each).catch(() => undefined)),
    );
    const seen = found.filter((each) => each !== undefined);
    for (const child of seen) children.set(child.id, child);
    wanted = seen.flatMap(childrenOf).filter((each) => each !== run.id && !children.has(each));
  }
  return { run, children };
}

function childrenOf({ steps }: RunWithSteps): string[] {
  return steps.flatMap(({ child_run_id }) => child_run_id ?? []);
}
