import { expect } from 'chai';
import { shownDays } from '../../src/activities/k-anonymity.js';
import type { StudentDay } from '../../src/core/lti/activity-insight.js';

/** 2026-01-05 is a Monday. */
const january = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `2026-01-${String(from + i).padStart(2, '0')}`);
const asked = (day: string, students: readonly number[], named = false): StudentDay[] =>
  students.map((userId) => ({ day, userId, questions: 1, unanswered: 0, sourceless: 0, named }));
const sorted = (days: ReadonlySet<string>) => [...days].sort();

describe('figures of small groups', () => {
  const monday = '2026-01-05';
  const tuesday = '2026-01-06';

  it('show a day on which five asked, and not one on which four did', () => {
    const cells = [...asked(monday, [1, 2, 3, 4, 5]), ...asked(tuesday, [1, 2, 3, 4])];

    const { counted, shown } = shownDays(cells, { days: [monday, tuesday], policy: 'pseudonymous' });

    expect(sorted(counted)).to.deep.equal([monday]);
    expect(sorted(shown)).to.deep.equal([monday]);
  });

  it('show that nobody asked anything', () => {
    expect(sorted(shownDays([], { days: [monday], policy: 'none' }).shown)).to.deep.equal([monday]);
  });

  it('count small days together once their week is over and five asked in it', () => {
    const cells = [...asked(monday, [1, 2]), ...asked(tuesday, [3, 4, 5])];

    const { counted, shown } = shownDays(cells, { days: january(1, 12), policy: 'none' });

    expect(sorted(counted)).to.deep.equal([monday, tuesday]);
    expect([...shown]).to.not.include.members([monday]);
    expect(
      shownDays(cells, { days: january(1, 11), policy: 'none' }).counted.size,
      'today is in it',
    ).to.equal(0);
    expect(shownDays(cells, { days: january(6, 12), policy: 'none' }).counted.size, 'only a part').to.equal(
      0,
    );
  });

  it('never differ by fewer than five students, whatever two periods are compared', () => {
    const cells = january(1, 31).flatMap((day, i) =>
      asked(
        day,
        Array.from({ length: (i * 7) % 9 }, (_, n) => (i * 3 + n) % 11),
      ),
    );
    const countedOf = (from: number) => shownDays(cells, { days: january(from, 31), policy: 'none' }).counted;

    for (let from = 1; from < 31; from++) {
      const [longer, shorter] = [countedOf(from), countedOf(from + 1)];
      const difference = [...longer].filter((day) => !shorter.has(day));
      const students = new Set(
        cells.filter(({ day }) => difference.includes(day)).map(({ userId }) => userId),
      );
      expect(
        [...shorter].filter((day) => !longer.has(day)),
        'nothing comes by taking away',
      ).to.deep.equal([]);
      expect(students.size === 0 || students.size >= 5, String(from)).to.equal(true);
    }
  });

  it('are open where all was said under their names, and stay closed where anything was not', () => {
    const cells = [...asked(monday, [1], true), ...asked(tuesday, [1], true), ...asked(tuesday, [2])];

    const { counted } = shownDays(cells, { days: [monday, tuesday], policy: 'named' });

    expect(sorted(counted)).to.deep.equal([monday]);
    expect(shownDays(cells, { days: [monday], policy: 'pseudonymous' }).counted.size).to.equal(0);
  });
});
