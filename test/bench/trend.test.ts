import { expect } from 'chai';
import { reasonList, targetTable } from '../../bench/report.js';
import { REASONS } from '../../bench/reasons.js';
import { type Row, rowsFor } from '../../bench/targets.js';
import { ratiosTo, undisturbed } from '../../bench/rounds.js';
import { tellBefore, trendOf, withLast } from '../../bench/trend.js';

const burst = (ours: number) =>
  rowsFor({
    measures: { burstRatio: { bellwether: ours }, burstOfCreateAgent: { bellwether: ours / 60 } },
    failures: [],
    skipped: [],
  });
const rowOf = (rows: readonly Row[], number: string) => rows.find((row) => row.number === number);

describe('the trend of the benchmark', () => {
  it('calls less better where a target is an upper bound, and more where it is a lower one', () => {
    const rows = withLast(burst(1), { targets: burst(1.25) });

    expect(rowOf(rows, '1')).to.include({ figure: 1, before: 1.25 });
    expect(rows.map(trendOf).slice(0, 2)).to.deep.equal(['20 % better', '25 % better']);
    expect(trendOf({ figure: 2, before: 1, is: 'most' })).to.equal('100 % worse');
    expect(trendOf({ figure: 1, before: 2, is: 'least' })).to.equal('50 % worse');
    expect(trendOf({ figure: 1.001, before: 1, is: 'most' })).to.equal('the same');
    expect(trendOf({ figure: 3, before: 0, is: 'most' })).to.equal('worse');
  });

  it('holds nothing against a target that was not measured, or was another one', () => {
    const before = burst(1.25).map((row) => (row.number === '1' ? { ...row, what: 'something else' } : row));
    const rows = withLast(burst(1), { targets: before });

    expect(rowOf(rows, '1')).not.to.have.property('before');
    expect(rowOf(rows, '9')).not.to.have.property('before');
    expect(trendOf({ figure: 1, is: 'most' })).to.equal('');
  });

  it('stands in the table, when there is one', () => {
    expect(targetTable(burst(1))).not.to.contain('trend');
    expect(targetTable(withLast(burst(1), { targets: burst(1.25) }))).to.match(
      /\| 1 .*1\.25 × \| 20 % better/,
    );
  });

  it('says when the run before was on another machine or Node', () => {
    const now = { date: '2026-11-17T10:00:00Z', node: 'v20.20.2', cores: 2, processor: 'x64' };
    const before = { ...now, date: '2026-11-15T10:00:00Z' };

    expect(tellBefore(before, now)).to.equal('Before: 2026-11-15, Node 20.20.2, 2 cores (x64).');
    expect(tellBefore({ ...before, processor: 'arm64', node: 'v24.1.0' }, now)).to.contain(
      'another processor and another Node',
    );
  });
});

describe('the reasons of the benchmark', () => {
  it('are told for those targets that are missed, and for no other', () => {
    const reasons = [
      { targets: ['1', '2a'], why: 'Two writes.' },
      { targets: ['9'], why: 'It loads much.' },
    ];

    expect(reasonList(burst(1), reasons)).to.equal('');
    expect(reasonList(burst(1.6), reasons)).to.equal('- **1, 2a**: Two writes.');
  });

  it('name targets that there are', () => {
    const numbers = burst(1).map(({ number }) => number);

    expect(numbers).to.include.members(REASONS.flatMap(({ targets }) => targets));
  });
});

describe('a measurement of the benchmark', () => {
  it('is held against what the floor needed in the same round', () => {
    const measured = new Map([
      ['floor', [10, 100, 20]],
      ['ours', [20, 150, 40]],
      ['a peer who was asked once', [90]],
    ]);

    expect(ratiosTo('floor', measured)).to.deep.equal({ floor: 1, ours: 2 });
  });

  const measured = async (stolen: readonly number[]) => {
    let time = -1;
    const value = await undisturbed(() => Promise.resolve((time += 1)), {
      begin: () => () => stolen[time] ?? 0,
    });
    return { value, times: time + 1 };
  };

  it('is made once where the host takes nothing of the machine', async () => {
    expect(await measured([0.01])).to.deep.equal({ value: 0, times: 1 });
  });

  it('is made again where it does, and then counts', async () => {
    expect(await measured([0.5, 0.01])).to.deep.equal({ value: 1, times: 2 });
  });

  it('is the less disturbed of two where it goes on taking', async () => {
    expect(await measured([0.1, 0.5, 0])).to.deep.equal({ value: 0, times: 2 });
  });
});
