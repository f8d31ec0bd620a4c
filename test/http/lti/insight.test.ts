import { expect } from 'chai';
import { createSecretBox, readSecretKey } from '../../../src/security/secret-box.js';
import { call, say } from '../../support/fakes/model-script.js';
import { aVisitor, type Visitor } from '../../support/launched.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';
import { aClassroom, type Classroom } from '../support/course-fixture.js';
import { inDatabase } from '../support/users-fixture.js';

interface Dashboard {
  readonly period: { readonly from: string; readonly to: string };
  readonly participants: {
    readonly students: number | null;
    readonly of: number | null;
    readonly suppressed: boolean;
  };
  readonly questions: {
    readonly total: number | null;
    readonly per_day: readonly { readonly day: string; readonly questions: number | null }[];
  };
  readonly tools: readonly object[];
  readonly attention: {
    readonly unanswered: number | null;
    readonly sourceless: number | null;
    readonly examples: readonly { readonly question: string }[];
  };
  readonly cost: { readonly amount: number | null; readonly prompt_tokens: number | null };
  readonly small_group: boolean;
}

interface Transcripts {
  readonly data: readonly {
    readonly id: string;
    readonly who: { readonly label: string; readonly number: number };
    readonly messages: number;
  }[];
  readonly shown: boolean;
  readonly reason: string | null;
}

describe('what an instructor sees', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const at = ({ activity }: Classroom, path: string) =>
    `/lamb/v1/lti/activities/${String(activity.id)}/${path}`;
  const dashboard = async (room: Classroom, key = room.teacher.key, days = 30) =>
    (await world.service.request<Dashboard>(at(room, `dashboard?days=${String(days)}`), { key })).json;
  const transcripts = async (room: Classroom) =>
    (await world.service.request<Transcripts>(at(room, 'transcripts'), { key: room.teacher.key })).json;
  const asked = async (room: Classroom, count: number) => {
    const students = await room.students(count);
    for (const student of students) await room.ask(student, 'What is a cell?');
    return students;
  };

  it('is what students did: days, tools, cost, and nothing of their own trials', async () => {
    const room = await aClassroom(world, 'pseudonymous', {
      steps: [call('get_weather', { city: 'Bilbao' }), say('Rain.')],
      tools: [weatherFunction],
    });
    await asked(room, 5);
    await room.ask(room.teacher, 'A trial');

    const seen = await dashboard(room);

    const today = new Date().toISOString().slice(0, 10);
    expect(seen.participants).to.deep.equal({ students: 5, of: null, suppressed: false });
    expect(seen.questions.total).to.equal(5);
    expect(seen.questions.per_day).to.have.length(30);
    expect(seen.questions.per_day.at(-1)).to.deep.equal({ day: today, questions: 5 });
    expect(seen.period.to).to.equal(today);
    expect(seen.tools).to.deep.equal([{ tool: 'weather', calls: 1, failed: 0, title: 'Weather' }]);
    expect(seen.attention).to.deep.equal({ unanswered: 0, sourceless: 0, examples: [] });
    expect(seen.cost.prompt_tokens).to.be.greaterThan(0);
    expect(seen.small_group).to.equal(false);
  });

  for (const policy of ['none', 'pseudonymous'] as const) {
    it(`is no figure of fewer than five students (${policy}), whatever the period`, async () => {
      const room = await aClassroom(world, policy, { steps: [say('')] });
      await asked(room, 4);

      for (const days of [1, 2, 30]) {
        const seen = await dashboard(room, room.teacher.key, days);
        expect(seen.small_group).to.equal(true);
        expect(seen.participants).to.include({ students: null, suppressed: true });
        expect(seen.questions.total).to.equal(null);
        expect(seen.questions.per_day.every(({ questions }) => questions === null)).to.equal(true);
        expect(seen.tools).to.deep.equal([]);
        expect(seen.attention).to.deep.equal({ unanswered: null, sourceless: null, examples: [] });
        expect(seen.cost).to.include({ amount: null, prompt_tokens: null });
      }
    });
  }

  it('is not the day on which a few asked, nor any sum with it', async () => {
    const room = await aClassroom(world, 'none');
    const students = await asked(room, 6);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    await inDatabase(world.service, async (_, db) => {
      const theirs = db('conversations').whereIn('user_id', [students[0]!.id, students[1]!.id]);
      await db('messages').whereIn('conversation_id', theirs.select('id')).update({ created_at: yesterday });
    });

    const seen = await dashboard(room);

    expect(seen.small_group, 'six have taken part').to.equal(false);
    expect(seen.questions.per_day.slice(-2).map(({ questions }) => questions)).to.deep.equal([null, null]);
    expect(seen.questions.total).to.equal(0);
    expect(seen.participants).to.include({ students: 0, suppressed: true });
    expect(seen.cost.prompt_tokens).to.equal(0);
  });

  it('is what went wrong, with examples only where conversations may be read', async () => {
    for (const [policy, examples] of [
      ['none', 0],
      ['pseudonymous', 5],
    ] as const) {
      const room = await aClassroom(world, policy, { steps: [say('')] });
      await asked(room, 5);

      const { attention } = await dashboard(room);

      expect(attention.unanswered).to.equal(5);
      expect(attention.examples).to.have.length(examples);
      for (const each of attention.examples) {
        expect(each).to.have.all.keys('conversation_id', 'question', 'why', 'at');
        expect(each).to.include({ question: 'What is a cell?', why: 'unanswered' });
      }
    }
  });

  it('is no conversation under “none”, and none of fewer than five numbers', async () => {
    const [closed, small] = [await aClassroom(world, 'none'), await aClassroom(world, 'pseudonymous')];
    await asked(closed, 5);
    const [first] = await asked(small, 4);
    const conversation = await small.ask(first!, 'Again');

    expect(await transcripts(closed)).to.include({ shown: false, reason: 'policy_none' });
    expect(await transcripts(small)).to.include({ shown: false, reason: 'too_few' });
    const one = await world.service.request(at(small, `transcripts/${conversation}`), {
      key: small.teacher.key,
    });
    expect(one.status).to.equal(404);
  });

  it('is conversations by number: nothing in them says who it is', async () => {
    const room = await aClassroom(world, 'pseudonymous');
    const students = await asked(room, 5);
    await room.ask(room.teacher, 'A trial');

    const { data, shown } = await transcripts(room);
    const one = await world.service.request<{ messages: readonly object[] }>(
      at(room, `transcripts/${data[0]!.id}`),
      { key: room.teacher.key },
    );

    expect(shown).to.equal(true);
    expect(data).to.have.length(5);
    for (const each of data) {
      expect(each).to.have.all.keys(
        ...['id', 'title', 'who', 'assistant_id', 'messages', 'started_at', 'updated_at'],
      );
      expect(each.who).to.deep.equal({
        label: `Student ${String(each.who.number)}`,
        number: each.who.number,
      });
      expect(students.map(({ id }) => id)).not.to.include(each.who.number);
    }
    expect(one.json.messages.map((message) => Object.keys(message).sort())).to.deep.equal([
      ['content', 'created_at', 'incomplete', 'role'],
      ['content', 'created_at', 'incomplete', 'role'],
    ]);
    for (const { email, subject } of students) {
      for (const text of [JSON.stringify(data), one.text]) {
        expect(text).not.to.include(email).and.not.to.include(subject);
      }
    }
  });

  it('is names of those who agreed, and what was begun under a stricter promise stays under it', async () => {
    const room = await aClassroom(world, 'none');
    const [sam, kim] = (await room.students(2)) as [Visitor, Visitor];
    await room.ask(sam, 'Under none');
    await room.setPolicy('pseudonymous');
    await room.ask(sam, 'As a number');
    await room.setPolicy('named');
    const box = createSecretBox(
      await readSecretKey({ secretKey: undefined, dataDir: world.service.dataDir }),
    );
    await inDatabase(world.service, async ({ participants }) => {
      await participants.giveConsent(room.activity.id, sam.id, box.seal('Sam Student'));
      await participants.giveConsent(room.activity.id, kim.id, box.seal('Kim Student'));
    });
    for (const one of [sam, kim]) await room.ask(one, 'By name');
    const labels = async () => (await transcripts(room)).data.map(({ who }) => who.label).sort();

    expect(await labels()).to.deep.equal(['Kim Student', 'Sam Student']);
    await inDatabase(world.service, ({ participants }) =>
      participants.withdrawConsent(room.activity.id, kim.id),
    );
    expect(await labels()).to.deep.equal(['Sam Student']);
    await room.setPolicy('none');
    expect(await transcripts(room)).to.deep.include({ data: [], shown: false });
  });

  it('is only of their own activity, only for instructors, and on record', async () => {
    const room = await aClassroom(world, 'pseudonymous');
    const other = await aClassroom(world, 'pseudonymous');
    const students = await asked(room, 5);
    const { data } = await transcripts(room);
    const paths = ['dashboard', 'transcripts', `transcripts/${data[0]!.id}`];
    const chooser = await aVisitor(world.service, room.platform, { role: 'instructor' });

    for (const path of paths) {
      const status = async (key: string) => (await world.service.request(at(room, path), { key })).status;
      expect(await status(room.teacher.key), path).to.equal(200);
      expect(await status(students[0]!.key), path).to.equal(403);
      expect(await status(room.owner.key), path).to.equal(403);
      expect(await status(other.teacher.key), path).to.equal(404);
      expect(await status(chooser.key), path).to.equal(404);
    }
    for (const days of ['0', '1.5', '400', 'all']) {
      const wrong = await world.service.request(at(room, `dashboard?days=${days}`), {
        key: room.teacher.key,
      });
      expect(wrong.status, days).to.equal(400);
    }
    const read = await inDatabase(world.service, (_, db) =>
      db('audit').where({ user_id: room.teacher.id, action: 'read transcript', outcome: 'done' }),
    );
    expect(read).to.have.length(1);
  });
});
