import { join } from 'node:path';
import { expect } from 'chai';
import { openDb } from '../../../db/open.js';
import type { Activity } from '../../../src/core/lti/activity.js';
import type { LtiPlatform } from '../../../src/core/lti/platform.js';
import { type FakeModel, startFakeModel } from '../../support/fakes/fakes.js';
import { aLearningPlatform, anActivity, aVisitor, type Visitor } from '../../support/launched.js';
import { held, say } from '../../support/fakes/model-script.js';
import { makeDataDir, removeDataDir, type Service, startService } from '../../support/service.js';
import { tracesOf } from '../../db/stores/run-traces.js';
import { aPerson, inDatabase, type Person, speakingTo } from '../support/users-fixture.js';

const DAY_MS = 86_400_000;

describe('what the service forgets', function () {
  this.timeout(60_000);
  let model: FakeModel;
  let dataDir: string;
  let service: Service;
  let owner: Person;
  let sam: Visitor;
  let kim: Visitor;
  let assistantId: number;
  let platform: LtiPlatform;
  let activity: Activity;

  before(async () => {
    [model, dataDir] = await Promise.all([startFakeModel(), makeDataDir()]);
    service = await startService({}, { dataDir });
    await model.script('tutor', [say('A room.')], { repeat: true });
    owner = await aPerson(service, { config: speakingTo(model) });
    const metadata = { _format_version: 2, connector: 'openai', llm: 'tutor' };
    assistantId = (await service.createAssistant({ metadata }, { key: owner.key })).id;
    platform = await aLearningPlatform(service, owner);
    activity = await anActivity(service, platform, {
      assistants: [{ assistantId, addedBy: owner.id }],
      retentionDays: 30,
    });
    sam = await aVisitor(service, platform, { activity, subject: 'canary-subject-sam' });
    kim = await aVisitor(service, platform, { activity, subject: 'canary-subject-kim' });
  });
  after(async () => {
    await service.stop();
    await Promise.all([removeDataDir(dataDir), model.stop()]);
  });

  const ask = (key: string, words: string) => {
    const messages = [{ role: 'user', content: words }];
    return service.chat(assistantId, { messages, conversation_id: 'new' }, { key });
  };
  const traces = (...needles: string[]) => inDatabase(service, (_, db) => tracesOf(db, needles));

  it('is all of a student who wishes it, whose visit ends with it, and nobody else’s', async () => {
    expect((await ask(sam.key, 'canary-words-sam')).status).to.equal(200);
    expect((await ask(kim.key, 'canary-words-kim')).status).to.equal(200);
    expect((await ask(owner.key, 'canary-words-owner')).status).to.equal(200);
    const others = () => traces('canary-words-kim', kim.subject, 'canary-words-owner');
    const before = await others();
    expect(await traces('canary-words-sam')).to.have.length.above(1);

    const erased = await service.request('/lamb/v1/lti/session/data', { method: 'DELETE', key: sam.key });

    expect(erased.status).to.equal(204);
    expect((await service.request('/lamb/v1/conversations', { key: sam.key })).status).to.equal(401);
    expect(await traces('canary-words-sam', sam.subject, sam.email)).to.deep.equal([]);
    expect(await others()).to.deep.equal(before);
    const [deed] = await inDatabase(service, (_, db) => db('audit').where('action', 'erase own data'));
    expect(deed).to.include({ user_id: null, outcome: 'done' });
  });

  it('is what somebody is told while they are erased, but for what it cost', async () => {
    const lee = await aVisitor(service, platform, { activity, subject: 'canary-subject-lee' });
    await model.script('tutor', [held('erased', say('canary-words-lee'))]);
    const spent = () => inDatabase(service, (_, db) => db('usage_ledger').whereNull('user_id'));
    const [before, { length }] = [await spent(), await model.ledger('tutor')];

    const asking = ask(lee.key, 'canary-words-lee');
    await model.waitFor('tutor', { requests: length + 1 });
    const erased = await service.request('/lamb/v1/lti/session/data', { method: 'DELETE', key: lee.key });
    await model.release('erased');
    const answer = await asking;
    await model.script('tutor', [say('A room.')], { repeat: true });

    expect([erased.status, answer.status, answer.json.choices[0]?.message.content]).to.deep.equal([
      ...[204, 200, 'canary-words-lee'],
    ]);
    expect(await traces('canary-words-lee', lee.subject, lee.email)).to.deep.equal([]);
    expect(await spent()).to.have.length(before.length + 1);
  });

  it('is what is past its date when the service starts', async () => {
    await service.stop();
    const db = await openDb({ kind: 'sqlite', file: join(dataDir, 'bellwether.db') });
    const then = new Date(Date.now() - 31 * DAY_MS).toISOString();
    const theirs = (table: string) => db(table).where('user_id', kim.id);
    await theirs('conversations').update({ updated_at: then });
    await theirs('runs').update({ started_at: then });
    await theirs('lti_participants').update({ last_seen_at: then });
    await theirs('lti_sessions').update({ expires_at: then });
    await theirs('lti_people').update({ created_at: then });
    await db.destroy();

    service = await startService({}, { dataDir });
    const line = await service.waitForLog(({ msg }) => msg === 'what was past its date is gone');

    expect(line).to.include({ conversations: 1, runs: 1, participants: 1, visits: 1, people: 1 });
    expect(JSON.stringify(line)).to.not.contain('canary');
    expect(await traces('canary-words-kim', kim.subject, kim.email)).to.deep.equal([]);
    expect(await traces('canary-words-owner')).to.have.length.above(1);
  });
});
