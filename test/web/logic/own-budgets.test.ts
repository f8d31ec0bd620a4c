import { expect } from 'chai';
import type { OwnBudget, OwnBudgets } from '../../../src/http/contract/budgets.js';
import { faultIn } from '../../../web/src/api/fault.js';
import { questionsLeftOf, spentIn, spentOf } from '../../../web/src/budgets/own-budgets.js';
import { amountIn, draftOf, problemsIn } from '../../../web/src/course/budget/activity-budgets.js';
import { inFuture } from '../../../web/src/i18n/amounts.js';
import { ca } from '../../../web/src/i18n/ca.ts';
import { en } from '../../../web/src/i18n/en.ts';
import { es } from '../../../web/src/i18n/es.ts';
import { eu } from '../../../web/src/i18n/eu.ts';

const RESET = '2026-11-17T23:00:00.000Z';
const own = (more: Partial<OwnBudget> = {}): OwnBudget => ({
  ...{
    id: 'b1',
    scope: { type: 'activity', id: 7, each: true },
    unit: 'requests',
    amount: 20,
    period: 'day',
  },
  ...{ used: 5, reserved: 0, remaining: 15, resets_at: RESET, questions_left: 15 },
  ...more,
});
const shared = (exhausted: boolean, resets_at: string | null = RESET): OwnBudgets['budgets'][number] => ({
  ...{ scope: { type: 'course', id: 3 }, unit: 'tokens', exhausted, resets_at },
});

describe('what is left of somebody’s budgets', () => {
  it('is told of the one that is used up first, and of none that others spend as well', () => {
    const tokens = own({ unit: 'tokens', amount: 9_000, remaining: 8_000, questions_left: 12 });

    expect(questionsLeftOf([shared(false)])).to.equal(undefined);
    expect(questionsLeftOf([own(), shared(false), tokens])).to.deep.equal({
      ...{ count: 12, isAbout: true, isLow: false, resetsAt: RESET },
    });
  });

  it('stands out below a fifth, and from three questions on', () => {
    const isLow = (more: Partial<OwnBudget>) => questionsLeftOf([own(more)])?.isLow;

    expect(isLow({ remaining: 4, questions_left: 4 })).to.equal(false);
    expect(isLow({ remaining: 3, questions_left: 3 })).to.equal(true);
    expect(isLow({ amount: 100, remaining: 19, questions_left: 19 })).to.equal(true);
  });

  it('is nothing once it is spent, by whoever is back last, and not while it is only set aside', () => {
    expect(spentOf([own({ used: 17, reserved: 3, remaining: 0, questions_left: 0 })])).to.equal(undefined);
    expect(spentOf([own({ used: 20, remaining: 0 }), shared(false)])).to.deep.equal({
      ...{ whose: 'own', resetsAt: RESET },
    });
    expect(spentOf([own({ used: 20, remaining: 0 }), shared(true, null)])).to.deep.equal({
      ...{ whose: 'course', resetsAt: null },
    });
  });
});

describe('a refusal for want of a budget', () => {
  const refusal = (param: string, retryAfter: string | null) =>
    faultIn(
      429,
      JSON.stringify({ error: { message: 'Spent.', code: 'budget_exceeded', param } }),
      retryAfter,
    );
  const now = Date.parse('2026-11-17T22:00:00.000Z');

  it('says whose it is and, by the clocks of whoever asked, when it is back', () => {
    expect(spentIn(refusal('activity.each', '3600'), now)).to.deep.equal({ whose: 'own', resetsAt: RESET });
    expect(spentIn(refusal('user', null), now)).to.deep.equal({ whose: 'own', resetsAt: null });
    expect(spentIn(refusal('activity', null), now)?.whose).to.equal('activity');
    expect(spentIn(refusal('assistant', '60'), now)?.whose).to.equal('assistant');
  });

  it('is none that lasts while it is set aside for others, or when it is about something else', () => {
    expect(spentIn(refusal('activity', '5'), now)).to.equal(undefined);
    expect(spentIn(faultIn(429, '{"error":{"code":"too_many_runs"}}', '5'), now)).to.equal(undefined);
    expect(spentIn(new Error('x'), now)).to.equal(undefined);
  });
});

describe('a moment to come', () => {
  const now = new Date(2026, 10, 16, 17, 30);
  const ENGLISH = { locale: 'en-GB', isForeign: false, near: en.common };
  const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).toISOString();

  it('is told as today, tomorrow, or the day it is, and whether it is the end of today', () => {
    expect(inFuture(at(17), ENGLISH, now)).to.deep.equal({
      ...{ day: 'tomorrow', time: '00:00', isNear: true, endsToday: true },
    });
    expect(inFuture(at(16, 20), ENGLISH, now)).to.include({ day: 'today', time: '20:00', endsToday: false });
    expect(inFuture(at(23), ENGLISH, now)).to.include({ day: 'Monday 23 November', isNear: false });
    // A browser that does not have the language knows its days by another one's names.
    const basque = { locale: 'es', isForeign: true, near: eu.common };
    expect(inFuture(at(17), basque, now).day).to.equal('bihar');
    expect(inFuture(at(23), basque, now).day).to.equal('23/11/26');
  });

  it('is said in whole sentences in every language, near and far', () => {
    for (const [locale, t] of Object.entries({ 'en-GB': en, es, ca, eu })) {
      const words = { locale, isForeign: false, near: t.common };
      const near = t.ownBudgets.back(inFuture(at(17), words, now));
      const far = t.ownBudgets.back(inFuture(at(23), words, now));
      expect(near, locale)
        .to.match(/0:00\D*\.$/)
        .and.to.not.include('undefined');
      expect(far, locale).to.include('23').and.to.not.equal(near);
    }
    expect(en.ownBudgets.back(inFuture(at(17), ENGLISH, now))).to.equal(
      'You can ask again tomorrow at 00:00.',
    );
    expect(en.ownBudgets.today(en.ownBudgets.about(12))).to.equal('About 12 questions left today.');
    expect(en.ownBudgets.today(en.ownBudgets.exactly(1))).to.equal('1 question left today.');
  });
});

describe('why an answer was made with what was there', () => {
  it('has words of its own for each reason in every language', () => {
    for (const { chat, runs } of [en, es, ca, eu]) {
      for (const words of [chat.capped, runs.capped]) {
        expect(words).to.have.all.keys('rounds', 'time', 'budget');
        expect(new Set(Object.values(words)).size).to.equal(3);
      }
    }
  });
});

describe('the budget a teacher sets', () => {
  it('is of questions a day for every participant unless they say otherwise, by the clocks of their browser', () => {
    expect(draftOf()).to.deep.equal({
      ...{ each: true, unit: 'requests', amount: '', period: 'day' },
      timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  });

  it('is a whole number, or money to the cent however it is written, and has a zone while it begins anew', () => {
    const wrong = (more: object) => problemsIn({ ...draftOf(), amount: '20', timezone: 'UTC', ...more });

    expect(wrong({})).to.deep.equal([]);
    for (const amount of ['', '0', '-1', '2.5', '1e400', 'many'])
      expect(wrong({ amount })).to.deep.equal(['amount']);
    expect(wrong({ unit: 'cost', amount: '2,50' })).to.deep.equal([]);
    expect(amountIn(' 2,50 ')).to.equal(2.5);
    expect(wrong({ timezone: 'Mars/Base' })).to.deep.equal(['timezone']);
    expect(wrong({ timezone: '', period: 'total' })).to.deep.equal([]);
  });
});
