import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { held, say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aCourse, configuring } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';

const HOUR = 3_600_000;
/** So many hours from now. */
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

describe('exams in an activity', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  it('refuse students before any model is asked, and say until when; whoever teaches is answered', async () => {
    const course = await aCourse(world, [say('Hello.')]);
    const [student, teacher] = [await course.visitor(), await course.visitor({ role: 'instructor' })];
    const [middle, end] = [inHours(1), inHours(2)];
    const chat = ({ key }: { readonly key: string }) =>
      world.service.chat(course.assistant.id, 'Hi', { key });
    const set = (exam_windows: readonly object[]) =>
      configuring(world, course.activity, teacher, { exam_windows });

    const exams = [
      { from: inHours(-1), to: middle, message: 'Books closed.' },
      { from: middle, to: end },
    ];
    expect((await set(exams)).json['exam_windows']).to.deep.equal(exams);
    const refused = refusalOf(await chat(student), 403);
    expect(refused.code).to.equal('exam_window');
    expect(refused.message).to.contain('Books closed.').and.to.contain(end).and.not.to.contain(middle);
    expect(await world.model.ledger(course.model)).to.deep.equal([]);
    expect((await chat(teacher)).status).to.equal(200);

    await set([
      { from: inHours(-2), to: inHours(-1) },
      { from: inHours(1), to: inHours(2) },
    ]);
    expect((await chat(student)).status).to.equal(200);
  });

  it('let an answer that was begun before come to its end, and nothing be asked after it', async () => {
    const gate = uniqueName('gate');
    const course = await aCourse(world, [held(gate, say('At last.'))]);
    const [{ key }, teacher] = [await course.visitor(), await course.visitor({ role: 'instructor' })];

    const { id, name } = course.assistant;
    const metadata = { _format_version: 2, connector: 'openai', llm: course.model, follow_ups: true };
    const path = `/lamb/v1/assistants/${String(id)}`;
    const { key: owner } = course.owner;
    const { version } = (await world.service.request<{ version: number }>(path, { key: owner })).json;
    const body = { name, version, metadata };
    const changed = await world.service.request(path, { method: 'PUT', key: owner, body });
    expect(changed.status, changed.text).to.equal(200);

    const begun = { messages: [{ role: 'user', content: 'Hi' }], conversation_id: 'new' };
    const stream = await world.service.stream(id, begun, { key });
    await world.model.waitFor(course.model, { requests: 1 });
    const exam = { from: inHours(-1), to: inHours(1) };
    await configuring(world, course.activity, teacher, { exam_windows: [exam] });
    await world.model.release(gate);

    expect((await stream.whole()).text).to.equal('At last.');
    const run = stream.response.headers.get('x-run-id')!;
    for (const asked of [
      await world.service.chat(id, 'More?', { key }),
      await world.service.request(`/lamb/v1/runs/${run}/follow-ups`, { method: 'POST', key }),
    ])
      expect(refusalOf(asked, 403).code).to.equal('exam_window');
    expect(await world.model.ledger(course.model)).to.have.length(1);
  });

  it('are told to students beforehand, in universal time, and left alone by other changes', async () => {
    const course = await aCourse(world);
    const [student, teacher] = [await course.visitor(), await course.visitor({ role: 'instructor' })];
    const exam = { from: '2030-06-01T10:00:00+02:00', to: '2030-06-01T12:00:00+02:00', message: '  ' };
    await configuring(world, course.activity, teacher, { exam_windows: [exam] });
    await configuring(world, course.activity, teacher, { retention_days: 30 });

    const { json } = await world.service.request<{ activity: object }>('/lamb/v1/lti/session', {
      key: student.key,
    });
    expect(json.activity).to.have.deep.property('exam_windows', [
      { from: '2030-06-01T08:00:00.000Z', to: '2030-06-01T10:00:00.000Z' },
    ]);
  });

  it('end after they begin, are twenty at most, and are set by whoever teaches', async () => {
    const course = await aCourse(world);
    const [student, teacher] = [await course.visitor(), await course.visitor({ role: 'instructor' })];
    const exam = { from: inHours(1), to: inHours(2) };
    const set = (who: { readonly key: string }, exam_windows: unknown) =>
      configuring(world, course.activity, who, { exam_windows });

    for (const wrong of [
      [{ from: exam.to, to: exam.from }],
      [{ from: exam.from, to: exam.from }],
      [{ ...exam, message: 'x'.repeat(501) }],
      [{ ...exam, from: 'tomorrow' }],
      [{ ...exam, room: 7 }],
      Array.from({ length: 21 }, () => exam),
    ])
      refusalOf(await set(teacher, wrong), 400);
    refusalOf(await set(student, [exam]), 403);
  });
});
