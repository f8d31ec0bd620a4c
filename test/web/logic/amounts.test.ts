import { expect } from 'chai';
import fc from 'fast-check';
import { inMoney, inTime } from '../../../web/src/i18n/amounts.js';
import { localeFor } from '../../../web/src/i18n/locale.js';
import { lastDays } from '../../../web/src/ui/days.js';
import { barOn, heightOf, hillsOver, ticksUpTo } from '../../../web/src/ui/charts/scale.js';

describe('amounts', () => {
  it('of time are told in the unit one would say them in', () => {
    expect([0, 840, 3_420, 59_960, 125_000].map((ms) => inTime(ms, 'en'))).to.deep.equal([
      '0 ms',
      '840 ms',
      '3.4 sec',
      '1 min 0 sec',
      '2 min 5 sec',
    ]);
  });

  it('of money are told to the digits that count, in whatever somebody calls a currency', () => {
    expect(inMoney(0, 'EUR', 'en')).to.equal('€0.00');
    expect(inMoney(12.345, 'EUR', 'en')).to.equal('€12.35');
    expect(inMoney(0.000_123_4, 'USD', 'en')).to.equal('$0.00012');
    expect(inMoney(1.5, '<b>credits', 'en')).to.equal('1.50 <b>credits');
  });
});

describe('dates and numbers', () => {
  const inBrowserWith =
    (...known: readonly string[]) =>
    (language: string, regions: readonly string[] = []) =>
      localeFor(language, regions, (tag) => known.includes(tag));

  it('are written as in the language of the pages, and in the region somebody prefers', () => {
    const locale = inBrowserWith('en', 'en-GB', 'es', 'eu');

    expect(locale('eu')).to.equal('eu');
    expect(locale('en', ['es-MX', 'en-GB', 'en-US'])).to.equal('en-GB');
    expect(locale('en', ['en-XX'])).to.equal('en');
  });

  it('are written as next door by a browser that does not have the language', () => {
    expect(inBrowserWith('en', 'es')('eu', ['eu-ES', 'en-GB'])).to.equal('es');
    expect(inBrowserWith('en', 'es')('ca')).to.equal('es');
    expect(inBrowserWith()('eu')).to.equal('en');
  });

  it('never call a month by its number', () => {
    for (const language of ['en', 'es', 'ca', 'eu', 'zz']) {
      const written = new Intl.DateTimeFormat(localeFor(language), { dateStyle: 'medium' });
      expect(written.format(new Date('2026-11-15T12:00:00Z'))).not.to.match(/M11/);
    }
  });
});

describe('the charts of usage', () => {
  it('have round numbers on their axes, from nothing to beyond the most', () => {
    expect(ticksUpTo(0)).to.deep.equal([0, 1]);
    expect(ticksUpTo(7)).to.deep.equal([0, 2, 4, 6, 8]);
    expect(ticksUpTo(0.3)).to.deep.equal([0, 0.1, 0.2, 0.3]);
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1e15, noNaN: true }), (most) => {
        const ticks = ticksUpTo(most);
        expect(ticks.length).to.be.within(2, 6);
        expect(ticks.at(-1)).to.be.at.least(most * 0.999_999);
      }),
    );
  });

  it('cut off a day that is alone far above the others, and nothing else', () => {
    expect(heightOf([3, 8, 260, 5])).to.equal(10);
    expect(heightOf([3, 8, 39, 5])).to.equal(39);
    expect(heightOf([260, 255, 3])).to.equal(260);
    expect([heightOf([7]), heightOf([0, 7]), heightOf([])]).to.deep.equal([7, 7, 0]);
  });

  it('draw nothing beyond what was counted, however many days there are', () => {
    const heights = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(heights, (all) => {
        const points = all.map((y, i) => [i, y] as const);
        const drawn = [hillsOver(points), ...all.map((y) => barOn(200, { x: 0, y, width: 5 }))].join(' ');
        expect(drawn).not.to.match(/NaN|Infinity|undefined/);
        for (const number of drawn.match(/-?[\d.]+/g) ?? [])
          expect(Number(number)).to.be.within(0, Math.max(200, all.length));
      }),
      { numRuns: 30 },
    );
  });

  it('begin with the last thirty days, today included', () => {
    const days = lastDays(30, Date.parse('2027-03-01T23:30:00Z'));

    expect(days).to.deep.equal({ from: '2027-01-31', to: '2027-03-01' });
  });
});
