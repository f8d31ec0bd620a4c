import { expect } from 'chai';
import { readTrace } from '../../../web/src/runs/trace.js';
import { barOf, waterfallOf } from '../../../web/src/runs/waterfall.js';
import type { RunStep, RunWithSteps } from '../../../src/http/contract/runs.js';

const START = Date.parse('2027-01-15T10:00:00.000Z');

const step = (at: number, ms: number, facts: Partial<RunStep> = {}): RunStep => ({
  ...{ kind: 'model', ok: true, iteration: 1, at, ms },
  started_at: new Date(START + at).toISOString(),
  ...{ input: { chars: 0 }, output: { chars: 0 }, cost: null },
  ...facts,
});

const run = (id: string, steps: readonly RunStep[], facts: Partial<RunWithSteps> = {}): RunWithSteps => ({
  ...{ id, parent_run_id: null, assistant_id: 1, assistant_name: id, version: 1, own: true },
  ...{ caller: { user_id: 1, via: 'session' }, conversation_id: null, ms: 1_000, status: 'completed' },
  ...{ error_code: null, iterations: 1, capped: false, model: null, cost: null, currency: 'EUR' },
  usage: { prompt_tokens: 1, completion_tokens: 1 },
  feedback: null,
  started_at: new Date(START).toISOString(),
  steps,
  ...facts,
});

const outline = (trace: Parameters<typeof waterfallOf>[0]) =>
  waterfallOf(trace).lines.map(({ depth, at, what }) => [depth, what.kind, at]);

describe('a run as a waterfall', () => {
  it('has its steps in the order they began, by round only where there are several', () => {
    const one = run('one', [step(20, 5, { kind: 'tool' }), step(0, 10)]);
    const two = run('two', [step(0, 10), step(10, 5, { kind: 'tool' }), step(20, 10, { iteration: 2 })]);
    const children = new Map<string, RunWithSteps>();

    expect(outline({ run: one, children })).to.deep.equal([
      [0, 'run', 0],
      [1, 'step', 0],
      [1, 'step', 20],
    ]);
    expect(outline({ run: two, children }).map(([depth, kind]) => [depth, kind])).to.deep.equal([
      [0, 'run'],
      [1, 'round'],
      [2, 'step'],
      [2, 'step'],
      [1, 'round'],
      [2, 'step'],
    ]);
  });

  it('has the run that a step started below that step, at the time it began', async () => {
    const child = run('child', [step(5, 20)], { started_at: new Date(START + 100).toISOString(), ms: 40 });
    const parent = run('parent', [step(90, 60, { kind: 'tool', child_run_id: 'child' })]);
    const runs = new Map([parent, child].map((each) => [each.id, each]));

    const trace = await readTrace((id) => Promise.resolve(runs.get(id)!), 'parent');

    expect(outline(trace)).to.deep.equal([
      [0, 'run', 0],
      [1, 'step', 90],
      [2, 'run', 100],
      [3, 'step', 105],
    ]);
  });

  it('is drawn without what may not be seen, and does not follow runs in a circle', async () => {
    const hidden = run('a', [step(0, 1, { child_run_id: 'hidden' })]);
    const circle = run('b', [step(0, 1, { child_run_id: 'b' })]);
    const read = (id: string) =>
      id === 'hidden' ? Promise.reject(new Error('404')) : Promise.resolve(id === 'a' ? hidden : circle);

    expect(outline(await readTrace(read, 'a'))).to.have.length(2);
    expect(outline(await readTrace(read, 'b'))).to.have.length(2);
  });

  it('has bars that can be seen and stay within the picture', () => {
    expect(barOf({ at: 999, ms: 0 }, 1_000)).to.deep.equal({ x: 99.4, width: 0.6 });
    expect(barOf({ at: 250, ms: 500 }, 1_000)).to.deep.equal({ x: 25, width: 50 });
    expect(barOf({ at: 0, ms: 2_000 }, 1_000)).to.deep.equal({ x: 0, width: 100 });
  });
});
