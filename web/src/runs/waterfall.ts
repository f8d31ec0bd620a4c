import type { RunStep, RunWithSteps, TokenUse } from '../../../src/http/contract/runs.ts';
import type { Trace } from './trace.ts';

/** One line of the picture: a run, a round of it, or a step. */
export interface Line {
  readonly id: string;
  readonly depth: number;
  readonly what:
    | { readonly kind: 'run'; readonly run: RunWithSteps }
    | { readonly kind: 'round'; readonly iteration: number }
    | { readonly kind: 'step'; readonly step: RunStep };
  /** Milliseconds from the start of the outermost run. */
  readonly at: number;
  readonly ms: number;
  readonly isOk: boolean;
  readonly usage: TokenUse | undefined;
  readonly cost: number | null | undefined;
}

export interface Waterfall {
  readonly lines: readonly Line[];
  /** How long the picture is. */
  readonly ms: number;
}

interface Level {
  readonly children: Trace['children'];
  /** When the run began, from the start of the outermost one. */
  readonly start: number;
  readonly depth: number;
}

export function waterfallOf({ run, children }: Trace): Waterfall {
  const lines = linesOf(run, { children, start: 0, depth: 0 });
  return { lines, ms: Math.max(1, ...lines.map(({ at, ms }) => at + ms)) };
}

/** Where a bar lies, in hundredths of the whole; wide enough to be seen. */
export function barOf({ at, ms }: Pick<Line, 'at' | 'ms'>, whole: number): { x: number; width: number } {
  const NARROWEST = 0.6;
  const width = Math.min(Math.max((ms / whole) * 100, NARROWEST), 100);
  return { x: Math.min(Math.max((at / whole) * 100, 0), 100 - width), width };
}

function linesOf(run: RunWithSteps, level: Level): Line[] {
  const { start, depth } = level;
  // No run is drawn within itself, whatever somebody made of the record.
  const inner = { ...level, children: without(level.children, run.id), depth: depth + 1 };
  const own: Line = {
    ...{ id: run.id, depth, at: start, ms: run.ms, what: { kind: 'run', run } },
    ...{ isOk: run.status === 'completed', usage: run.usage, cost: run.cost },
  };
  const rounds = [...new Set(run.steps.map(({ iteration }) => iteration))].sort((a, b) => a - b);
  // One round needs no line of its own: it is the run.
  if (rounds.length < 2) return [own, ...stepsOf(run, run.steps, inner)];
  return [own, ...rounds.flatMap((iteration) => roundOf(run, iteration, inner))];
}

function roundOf(run: RunWithSteps, iteration: number, level: Level): Line[] {
  const steps = run.steps.filter((step) => step.iteration === iteration);
  const starts = steps.map((step) => level.start + step.at);
  const ends = steps.map((step, i) => (starts[i] ?? 0) + step.ms);
  const at = Math.min(...starts);
  const round: Line = {
    ...{ id: `${run.id} round ${String(iteration)}`, depth: level.depth, what: { kind: 'round', iteration } },
    ...{
      at,
      ms: Math.max(...ends) - at,
      isOk: true,
      usage: undefined,
      cost: undefined,
    },
  };
  return [round, ...stepsOf(run, steps, { ...level, depth: level.depth + 1 })];
}

function stepsOf(run: RunWithSteps, steps: readonly RunStep[], level: Level): Line[] {
  const { children, start, depth } = level;
  return [...steps]
    .sort((a, b) => a.at - b.at)
    .flatMap((step) => {
      const at = start + step.at;
      const id = `${run.id} step ${String(run.steps.indexOf(step))}`;
      const line: Line = {
        ...{ id, depth, at, ms: step.ms, what: { kind: 'step', step } },
        ...{ isOk: step.ok, usage: step.usage, cost: step.cost },
      };
      const child = children.get(step.child_run_id ?? '');
      if (!child) return [line];
      const began = start + (Date.parse(child.started_at) - Date.parse(run.started_at));
      return [line, ...linesOf(child, { children, start: Math.max(began, at), depth: depth + 1 })];
    });
}

function without(children: Trace['children'], id: string): Trace['children'] {
  return new Map([...children].filter(([each]) => each !== id));
}
