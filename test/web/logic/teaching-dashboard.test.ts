import { expect } from 'chai';
import { busiestOf, hiddenDays, isUnused, shareOf } from '../../../web/src/course/teaching/dashboard.js';
import type { Dashboard } from '../../../src/http/contract/activities.js';

const dashboard = (facts: Partial<Dashboard> = {}): Dashboard => ({
  period: { from: '2027-01-01', to: '2027-01-02' },
  participants: { students: 0, of: null, suppressed: false },
  questions: { total: 0, per_day: [{ day: '2027-01-01', questions: 0 }] },
  tools: [],
  attention: { unanswered: 0, sourceless: 0, examples: [] },
  cost: { amount: null, currency: null, prompt_tokens: 0, completion_tokens: 0 },
  ...{ transcript_policy: 'pseudonymous', small_group: false },
  ...facts,
});

const WITHHELD = { questions: { total: null, per_day: [] }, small_group: true };

describe('what a dashboard makes of its figures', () => {
  it('is empty only where nobody took part and nothing was asked', () => {
    expect(isUnused(dashboard())).to.equal(true);
    expect(isUnused(dashboard({ participants: { students: 1, of: 30, suppressed: false } }))).to.equal(false);
    expect(isUnused(dashboard({ participants: { students: 0, of: null, suppressed: true } }))).to.equal(
      false,
    );
    expect(isUnused(dashboard({ questions: { total: 2, per_day: [] } }))).to.equal(false);
    expect(
      isUnused(dashboard({ ...WITHHELD, participants: { students: null, of: 9, suppressed: true } })),
    ).to.equal(false);
    expect(
      isUnused(dashboard({ ...WITHHELD, participants: { students: null, of: 9, suppressed: false } })),
    ).to.equal(true);
  });

  it('says how many of the course took part, where it is known how many there are', () => {
    expect(shareOf({ students: 12, of: 48, suppressed: false })).to.equal(25);
    expect(shareOf({ students: 3, of: null, suppressed: false })).to.equal(undefined);
    expect(shareOf({ students: 3, of: 0, suppressed: false })).to.equal(undefined);
    expect(shareOf({ students: null, of: 30, suppressed: true })).to.equal(undefined);
    expect(shareOf({ students: 5, of: 4, suppressed: false })).to.equal(100);
  });

  it('counts days that are held back apart from days without a question', () => {
    const per_day = [
      { day: '2027-01-01', questions: null },
      { day: '2027-01-02', questions: 0 },
      { day: '2027-01-03', questions: 9 },
      { day: '2027-01-04', questions: 7 },
    ];

    expect(hiddenDays(dashboard({ questions: { total: 18, per_day } }))).to.equal(1);
    expect(busiestOf(per_day)?.day).to.equal('2027-01-03');
    expect(busiestOf([{ day: '2027-01-01', questions: null }])).to.equal(undefined);
  });
});
