import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { NOTHING } from '../../../src/core/budgets/budget.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aModelStep, aRun } from '../fixtures.js';
import { anErasureFixture, type ErasureFixture, type Student } from './erasure-fixture.js';
import { tracesOf } from './run-traces.js';

describeOnEachEngine('what is forgotten', (open) => {
  let scene: ErasureFixture;
  let sam: Student;
  let kim: Student;

  beforeEach(async () => {
    scene = await anErasureFixture(await open());
    sam = await scene.student('sam');
    kim = await scene.student('kim');
    await scene.stores.conversations.create({
      ...{ userId: scene.owner.id, assistantId: scene.assistantId, title: 'Of an ordinary user' },
    });
  });
  afterEach(() => scene.close());

  const ledgerOf = (activityId: number) =>
    scene.db('usage_ledger').where('activity_id', activityId).sum({ sum: 'prompt_tokens' }).first();

  /** What is on the books now, and everything that stands of those who stay. */
  const others = async () => ({
    kim: await scene.traces(kim),
    pictures: await scene.pictures(kim),
    ordinary: await tracesOf(scene.db, ['Of an ordinary user', scene.owner.email]),
    books: await ledgerOf(scene.activity.id),
  });

  it('stands in every table that knows people, or this test would prove nothing', async () => {
    const tables = new Set((await scene.traces(sam)).map((place) => place.split('.')[0]));

    expect([...tables]).to.include.members([
      ...['users', 'lti_people', 'lti_participants', 'lti_consents', 'lti_sessions', 'lti_submissions'],
      ...['conversations', 'messages', 'runs', 'run_steps', 'usage_ledger', 'audit', 'approvals'],
      ...['handovers', 'handed_calls', 'resumable_runs', 'run_frames'],
    ]);
    expect(await scene.pictures(sam)).to.deep.equal([sam.picture]);
  });

  it('is all that is past its date, from every table and from disk, and nothing else', async () => {
    const before = await others();
    await scene.age(sam, 31);

    await scene.sweep();

    expect(await scene.traces(sam)).to.deep.equal([]);
    expect(await scene.pictures(sam)).to.deep.equal([]);
    expect(await others()).to.deep.equal(before);
  });

  it('is nothing a day before that', async () => {
    await scene.age(sam, 29);
    const before = await scene.traces(sam);

    await scene.sweep();

    const over = ['approvals', 'lti_sessions', 'handovers', 'handed_calls', 'resumable_runs', 'run_frames'];
    const stays = before.filter((place) => !over.some((table) => place.startsWith(table)));
    expect(await scene.traces(sam)).to.deep.equal(stays);
    expect(await scene.pictures(sam)).to.deep.equal([sam.picture]);
  });

  it('is old in what is old: who comes again keeps what they did lately', async () => {
    await scene.age(sam, 31);
    await scene.stores.participants.join(scene.activity.id, sam.user.id, 'learner');
    const whose = { userId: sam.user.id, activityId: scene.activity.id };
    await scene.ask(sam.user, { at: new Date().toISOString(), question: 'Something new' });

    await scene.sweep();

    const { data } = await scene.stores.conversations.list(whose, {}, { limit: 10 });
    expect(data.map(({ title }) => title)).to.deep.equal(['Something new']);
    expect(await scene.db('runs').where('user_id', sam.user.id)).to.have.length(1);
    expect(await scene.db('lti_people').where('user_id', sam.user.id)).to.have.length(1);
  });

  it('is all of somebody at once when they wish it', async () => {
    const before = await others();

    await scene.erasure.erase(scene.activity.id, sam.user.id);

    expect(await scene.traces(sam)).to.deep.equal([]);
    expect(await scene.pictures(sam)).to.deep.equal([]);
    expect(await others()).to.deep.equal(before);
  });

  it('is what is being drawn for them meanwhile: nothing of it stays', async () => {
    const own = scene.stores.files.ofOwner(sam.user.id);
    const draw = () =>
      own.write(`images/${randomUUID()}.png`, Buffer.from('a picture')).then(
        () => 'kept',
        (fault: unknown) => (fault as Error).message,
      );
    const outcomes = new Set<string>();
    let isErased = false;
    const artist = async () => {
      while (!isErased) outcomes.add(await draw());
    };

    const artists = [artist(), artist(), artist()];
    await scene.erasure.erase(scene.activity.id, sam.user.id);
    isErased = true;
    await Promise.all(artists);
    outcomes.add(await draw());

    expect(await scene.pictures(sam)).to.deep.equal([]);
    expect([...outcomes]).to.deep.equal(['kept', 'This account is not there any more.']);
  });

  it('is a run that ends after its speaker was forgotten, but for what it cost, which is settled', async () => {
    const { budgets, runs } = scene.stores;
    const { organizationId } = scene.owner;
    const { id: budgetId } = await budgets.create({
      ...{ organizationId, scope: { type: 'organization', id: organizationId, each: false }, unit: 'tokens' },
      ...{ amount: 100, alerts: [], period: 'total', timezone: 'UTC' },
      ...{ startsAt: undefined, endsAt: undefined },
    });
    const account = { budgetId, userId: 0, periodStart: '1970-01-01T00:00:00.000Z' };
    await budgets.figures([account]);
    await budgets.reserve(
      { id: 'hold', runId: 'run', parts: [{ ...account, amount: 50 }], expiresAt: '2999' },
      [],
    );
    await scene.erasure.erase(scene.activity.id, sam.user.id);
    const tokens = (amount: number) => ({ ...NOTHING, tokens: amount });
    const accounts = [{ ...account, unit: 'tokens' as const }];
    const settlements = [{ holdId: 'hold', accounts, held: tokens(50), spent: tokens(35) }];
    const late = aRun(
      { user: sam.user, assistantId: scene.assistantId },
      { activityId: scene.activity.id, steps: [aModelStep()], settlements },
    );

    const told = await runs.record(late).catch((fault: unknown) => (fault as { status?: number }).status);

    expect(told).to.equal(401);
    expect(await scene.traces(sam)).to.deep.equal([]);
    const [booked] = await scene.db('usage_ledger').where('run_id', late.id);
    expect(booked).to.include({ user_id: null, prompt_tokens: 30, completion_tokens: 5 });
    expect((await budgets.figures([account]))[0]).to.include({ used: 35, reserved: 0 });
  });

  it('is out of sight as soon as its erasure has begun, and gone once another process has swept', async () => {
    const { conversations, erasure, launches } = scene.stores;
    const whose = { userId: sam.user.id, activityId: scene.activity.id };
    const of = { activityId: scene.activity.id, begunUnder: ['named'], onlyAgreed: false } as const;
    const { id } = await scene.db('lti_sessions').where('user_id', sam.user.id).first('id');

    // And then the process is killed.
    await erasure.beginErasure(scene.activity.id, sam.user.id);
    await scene.stores.participants.join(scene.activity.id, sam.user.id, 'learner');

    expect((await conversations.list(whose, {}, { limit: 10 })).data, 'own').to.deep.equal([]);
    const seen = await scene.stores.activityInsight.transcripts(of, { limit: 10 });
    expect(seen.data, 'read by others').to.have.length(1);
    expect(await launches.get(id, new Date().toISOString())).to.equal(undefined);

    await scene.db('lti_participants').where('user_id', sam.user.id).del();
    await scene.age(sam, 2);
    await scene.sweep();
    expect(await scene.traces(sam)).to.deep.equal([]);
  });

  it('is written down by a run that outlives its speaker’s erasure, and swept up', async () => {
    const elsewhere = await scene.another({ transcriptPolicy: 'named' });
    await scene.stores.participants.join(elsewhere.id, sam.user.id, 'learner');
    await scene.erasure.erase(scene.activity.id, sam.user.id);
    await scene.ask(sam.user, { at: new Date().toISOString(), question: 'canary-words-sam' });

    await scene.sweep();

    expect(await tracesOf(scene.db, ['canary-words-sam', 'canary-name-sam'])).to.deep.equal([]);
    expect(await scene.db('runs').where('user_id', sam.user.id)).to.deep.equal([]);
  });

  it('is of one activity: what the same person has elsewhere stays', async () => {
    const elsewhere = await scene.another({ transcriptPolicy: 'named' });
    await scene.student('sam', elsewhere);

    await scene.erasure.erase(scene.activity.id, sam.user.id);

    const left = await scene.db('conversations').where('user_id', sam.user.id).pluck('activity_id');
    expect(left).to.deep.equal([elsewhere.id]);
    expect(await scene.db('runs').where('user_id', sam.user.id)).to.have.length(3);
    expect(await scene.db('lti_people').where('user_id', sam.user.id)).to.have.length(1);
    expect(await scene.pictures(sam)).to.have.length(1);
  });

  it('is not who placed what others use, or has shown that an account is theirs', async () => {
    const { activities, ltiPeople } = scene.stores;
    const assistants = [{ assistantId: scene.assistantId, addedBy: sam.user.id }];
    await activities.change((await scene.another()).id, { assistants });
    await ltiPeople.link(kim.user.id, scene.owner.id);
    for (const one of [sam, kim]) await scene.age(one, 31);

    await scene.sweep();

    expect(await scene.db('lti_people').orderBy('user_id').pluck('user_id')).to.deep.equal([
      ...[sam.user.id, kim.user.id],
    ]);
    expect(await tracesOf(scene.db, ['canary-words', 'canary-name'])).to.deep.equal([]);
  });

  it('is not who has spent of a budget of everybody’s own, until its period is over', async () => {
    const { budgets } = scene.stores;
    const scope = { type: 'activity', id: scene.activity.id, each: true } as const;
    const { id: budgetId } = await budgets.create({
      ...{ organizationId: scene.owner.organizationId, scope, unit: 'tokens', amount: 100, alerts: [50] },
      ...{ period: 'day', timezone: 'UTC', startsAt: undefined, endsAt: undefined },
    });
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    const account = { budgetId, userId: sam.user.id, periodStart: today };
    await budgets.figures([account]);
    await scene.db('budget_accounts').where('user_id', sam.user.id).update({ used: 100 });
    await budgets.alerts.noticeReached([account]);

    await scene.erasure.erase(scene.activity.id, sam.user.id);
    expect(await scene.db('users').where('id', sam.user.id)).to.have.length(1);
    expect(await tracesOf(scene.db, ['canary-words-sam', 'canary-name-sam'])).to.deep.equal([]);

    const longAgo = new Date(Date.now() - 4 * 86_400_000).toISOString();
    await scene.db('budget_accounts').where('user_id', sam.user.id).update({ period_start: longAgo });
    await scene.age(sam, 2);
    expect(await scene.sweep()).to.include({ budgets: 1 });
    expect(await scene.traces(sam)).to.deep.equal([]);
  });

  it('is a work with a grade on its way, but for the grade, until the platform has it', async () => {
    const theirs = () => scene.db('lti_submissions').where('user_id', sam.user.id);
    await theirs().update({ status: 'approved', work: 'post', grade: '{}', proposal: '"canary-words-sam"' });

    await scene.erasure.erase(scene.activity.id, sam.user.id);
    const [kept] = await theirs();
    expect(kept).to.include({ text: '', who: null, proposal: null, grade: '{}' });
    expect(await tracesOf(scene.db, ['canary-words-sam', 'canary-name-sam'])).to.deep.equal([]);

    await theirs().update({ status: 'posted', work: null });
    await scene.age(sam, 2);
    await scene.sweep();
    expect(await scene.traces(sam)).to.deep.equal([]);
  });

  it('is what could be used once, and keys that sign nothing any more', async () => {
    const { ltiKeys, tickets } = scene.stores;
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const hash of ['old', 'young']) {
      const expiresAt = hash === 'old' ? ago(1) : ago(-1);
      await tickets.leave({ purpose: 'lti launch', hash, payload: '', expiresAt });
    }
    for (const kid of ['a', 'b', 'c']) await ltiKeys.add({ kid, publicJwk: '{}', privateKey: '' });
    await scene
      .db('lti_keys')
      .where('kid', 'a')
      .update({ retired_at: ago(8) });

    await scene.sweep();

    expect(await scene.db('one_time_tickets').pluck('hash')).to.deep.equal(['young']);
    expect(await scene.db('lti_keys').orderBy('kid').pluck('kid')).to.deep.equal(['b', 'c']);
  });
});
