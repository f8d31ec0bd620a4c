import { expect } from 'chai';
import { rowsFor } from '../../bench/targets.js';

const NOTHING = { measures: {}, failures: [], skipped: [] };

const rowOf = (number: string, found: Partial<Parameters<typeof rowsFor>[0]>) =>
  rowsFor({ ...NOTHING, ...found }).find((row) => row.number === number);

describe('the verdict of the benchmark', () => {
  it('passes what is at the bound, and lets fall short what is beyond it', () => {
    const burst = (ours: number) => ({ measures: { burstRatio: { bellwether: ours } } });

    expect(rowOf('1', burst(1.5))).to.include({ figure: 1.5, verdict: 'pass' });
    expect(rowOf('1', burst(1.51))).to.include({ verdict: 'falls short' });
  });

  it('wants peers to cost so many times more, not less', () => {
    const burst = (theirs: number) => ({ measures: { burstOfCreateAgent: { bellwether: 1 / theirs } } });

    expect(rowOf('2a', burst(60))).to.include({ verdict: 'pass' });
    expect(rowOf('2a', burst(59))).to.include({ verdict: 'falls short' });
  });

  it('fails what has a wrong answer of ours, whatever its figure', () => {
    const measures = { startMs: { bellwether: 1 } };
    const failures = [{ scenario: 'start', contender: 'bellwether', reason: 'it broke' }];

    expect(rowOf('9', { measures, failures })).to.include({ verdict: 'failed', remark: 'it broke' });
  });

  it('says why something was not measured', () => {
    const skipped = [{ scenario: 'large-database', reason: 'there is none' }];

    expect(rowOf('11', { skipped })).to.include({ verdict: 'not measured', remark: 'there is none' });
  });
});
