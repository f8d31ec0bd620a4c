import { expect } from 'chai';
import type { User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { type ActivityFixture, anActivityFixture } from './activity-fixture.js';

const JANUARY = { since: '2026-01-01T00:00:00.000Z', before: '2026-02-01T00:00:00.000Z' };
const on = (day: string) => `2026-01-${day}T10:00:00.000Z`;
const SOURCED = { sources: [{ n: 1, title: 'Cells', cited: true }], steps: [] };

describeOnEachEngine('what is seen of an activity', (open) => {
  let scene: ActivityFixture;
  let sam: User;
  beforeEach(async () => {
    scene = await anActivityFixture(await open());
    sam = await scene.somebody();
  });

  const days = async (retrieving: readonly number[] = []) => {
    const filter = { ...JANUARY, activityId: scene.activity.id, retrieving };
    const found = await scene.stores.activityInsight.studentDays(filter);
    return found
      .map(({ day, userId, questions, unanswered, sourceless, named }) => ({
        ...{ day, userId, seen: [questions, unanswered, sourceless, named] },
      }))
      .sort((one, other) => (one.day < other.day ? -1 : 1));
  };

  it('counts what learners asked, by day of UTC, and nothing of instructors or other activities', async () => {
    const teacher = await scene.somebody({ role: 'instructor' });
    const elsewhere = await scene.another();
    await scene.ask(sam, { at: on('05') });
    await scene.ask(sam, { at: on('05') });
    await scene.ask(sam, { at: '2026-01-06T23:59:59.999Z' });
    await scene.ask(sam, { at: JANUARY.before });
    await scene.ask(sam, { at: on('05'), activity: elsewhere });
    await scene.ask(teacher, { at: on('05') });

    expect(await days()).to.deep.equal([
      { day: '2026-01-05', userId: sam.id, seen: [2, 0, 0, false] },
      { day: '2026-01-06', userId: sam.id, seen: [1, 0, 0, false] },
    ]);
  });

  it('tells questions that got no answer, and half an answer is none', async () => {
    await scene.ask(sam, { at: on('05'), answer: null });
    await scene.ask(sam, { at: on('05'), incomplete: true });
    await scene.ask(sam, { at: on('05') });

    expect((await days())[0]?.seen).to.deep.equal([3, 2, 0, false]);
  });

  it('takes messages that came together for one question', async () => {
    const id = await scene.ask(sam, { at: on('05'), answer: null });
    const whose = { userId: sam.id, activityId: scene.activity.id };
    const [first] = await scene.stores.conversations.messages(whose, id);
    const runId = first!.runId;
    await scene.stores.conversations.append(whose, id, [
      { role: 'user', content: 'In a plant.', runId, incomplete: false },
      { role: 'assistant', content: 'A room.', runId, incomplete: false },
    ]);
    await scene
      .db('messages')
      .where('conversation_id', id)
      .update({ created_at: on('05') });

    expect((await days())[0]?.seen).to.deep.equal([1, 0, 0, false]);
  });

  it('tells answers without a source, of assistants that look things up alone', async () => {
    await scene.ask(sam, { at: on('05') });
    await scene.ask(sam, { at: on('05'), details: { sources: [], steps: [] } });
    await scene.ask(sam, { at: on('05'), details: SOURCED });

    expect((await days([scene.assistantId]))[0]?.seen).to.deep.equal([3, 0, 2, false]);
    expect((await days())[0]?.seen).to.deep.equal([3, 0, 0, false]);
  });

  it('counts calls of tools by day, and leaves out what instructors tried', async () => {
    const teacher = await scene.somebody({ role: 'instructor' });
    await scene.ask(sam, { at: on('05') });
    await scene.ask(teacher, { at: on('05') });

    const found = await scene.stores.activityInsight.toolDays(scene.activity.id, JANUARY);

    expect(found).to.deep.equal([{ day: '2026-01-05', tool: 'weather', calls: 1, failed: 0 }]);
  });

  it('keeps what was spent on the books when the person is forgotten', async () => {
    const teacher = await scene.somebody({ role: 'instructor' });
    await scene.ask(sam, { at: on('05') });
    await scene.ask(sam, { at: on('05') });
    await scene.ask(teacher, { at: on('05') });
    await scene.db('usage_ledger').where('user_id', sam.id).update({ user_id: null });

    const found = await scene.stores.activityInsight.usageDays(scene.activity.id, JANUARY);

    expect(found.map(({ key, promptTokens }) => [key, promptTokens])).to.deep.equal([['2026-01-05', 60]]);
  });

  it('shows conversations by the policy they began under, last used first', async () => {
    const { activityInsight } = scene.stores;
    await scene.ask(sam, { at: on('05'), policy: 'none' });
    const second = await scene.ask(sam, { at: on('06'), policy: 'pseudonymous' });
    const third = await scene.ask(sam, { at: on('07'), policy: 'named' });
    const of = {
      activityId: scene.activity.id,
      begunUnder: ['pseudonymous', 'named'],
      onlyAgreed: true,
    } as const;
    const ids = async () => (await activityInsight.transcripts(of, { limit: 9 })).data.map(({ id }) => id);

    expect(await ids(), 'who has not agreed to be named is not').to.deep.equal([second]);
    await scene.stores.activities.change(scene.activity.id, { transcriptPolicy: 'named' });
    await scene.stores.participants.giveConsent(scene.activity.id, sam.id);
    expect(await ids()).to.deep.equal([third, second]);
    expect(await activityInsight.hasSpeakers(1, of)).to.equal(true);
    expect(await activityInsight.hasSpeakers(2, of), 'one student').to.equal(false);
    expect(await activityInsight.transcript({ ...of, begunUnder: ['named'] }, second)).to.equal(undefined);
    const page = await activityInsight.transcripts(of, { limit: 1 });
    const cursor = page.nextCursor!;
    const rest = await activityInsight.transcripts(of, { limit: 1, cursor });
    expect(rest.data.map(({ id }) => id)).to.deep.equal([second]);
  });

  it('gives examples of questions that went wrong, of conversations that may be read', async () => {
    const hidden = { at: on('05'), answer: null, question: 'hidden' };
    await scene.ask(sam, { ...hidden, policy: 'none' });
    const conversationId = await scene.ask(sam, { at: on('06'), answer: null, policy: 'pseudonymous' });
    const filter = { ...JANUARY, activityId: scene.activity.id, retrieving: [] };
    const of = { activityId: scene.activity.id, begunUnder: ['pseudonymous'], onlyAgreed: false } as const;

    expect(await scene.stores.activityInsight.weakAnswers(filter, of, 10)).to.deep.equal([
      { conversationId, question: 'What is a cell?', why: 'unanswered', at: on('06') },
    ]);
  });
});
