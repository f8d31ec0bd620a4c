import { expect } from 'chai';
import { isTimezone, periodAt } from '../../src/core/budgets/period.js';
import type { BudgetPeriod } from '../../src/core/budgets/budget.js';

const bounds = (now: string, period: BudgetPeriod, zone: string) => {
  const { start, end } = periodAt(new Date(now), period, zone);
  return [start, end];
};

describe('the period of a budget', () => {
  it('is a day, a week from Monday or a month as clocks in its zone show them', () => {
    expect(bounds('2026-11-15T23:30:00Z', 'day', 'Europe/Madrid')).to.deep.equal([
      '2026-11-15T23:00:00.000Z',
      '2026-11-16T23:00:00.000Z',
    ]);
    expect(bounds('2026-11-15T22:30:00Z', 'week', 'Europe/Madrid')).to.deep.equal([
      '2026-11-08T23:00:00.000Z',
      '2026-11-15T23:00:00.000Z',
    ]);
    expect(bounds('2026-12-31T23:30:00Z', 'month', 'Europe/Madrid')).to.deep.equal([
      '2026-12-31T23:00:00.000Z',
      '2027-01-31T23:00:00.000Z',
    ]);
    expect(bounds('2026-11-16T12:00:00Z', 'day', 'America/Los_Angeles')[0]).to.equal(
      '2026-11-16T08:00:00.000Z',
    );
  });

  it('has 23 or 25 hours on the days that clocks are put forward or back', () => {
    expect(bounds('2026-03-29T10:00:00Z', 'day', 'Europe/Madrid')).to.deep.equal([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(bounds('2026-10-25T10:00:00Z', 'day', 'Europe/Madrid')).to.deep.equal([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
  });

  it('begins at one o’clock where there is no midnight', () => {
    // In Beirut clocks go from 24:00 to 01:00 on the last Sunday of March.
    expect(bounds('2026-03-29T10:00:00Z', 'day', 'Asia/Beirut')[0]).to.equal('2026-03-28T22:00:00.000Z');
  });

  it('meets the next without a gap, at any moment of a year and in odd zones', () => {
    for (const zone of ['Pacific/Apia', 'Asia/Kathmandu', 'America/Havana', 'UTC', 'Australia/Lord_Howe']) {
      let at = Date.parse('2026-01-01T00:00:00Z');
      for (let day = 0; day < 370; day += 5) {
        const { start, end } = periodAt(new Date(at), 'day', zone);
        expect(Date.parse(start), zone).to.be.at.most(at);
        expect(Date.parse(end!), zone).to.be.greaterThan(at);
        expect(periodAt(new Date(end!), 'day', zone).start, zone).to.equal(end);
        at = Date.parse(end!) + 4 * 86_400_000;
      }
    }
  });

  it('never ends when it is for all time', () => {
    expect(bounds('2026-11-16T12:00:00Z', 'total', 'UTC')[1]).to.equal(undefined);
  });

  it('has a zone that exists', () => {
    expect(['Europe/Madrid', 'UTC', 'Mars/Olympus', ''].map(isTimezone)).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });
});
