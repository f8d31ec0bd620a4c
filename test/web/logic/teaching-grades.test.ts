import { expect } from 'chai';
import fc from 'fast-check';
import type { Rubric } from '../../../src/core/rubrics/rubric.js';
import { totalOf as totalOfService } from '../../../src/core/rubrics/score.js';
import {
  isOpen,
  isUnderWay,
  lengthOf,
  mayGrade,
  studentStateOf,
} from '../../../web/src/course/submissions/submission-states.js';
import {
  changeOf,
  draftOf,
  isChanged,
  levelTotal,
  scoreFault,
  scoreOf,
} from '../../../web/src/course/teaching/grade-draft.js';
import { totalOf } from '../../../web/src/course/teaching/grade-total.js';
import {
  openSubmission,
  markOvertaken,
  savedAs,
  refreshed,
} from '../../../web/src/course/teaching/open-submission.js';
import type { GradedRubric, Submission } from '../../../src/http/contract/submissions.js';

const LEVELS = [
  { id: 'l1', title: 'Good', points: 4, description: '' },
  { id: 'l2', title: 'Fair', points: 2, description: '' },
];
const RUBRIC: GradedRubric = {
  ...{ id: 'r', title: 'Essay', maximum: 10 },
  criteria: [
    { id: 'c1', title: 'Argument', weight: 75, levels: LEVELS },
    { id: 'c2', title: 'Style', weight: 25, levels: LEVELS },
  ],
};

const submission = (facts: Partial<Submission> = {}): Submission => ({
  ...{ id: 's', activity_id: 1, status: 'proposed', version: 3, text: 'Once.', rubric: RUBRIC },
  ...{ created_at: '2027-01-15T10:00:00.000Z', updated_at: '2027-01-15T10:00:00.000Z' },
  proposal: {
    ...{ levels: { c1: 'l1', c2: 'l2' }, total: 8.75, maximum: 10, comment: 'Well argued.' },
    criteria: [],
  },
  ...{ grade: null, evaluation_error: null },
  posting: { state: 'none', attempts: 0, last_error: null, posted_at: null },
  ...facts,
});

describe('what chosen levels come to', () => {
  it('is what the service makes of them, whatever the rubric', () => {
    const points = fc.integer({ min: 0, max: 20 }).map((n) => n / 2);
    const criterion = fc.record({
      weight: fc.integer({ min: 0, max: 100 }),
      points: fc.array(points, { minLength: 1, maxLength: 5 }),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(
        fc.array(criterion, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 100 }),
        (given, maximum) => {
          const criteria = given.map(({ weight, points: all }, i) => ({
            ...{ id: `c${String(i)}`, title: '', weight },
            levels: all.map((each, at) => ({
              id: `l${String(at)}`,
              title: '',
              points: each,
              description: '',
            })),
          }));
          const picks = given.map(({ pick, points: all }) => pick % all.length);
          const levels = Object.fromEntries(picks.map((pick, i) => [`c${String(i)}`, `l${String(pick)}`]));
          const asKept = {
            maxScore: maximum,
            criteria: given.map(({ weight, points: all }) => ({
              weight,
              levels: all.map((score) => ({ score })),
            })),
          } as unknown as Rubric;
          const chosen = picks.map((pick, i) => asKept.criteria[i]?.levels[pick]);
          const total = totalOfService(asKept, chosen as never);

          expect(totalOf({ criteria }, levels, maximum)).to.equal(Math.min(total, maximum));
        },
      ),
    );
  });

  it('is not known while a criterion has no level', () => {
    expect(totalOf(RUBRIC, { c1: 'l1' }, 10)).to.equal(undefined);
    expect(totalOf(RUBRIC, { c1: 'l1', c2: 'unheard of' }, 10)).to.equal(undefined);
  });
});

describe('a grade in the making', () => {
  it('begins with the proposal, and with what was saved once something was', () => {
    const saved = { levels: { c1: 'l2', c2: 'l2' }, score: 5, maximum: 10, comment: 'Mine.' };

    expect(draftOf(submission())).to.deep.equal({
      ...{ levels: { c1: 'l1', c2: 'l2' }, score: undefined, comment: 'Well argued.' },
    });
    expect(draftOf(submission({ grade: saved }))).to.deep.equal({
      ...{ levels: saved.levels, score: undefined, comment: 'Mine.' },
    });
  });

  it('follows its levels until a teacher gives other points, and again when they take them back', () => {
    const given = submission();
    const draft = { ...draftOf(given), levels: { c1: 'l2', c2: 'l2' } };

    expect(scoreOf(given, draft)).to.equal(5);
    expect(scoreOf(given, { ...draft, score: '7,5' })).to.equal(7.5);
    expect(levelTotal(given, draft)).to.equal(5);
    expect(changeOf({ ...draft, score: '7,5' })).to.deep.equal({
      ...{ levels: draft.levels, score: 7.5, comment: 'Well argued.' },
    });
    expect(changeOf(draft)).to.deep.equal({ levels: draft.levels, comment: 'Well argued.' });
  });

  it('knows points of a teacher’s own again after it was saved', () => {
    const grade = { levels: { c1: 'l1', c2: 'l1' }, score: 9.5, maximum: 10, comment: '' };

    expect(draftOf(submission({ grade })).score).to.equal('9.5');
  });

  it('takes neither words nor more than there is for points', () => {
    const given = submission();
    const fault = (score: string) => scoreFault(given, { ...draftOf(given), score });

    expect(fault('ten')).to.equal('no-number');
    expect(fault('')).to.equal('no-number');
    expect(fault('-1')).to.equal('no-number');
    expect(fault('10.5')).to.equal('too-many');
    expect(fault('10')).to.equal(undefined);
  });

  it('can be given without a rubric: by points alone', () => {
    const bare = submission({ rubric: null, proposal: null });
    const draft = { ...draftOf(bare), score: '3' };

    expect(draftOf(bare).score).to.equal('');
    expect(changeOf(draft)).to.deep.equal({ score: 3, comment: '' });
  });

  it('is not changed by blanks around the comment', () => {
    const given = submission();

    expect(isChanged(given, { ...draftOf(given), comment: 'Well argued.\n' })).to.equal(false);
    expect(isChanged(given, { ...draftOf(given), comment: 'Badly argued.' })).to.equal(true);
  });
});

describe('a submission that changes while somebody grades it', () => {
  const newer = submission({
    version: 4,
    grade: { levels: { c1: 'l2', c2: 'l2' }, score: 5, maximum: 10, comment: 'Theirs.' },
  });

  it('is shown as it is now where nothing was typed', () => {
    expect(refreshed(openSubmission(submission()), newer)).to.deep.equal(openSubmission(newer));
  });

  it('keeps what was typed, and says that it was overtaken', () => {
    const held = openSubmission(submission());
    const typing = { ...held, draft: { ...held.draft, comment: 'Mine.' } };
    const after = refreshed(typing, newer);

    expect(after.draft.comment).to.equal('Mine.');
    expect(after.submission.version).to.equal(4);
    expect(after.isOvertaken).to.equal(true);
    expect(refreshed(after, newer).isOvertaken).to.equal(true);
  });

  it('keeps what was typed while the rest of it was being saved', () => {
    const held = openSubmission(submission());
    const later = { ...held, draft: { ...held.draft, comment: 'Theirs. And mine.' } };

    expect(savedAs(held, held.draft, newer)).to.deep.equal(openSubmission(newer));
    expect(savedAs(later, held.draft, newer)).to.deep.equal({ ...later, submission: newer });
  });

  it('is not overtaken by a reading that brings nothing new', () => {
    const held = openSubmission(submission());
    const typing = { ...held, draft: { ...held.draft, comment: 'Mine.' } };

    expect(refreshed(typing, submission())).to.deep.equal(typing);
    expect(markOvertaken(held).isOvertaken).to.equal(true);
  });
});

describe('how far a submission is', () => {
  const posting = (state: NonNullable<Submission['posting']>['state']) => ({
    ...{ state, attempts: 0, last_error: null, posted_at: null },
  });

  it('is worth looking at again only while something happens by itself', () => {
    const moving = (status: Submission['status'], state: Parameters<typeof posting>[0] = 'none') =>
      isUnderWay({ status, posting: posting(state) });

    expect(moving('submitted')).to.equal(true);
    expect(moving('evaluating')).to.equal(true);
    expect(moving('approved', 'waiting')).to.equal(true);
    expect(moving('approved', 'failed')).to.equal(false);
    expect(moving('approved', 'impossible')).to.equal(false);
    expect(moving('proposed')).to.equal(false);
    expect(moving('posted', 'posted')).to.equal(false);
  });

  it('tells a student nothing of proposals', () => {
    for (const status of ['submitted', 'evaluating', 'proposed', 'failed'] as const) {
      expect(studentStateOf({ status })).to.equal('open');
      expect(isOpen({ status })).to.equal(true);
    }
    expect(isOpen({ status: 'approved' })).to.equal(false);
    expect(mayGrade({ status: 'failed' })).to.equal(true);
    expect(mayGrade({ status: 'posted' })).to.equal(false);
  });

  it('counts words and characters of a text', () => {
    expect(lengthOf('  Two words \n')).to.deep.equal({ words: 2, characters: 13 });
    expect(lengthOf('')).to.deep.equal({ words: 0, characters: 0 });
  });
});
