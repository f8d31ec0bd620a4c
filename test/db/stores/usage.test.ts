import { expect } from 'chai';
import type { Knex } from 'knex';
import type { RunRecord } from '../../../src/core/runs/record.js';
import type { UsageFilter, UsageGroup } from '../../../src/core/runs/usage.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aModelStep, aRun, aUser, content, storesOn } from '../fixtures.js';
import { anActivityFixture } from './activity-fixture.js';

const JANUARY = { since: '2026-01-01T00:00:00.000Z', before: '2026-02-01T00:00:00.000Z' };
const on = (day: string) => `2026-01-${day}T10:00:00.000Z`;

describeOnEachEngine('what was used', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;
  let pupil: User;
  let theirs: number;
  let other: number;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores);
    pupil = await aUser(stores, { organizationId: owner.organizationId });
    theirs = (await stores.assistants.create(owner, content())).id;
    other = (await stores.assistants.create(await aUser(stores), content())).id;
  });

  /** One run with one call of each of these models. */
  async function record(user: User, assistantId: number, startedAt: string, models = ['small']) {
    const steps = models.map((model) => aModelStep({ model, startedAt }));
    const run: RunRecord = aRun({ user, assistantId }, { startedAt, steps });
    await stores.runs.record(run);
  }

  /** The same before and after it is added up by day. */
  async function sums(filter: Partial<UsageFilter>, group: UsageGroup) {
    const found = await asItIs(filter, group);
    while (await stores.usage.addUp());
    expect(await asItIs(filter, group)).to.deep.equal(found);
    return found;
  }

  async function asItIs(filter: Partial<UsageFilter>, group: UsageGroup) {
    const found: Record<string, [runs: number, promptTokens: number]> = {};
    for (const { key, runs, promptTokens } of await stores.usage.slices({ ...JANUARY, ...filter }, group)) {
      const [before, tokens] = found[key] ?? [0, 0];
      found[key] = [before + runs, tokens + promptTokens];
    }
    return found;
  }

  async function runCount(filter: Partial<UsageFilter>) {
    const slices = await stores.usage.slices({ ...JANUARY, ...filter }, 'model');
    return slices.reduce((sum, { runsInAll }) => sum + runsInAll, 0);
  }

  it('is added up by day, assistant, model and user, a run once however often it asked', async () => {
    await record(owner, theirs, on('01'), ['small', 'small', 'large']);
    await record(pupil, theirs, on('02'));
    await record(pupil, theirs, '2026-02-01T00:00:00.000Z');
    const filter = { organizationId: owner.organizationId };

    expect(await sums(filter, 'day')).to.deep.equal({ '2026-01-01': [1, 90], '2026-01-02': [1, 30] });
    expect(await sums(filter, 'assistant')).to.deep.equal({ [theirs]: [2, 120] });
    expect(await sums(filter, 'model')).to.deep.equal({ 'openai/small': [2, 90], 'openai/large': [1, 30] });
    expect(await sums(filter, 'user')).to.deep.equal({ [owner.id]: [1, 90], [pupil.id]: [1, 30] });
    expect(await runCount(filter)).to.equal(2);
  });

  it('is told for each question of somebody, with what was asked on its way, since a moment', async () => {
    const paid = aModelStep({ startedAt: on('03'), cost: { amount: 500, currency: 'EUR' } });
    const asked = aRun({ user: pupil, assistantId: theirs }, { startedAt: on('03'), steps: [paid] });
    const child = { startedAt: on('03'), steps: [paid], parentRunId: asked.id };
    await record(pupil, theirs, on('01'));
    await record(pupil, theirs, on('02'), ['small', 'large']);
    await stores.runs.record(asked);
    await stores.runs.record(aRun({ user: pupil, assistantId: other }, child));
    await record(owner, theirs, on('03'));
    const { promptTokens, completionTokens } = paid.usage!;
    const tokens = promptTokens + completionTokens;

    expect(await stores.usage.questionsOf(pupil.id, on('02'))).to.deep.equal({
      ...{ questions: 2, tokens: 4 * tokens, priced: 1, cost: 1_000 },
    });
    expect(await stores.usage.questionsOf(pupil.id, on('04'))).to.deep.equal({
      ...{ questions: 0, tokens: 0, priced: 0, cost: 0 },
    });
  });

  it('is somebody’s own and that of their assistants, each call once, whatever lets them see it', async () => {
    await record(owner, theirs, on('01'));
    await record(pupil, theirs, on('02'));
    await record(owner, other, on('03'));
    await record(pupil, other, on('04'));
    const own = { userId: owner.id, ownerId: owner.id };

    expect(Object.keys(await sums(own, 'day')).sort()).to.deep.equal(
      ['01', '02', '03'].map((day) => on(day).slice(0, 10)),
    );
    expect(await sums({ ...own, assistantId: other }, 'assistant')).to.deep.equal({ [other]: [1, 30] });
    const all = { ...own, organizationId: owner.organizationId };
    expect(await runCount(all)).to.equal(4);
    expect(await runCount({})).to.equal(4);
  });

  it('is told by activity, and of one alone; what was said elsewhere has no key', async () => {
    const at = (activityId: number | undefined, startedAt: string) => ({
      ...{ activityId, startedAt, steps: [aModelStep({ startedAt })] },
    });
    const run = { user: pupil, assistantId: theirs };
    await stores.runs.record(aRun(run, at(7, on('01'))));
    await stores.runs.record(aRun(run, at(7, on('02'))));
    await stores.runs.record(aRun(run, at(8, on('02'))));
    await record(owner, theirs, on('03'));
    const filter = { organizationId: owner.organizationId };

    expect(await sums(filter, 'activity')).to.deep.equal({ 7: [2, 60], 8: [1, 30], '': [1, 30] });
    expect(await sums({ ...filter, activityId: 7 }, 'day')).to.deep.equal({
      '2026-01-01': [1, 30],
      '2026-01-02': [1, 30],
    });
    expect(await runCount({ ...filter, activityId: 8 })).to.equal(1);
    expect(await runCount(filter)).to.equal(4);
  });

  it('is told of one course with all its activities, and of what one person asked', async () => {
    const {
      owner: teacher,
      platform,
      activity,
      another,
      assistantId,
      somebody,
    } = await anActivityFixture(db);
    const [first, second] = [await somebody(), await somebody()];
    const say = (user: User, activityId: number | undefined, startedAt = on('01')) =>
      stores.runs.record(
        aRun({ user, assistantId }, { activityId, startedAt, steps: [aModelStep({ startedAt })] }),
      );
    await say(first, activity.id);
    await say(second, (await another()).id);
    await say(second, undefined);
    const courses = await stores.activities.courses({ organizationId: teacher.organizationId });
    const course = courses.find(({ platformId }) => platformId === platform.id)!;
    const filter = { ...JANUARY, organizationId: teacher.organizationId };

    expect(await sums({ ...filter, courseId: course.id }, 'user')).to.deep.equal({
      ...{ [first.id]: [1, 30], [second.id]: [1, 30] },
    });
    expect(await sums({ ...filter, courseId: course.id + 1 }, 'user')).to.deep.equal({});
    expect(await sums({ ...filter, askedBy: second.id }, 'user')).to.deep.equal({ [second.id]: [2, 60] });
  });

  it('stays on the books when an assistant is deleted, and when a run had none', async () => {
    await record(pupil, theirs, on('01'));
    await stores.assistants.delete(theirs);
    await stores.runs.record(
      aRun(
        { user: owner, assistantId: theirs },
        { assistantId: undefined, startedAt: on('02'), steps: [aModelStep({ startedAt: on('02') })] },
      ),
    );

    const own = { userId: owner.id, ownerId: owner.id };
    expect(await sums(own, 'assistant')).to.deep.equal({ [theirs]: [1, 30], '': [1, 30] });
  });
});
