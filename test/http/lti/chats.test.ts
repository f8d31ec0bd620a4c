import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, held, say } from '../../support/fakes/model-script.js';
import { anActivity, aVisitor } from '../../support/launched.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { aCourse, configuring } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { disable, inDatabase } from '../support/users-fixture.js';

describe('chatting in an activity', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  for (const [title, take] of Object.entries({
    'the assistant is no longer published': async ({
      assistant,
      owner,
    }: Awaited<ReturnType<typeof aCourse>>) => {
      await inDatabase(world.service, ({ assistants }) =>
        assistants.setPublished(assistant.id, false, 'organization', owner.id),
      );
    },
    'its owner is switched off': ({ owner }: Awaited<ReturnType<typeof aCourse>>) =>
      disable(world.service, owner),
  })) {
    it(`ends when ${title}: mid-run at the next call, and with 404 after`, async () => {
      const { service, model, weather } = world;
      const [gate, town] = [uniqueName('gate'), `Town ${randomUUID()}`];
      const steps = [held(gate, call('get_weather', { city: town })), say('Done.')];
      const course = await aCourse(world, steps, { tools: [weatherFunction] });
      const { activity, assistant } = course;
      const placer = await course.visitor({ role: 'instructor' });
      await inDatabase(service, ({ activities }) =>
        activities.change(activity.id, { assistants: [{ assistantId: assistant.id, addedBy: placer.id }] }),
      );
      const { key } = await course.visitor();

      const stream = await service.stream(assistant.id, 'Weather?', { key });
      await model.waitFor(course.model, { requests: 1 });
      await take(course);
      await model.release(gate);
      await stream.whole();

      expect(await weather.ledger(town)).to.deep.equal([]);
      refusalOf(await service.chat(assistant.id, 'Again?', { key }), 404);
    });
  }

  it('is with the version the activity is held to, whatever the body asks for', async () => {
    const { service, model } = world;
    const course = await aCourse(world, [say('Hello.')], { change: { pinnedVersion: 1 } });
    const { assistant, owner } = course;
    const body = { name: assistant.name, version: assistant.version, system_prompt: 'Two.' };
    await service.request(`/lamb/v1/assistants/${String(assistant.id)}`, {
      method: 'PUT',
      key: owner.key,
      body,
    });
    const { key } = await course.visitor();

    const messages = [{ role: 'user', content: 'Hi' }];
    const { status } = await service.chat(assistant.id, { messages, assistant_version: 2 }, { key });

    expect(status).to.equal(200);
    expect(JSON.stringify((await model.ledger(course.model)).at(-1)!.body.messages)).to.contain('One.');
  });

  it('shows no steps where they are not to be seen: streamed, at once, and kept', async () => {
    const { service } = world;
    const steps = () => [call('get_weather', { city: 'Bilbao' }), say('Mild.')];
    const course = await aCourse(world, [...steps(), ...steps()], {
      ...{ change: { stepsVisible: false }, tools: [weatherFunction] },
    });
    const { key } = await course.visitor();
    const ask = { messages: [{ role: 'user', content: 'Weather?' }], conversation_id: 'new' };

    const stream = await service.stream(course.assistant.id, ask, { key });
    const { statuses, text } = await stream.whole();
    const whole = await service.chat(course.assistant.id, ask, { key });
    const kept = await service.request(
      `/lamb/v1/conversations/${stream.response.headers.get('x-conversation-id')!}`,
      { key },
    );

    expect([text, whole.status, kept.status]).to.deep.equal(['Mild.', 200, 200]);
    expect(statuses.filter(({ type }) => type.startsWith('tool.'))).to.deep.equal([]);
    for (const shown of [whole.text, kept.text]) expect(shown).not.to.contain('get_weather');
    expect(kept.json).to.not.have.nested.property('messages[1].steps');
  });

  it('waits for consent where people are named, and ends when they take it back', async () => {
    const { service } = world;
    const course = await aCourse(world, [say('Hello.')]);
    const [student, teacher] = [await course.visitor(), await course.visitor({ role: 'instructor' })];
    const chat = async ({ key }: { readonly key: string }) =>
      service.chat(course.assistant.id, 'Hi', { key });
    const consent = (method: string) =>
      service.request('/lamb/v1/lti/session/consent', {
        ...{ method, key: student.key },
        ...(method === 'POST' ? { body: { policy: 'named' } } : {}),
      });
    expect((await consent('POST')).status).to.equal(409);
    await configuring(world, course.activity, teacher, { transcript_policy: 'named' });

    expect(refusalOf(await chat(student), 403).code).to.equal('consent_needed');
    expect((await chat(teacher)).status).to.equal(200);
    expect((await consent('POST')).status).to.equal(200);
    expect((await chat(student)).status).to.equal(200);
    const { name } = (await inDatabase(service, ({ participants }) =>
      participants.get(course.activity.id, student.id),
    ))!;
    expect(name).to.match(/^sealed\.v1\./);
    expect((await consent('DELETE')).status).to.equal(204);
    expect(refusalOf(await chat(student), 403).code).to.equal('consent_needed');
  });

  it('is nobody else’s to see, and not seen from another activity', async () => {
    const { service } = world;
    const course = await aCourse(world, [say('Hello.')]);
    const { assistant, platform, owner } = course;
    const assistants = [{ assistantId: assistant.id, addedBy: owner.id }];
    const other = await anActivity(service, platform, { assistants });
    const student = await course.visitor();
    const elsewhere = await aVisitor(service, platform, { activity: other, subject: student.subject });
    const ask = { messages: [{ role: 'user', content: 'Hi' }], conversation_id: 'new' };
    const { headers } = await service.chat(assistant.id, ask, { key: student.key });
    const path = `/lamb/v1/conversations/${headers.get('x-conversation-id')!}`;

    expect(elsewhere.id).to.equal(student.id);
    expect((await service.request(path, { key: student.key })).status).to.equal(200);
    for (const { key } of [elsewhere, await course.visitor(), owner]) {
      expect((await service.request(path, { key })).status).to.equal(404);
    }
    const exported = await service.request('/lamb/v1/lti/session/export', { key: student.key });
    expect(exported.json).to.have.nested.property('conversations[0].messages[1].content', 'Hello.');
    const nothing = await service.request('/lamb/v1/lti/session/export', { key: elsewhere.key });
    expect(nothing.json).to.have.property('conversations').that.deep.equals([]);
  });
});
