import { expect } from 'chai';
import {
  changeIn,
  draftOf,
  firstWithRows,
  problemsIn,
  usableAmong,
  withChosen,
} from '../../../web/src/activities/setup-draft.js';
import { tabsFor } from '../../../web/src/course/tabs.js';
import type { Activity, UsableAssistant } from '../../../src/http/contract/activities.js';
import { usableIn } from '../../../web/src/activities/activity.js';

const plain = {
  description: '',
  vision: false,
  attachments: false,
  may_use: true,
  greeting: '',
  starters: [],
  avatar: null,
};
const tutor = { ...plain, id: 1, name: 'Tutor', evaluates: false };
const judge = { ...plain, id: 2, name: 'Judge', evaluates: true };

const anActivity = (facts: Partial<Activity> = {}): Activity => ({
  ...{ id: 7, title: 'Cells', course_title: 'Biology', configured: true, assistants: [tutor] },
  ...{ pinned_version: null, transcript_policy: 'none', retention_days: 180, steps_visible: true },
  ...{ exam_windows: [], evaluation: null, platform_id: 1, platform_name: 'Campus', updated_at: '' },
  ...facts,
});

const usable = (id: number): UsableAssistant => ({
  ...{ id, name: `Assistant ${String(id)}`, description: '', owner_name: '', version: 1 },
  ...{ evaluates: false, tests: null },
});

describe('what an instructor says of an activity', () => {
  it('is what the activity was, until something is changed', () => {
    const exam = {
      from: '2030-06-01T08:00:00.000Z',
      to: '2030-06-01T10:00:00.000Z',
      message: 'Books closed.',
    };
    const activity = anActivity({
      ...{ assistants: [judge], pinned_version: 3, transcript_policy: 'named' },
      ...{ retention_days: 30, steps_visible: false, evaluation: { assistant_id: 2 } },
      exam_windows: [exam],
    });

    expect(changeIn(draftOf(activity))).to.deep.equal({
      ...{ assistant_ids: [2], pinned_version: 3, transcript_policy: 'named' },
      ...{ retention_days: 30, steps_visible: false, evaluation: { assistant_id: 2 } },
      exam_windows: [exam],
    });
  });

  it('holds no version once another assistant stands there, or a second one', () => {
    const draft = draftOf(anActivity({ pinned_version: 3 }));

    expect(changeIn(withChosen(draft, [tutor])).pinned_version).to.equal(3);
    expect(changeIn(withChosen(draft, [judge])).pinned_version).to.equal(null);
    expect(changeIn(withChosen(draft, [tutor, judge])).pinned_version).to.equal(null);
  });

  it('names nobody to propose grades who is not among the chosen, or cannot', () => {
    const draft = draftOf(anActivity({ assistants: [tutor, judge], evaluation: { assistant_id: 2 } }));

    expect(changeIn(withChosen(draft, [judge])).evaluation).to.deep.equal({ assistant_id: 2 });
    expect(changeIn(withChosen(draft, [tutor])).evaluation).to.equal(null);
    expect(changeIn(withChosen(draft, [{ ...judge, evaluates: false }])).evaluation).to.equal(null);
  });

  it('is sent only with an assistant, whole days within the limits, and a version that is a number', () => {
    const draft = draftOf(anActivity());
    const daysOf = (days: string) => problemsIn({ ...draft, days });
    const pinnedTo = (pinned: string) => problemsIn({ ...draft, pinned });

    expect(problemsIn(draft)).to.deep.equal([]);
    expect(problemsIn({ ...draft, chosen: [] })).to.deep.equal(['assistants']);
    for (const days of ['', '0', '-1', '1.5', '3651', 'ten', '1e3'])
      expect(daysOf(days), days).to.deep.equal(['days']);
    for (const days of ['1', ' 90 ', '3650']) expect(daysOf(days), days).to.deep.equal([]);
    for (const version of ['', '0', 'newest']) expect(pinnedTo(version), version).to.deep.equal(['pinned']);
    expect(pinnedTo('12')).to.deep.equal([]);
  });
});

describe('the assistants an instructor chooses from', () => {
  const pages = (...all: (readonly UsableAssistant[])[]) => {
    const asked: (string | undefined)[] = [];
    const read = (cursor: string | undefined) => {
      asked.push(cursor);
      const at = Number(cursor ?? 0);
      const next_cursor = at + 1 < all.length ? String(at + 1) : null;
      return Promise.resolve({ data: all[at] ?? [], next_cursor });
    };
    return { read, asked };
  };

  it('are looked up by what a link suggests, in its order, and no further than needed', async () => {
    const { read, asked } = pages([usable(1)], [usable(2)], [usable(3)]);

    const found = await usableAmong([2, 1, 2], read);

    expect(found.map(({ id }) => id)).to.deep.equal([2, 1]);
    expect(asked).to.deep.equal([undefined, '1']);
  });

  it('do not include what a link suggests and they may not use', async () => {
    const { read } = pages([usable(1)], []);

    expect((await usableAmong([9, 1], read)).map(({ id }) => id)).to.deep.equal([1]);
    expect(await usableAmong([], read)).to.deep.equal([]);
  });

  it('begin with the first page that has some, when those before it were all left out', async () => {
    const { read, asked } = pages([], [], [usable(5)], [usable(6)]);

    const { data, next_cursor } = await firstWithRows(read, undefined);

    expect(data.map(({ id }) => id)).to.deep.equal([5]);
    expect(next_cursor).to.equal('3');
    expect(asked).to.deep.equal([undefined, '1', '2']);
  });
});

describe('the parts of an activity', () => {
  it('are those that somebody can use', () => {
    const [learner, instructor] = [{ role: 'learner' }, { role: 'instructor' }] as const;
    const graded = { configured: true, evaluation: { assistant_id: 2 } };

    expect(tabsFor(learner, anActivity())).to.deep.equal(['chat']);
    expect(tabsFor(learner, graded)).to.deep.equal(['chat', 'submit']);
    expect(tabsFor(instructor, anActivity({ configured: false }))).to.deep.equal(['settings']);
    expect(tabsFor(instructor, graded)).to.deep.equal([
      ...['chat', 'dashboard', 'transcripts', 'grades', 'settings'],
    ]);
  });

  it('let nobody ask an assistant that does not answer there', () => {
    const { may_use: _, ...untold } = tutor;
    const activity = anActivity({ assistants: [untold, { ...judge, may_use: false }] });

    expect(usableIn(activity).map(({ id }) => id)).to.deep.equal([1]);
  });
});
