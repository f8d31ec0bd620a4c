import { expect } from 'chai';
import { describeOnEachEngine } from '../../support/databases.js';
import { type ActivityFixture, anActivityFixture } from './activity-fixture.js';

const SPAN = { since: '2026-01-01T00:00:00.000Z', before: '2026-02-01T00:00:00.000Z' };
const SOURCE = { n: 1, title: 'Cells', cited: true };

describeOnEachEngine('what was asked of an assistant', (open) => {
  let fixture: ActivityFixture;
  beforeEach(async () => {
    fixture = await anActivityFixture(await open());
  });

  it('is told with its answer and with what was promised, the newest first and no more than wanted', async () => {
    const { stores, assistantId, activity } = fixture;
    const [student, teacher] = [await fixture.somebody(), await fixture.somebody({ role: 'instructor' })];
    await stores.activities.change(activity.id, { transcriptPolicy: 'named' });
    await stores.participants.giveConsent(activity.id, student.id, undefined);
    const details = { sources: [SOURCE], steps: [] };
    await fixture.ask(student, { policy: 'named', at: '2026-01-03T10:00:00.000Z', details });
    await fixture.ask(teacher, { policy: 'none', at: '2026-01-04T10:00:00.000Z', answer: null });
    await fixture.ask(student, { at: '2026-02-01T00:00:00.000Z' });

    const asked = await stores.assistantInsight.questions(assistantId, SPAN, 10);

    const shown = asked.map(({ runId: _run, at: _at, ...one }) => one);
    const here = { activityId: activity.id, isVisitor: false, question: 'What is a cell?' };
    expect(shown).to.deep.equal([
      {
        ...{ ...here, userId: teacher.id, isLearner: false, begunUnder: 'none', agrees: false },
        answer: undefined,
      },
      {
        ...{ ...here, userId: student.id, isLearner: true, begunUnder: 'named', agrees: true },
        answer: { text: 'A room.', isIncomplete: false, sources: [SOURCE] },
      },
    ]);
    expect(await stores.assistantInsight.questions(assistantId, SPAN, 1)).to.have.length(1);
    expect(await stores.assistantInsight.questions(assistantId + 1, SPAN, 10)).to.deep.equal([]);
  });

  it('is told with what people think of it, no help first, without small groups and without what is gone', async () => {
    const { stores, assistantId, db } = fixture;
    const [one, two] = [await fixture.somebody(), await fixture.somebody()];
    const rate = async (user: typeof one, rating: 'up' | 'down', day: string) => {
      const conversationId = await fixture.ask(user, { policy: 'pseudonymous' });
      const [run] = (await db('runs').where({ conversation_id: conversationId }).select('id')) as [
        { id: string },
      ];
      await stores.feedback.give(run.id, user.id, { rating, comment: undefined, at: `${day}T10:00:00.000Z` });
      return conversationId;
    };
    const gone = await rate(one, 'up', '2026-01-05');
    const bounds = { fewestStudents: 2, most: 10 };
    expect(await stores.assistantInsight.rated(assistantId, SPAN, bounds)).to.deep.equal([]);

    await rate(two, 'down', '2026-01-04');
    await rate(two, 'up', '2026-03-04');
    await stores.conversations.delete({ userId: one.id, activityId: fixture.activity.id }, gone);
    const rated = await stores.assistantInsight.rated(assistantId, SPAN, bounds);

    expect(rated.map(({ rating, asked }) => [rating, asked?.question])).to.deep.equal([
      ['down', 'What is a cell?'],
      ['up', undefined],
    ]);
    expect(await stores.assistantInsight.rated(assistantId, SPAN, { ...bounds, most: 1 })).to.have.length(1);
  });
});
