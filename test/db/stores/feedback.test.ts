import { expect } from 'chai';
import type { Feedback } from '../../../src/core/runs/stores.js';
import type { User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aRun } from '../fixtures.js';
import { type ActivityFixture, anActivityFixture } from './activity-fixture.js';

const FEWEST = 2;
const said = (rating: Feedback['rating'], comment?: string, at = '2026-06-01T12:00:00.000Z'): Feedback => ({
  ...{ rating, comment, at },
});

describeOnEachEngine('what people think of answers', (open) => {
  let fixture: ActivityFixture;
  beforeEach(async () => {
    fixture = await anActivityFixture(await open());
  });

  const anAnswerTo = async (user: User, activityId?: number) => {
    const run = aRun({ user, assistantId: fixture.assistantId }, { activityId });
    await fixture.stores.runs.record(run);
    return run.id;
  };

  it('stands with the run, by the last word of whoever asked', async () => {
    const { owner, stores } = fixture;
    const [mine, silent] = [await anAnswerTo(owner), await anAnswerTo(owner)];
    const other = await fixture.somebody();

    expect(await stores.feedback.give(mine, owner.id, said('up', 'Good.'))).to.equal(true);
    expect(await stores.feedback.give(mine, owner.id, said('down'))).to.equal(true);
    expect(await stores.feedback.give(mine, other.id, said('up'))).to.equal(false);

    expect(await stores.feedback.of(owner.id, [mine, silent])).to.deep.equal(new Map([[mine, said('down')]]));
    expect(await stores.feedback.of(other.id, [mine])).to.deep.equal(new Map());
  });

  it('is added up, the newest comment first, without small groups of an activity', async () => {
    const { owner, stores, activity, assistantId } = fixture;
    const another = await fixture.another();
    const [one, two] = [await fixture.somebody(), await fixture.somebody()];
    const tell = async (user: User, feedback: Feedback, activityId?: number) => {
      const runId = await anAnswerTo(user, activityId);
      await stores.feedback.give(runId, user.id, feedback);
      return runId;
    };
    const first = await tell(owner, said('up', 'First.', '2026-06-01T12:00:00.000Z'));
    const second = await tell(one, said('down', 'Second.', '2026-06-02T12:00:00.000Z'), activity.id);
    await tell(two, said('up'), activity.id);
    await tell(one, said('down', 'Alone.'), another.id);
    await tell(one, said('down', 'Alone again.'), another.id);

    expect(await stores.feedback.on(assistantId, FEWEST)).to.deep.equal({
      ...{ up: 2, down: 1, isSuppressed: true },
      comments: [
        { ...said('down', 'Second.', '2026-06-02T12:00:00.000Z'), runId: second },
        { ...said('up', 'First.'), runId: first },
      ],
    });
  });
});
