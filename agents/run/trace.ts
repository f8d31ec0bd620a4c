import type { AnswerStep, BroughtResult } from '../../src/core/runs/conversation.js';
import {
  addUsage,
  NO_USAGE,
  type ToolFacts,
  type ToolReport,
  type Usage,
} from '../../src/core/runs/event.js';
import type { RunStep } from '../../src/core/runs/record.js';
import type { Trace } from '../../src/core/runs/run-context.js';

/** What one run did and what it cost, its child runs included. */
export interface RunTrace extends Trace {
  readonly startedAt: Date;
  /** It begins to speak. */
  textBegan(): void;
  firstTextMs(): number | undefined;
  childCost(usage: Usage): void;
  /** Something of a child that is still being written: this run's end is not told before. */
  waitFor(written: Promise<void>): void;
  owed(): readonly Promise<void>[];
  usage(): Usage;
  steps(): readonly RunStep[];
  iterations(): number;
  tools(): readonly ToolReport[];
  /** Its calls as whoever is chatting saw them end. */
  shown(): readonly AnswerStep[];
  /** In the order they came. */
  results(): readonly BroughtResult[];
}

/** The record tells what was left out by its id; whoever is chatting learns how much it was. */
function counted(facts: ToolFacts): ToolFacts {
  const { refused } = facts;
  return Array.isArray(refused) ? { ...facts, refused: refused.length } : facts;
}

export function createRunTrace(): RunTrace {
  const steps: RunStep[] = [];
  const shown: AnswerStep[] = [];
  const results: BroughtResult[] = [];
  const owed: Promise<void>[] = [];
  const startedAt = new Date();
  let usage = NO_USAGE;
  let firstTextMs: number | undefined;

  return {
    startedAt,
    textBegan() {
      firstTextMs ??= Date.now() - startedAt.getTime();
    },
    firstTextMs: () => firstTextMs,
    step(step) {
      steps.push(step);
      if (step.usage) usage = addUsage(usage, step.usage);
    },
    ended(step) {
      shown.push(step);
    },
    brought(result) {
      results.push(result);
    },
    results: () => results,
    childCost(cost) {
      usage = addUsage(usage, cost);
    },
    waitFor(written) {
      owed.push(written);
      // Heard of at the end of this run, until which it is nobody's.
      written.catch(() => undefined);
    },
    owed: () => owed,
    shown: () => shown,
    usage: () => usage,
    steps: () => steps,
    // A model that a tool asked is neither a round of the loop nor a tool.
    iterations: () => steps.filter(({ kind, tool }) => kind === 'model' && tool === undefined).length,
    tools: () =>
      steps.flatMap(({ kind, tool, ok, ms, facts }) =>
        kind === 'model' || tool === undefined
          ? []
          : [{ tool, ok, ms, ...(facts ? { facts: counted(facts) } : {}) }],
      ),
  };
}
