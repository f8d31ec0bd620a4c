import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aClassroom } from '../support/course-fixture.js';
import { assistantOf } from '../support/settings-client.js';
import { aColleagueOf, aPerson, publish, speakingTo } from '../support/users-fixture.js';

interface Told {
  readonly up: number;
  readonly down: number;
  readonly comments: readonly {
    readonly run_id: string;
    readonly comment: string;
    readonly rating: string;
  }[];
  readonly suppressed: boolean;
}

describe('feedback on an answer', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const give = (key: string, runId: string, body: object) =>
    world.service.request(`/lamb/v1/runs/${runId}/feedback`, { key, body });
  const told = async (key: string, assistantId: number) =>
    (await world.service.request<Told>(`/lamb/v1/assistants/${String(assistantId)}/feedback`, { key })).json;

  async function scene() {
    const { service } = world;
    const owner = await aPerson(service, { config: speakingTo(world.model) });
    const pupil = await aColleagueOf(service, owner, 'student');
    const llm = uniqueName('answering');
    await world.model.script(llm, [say('A room.')], { repeat: true });
    const assistant = await assistantOf(service, owner, { connector: 'openai', llm, tools: [] });
    await publish(service, assistant.id, 'organization', owner);
    const asked = async (key: string) => {
      const messages = [{ role: 'user', content: 'What is a cell?' }];
      const { headers } = await service.chat(assistant.id, { messages, conversation_id: 'new' }, { key });
      const [run, conversation] = ['x-run-id', 'x-conversation-id'].map((name) => headers.get(name) ?? '');
      return { run: run ?? '', conversation: conversation ?? '' };
    };
    return { owner, pupil, assistant, asked };
  }

  it('is given by whoever asked, once: what they say later takes its place', async () => {
    const { owner, pupil, assistant, asked } = await scene();
    const { run, conversation } = await asked(pupil.key);

    expect((await give(pupil.key, run, { rating: 'up' })).status).to.equal(200);
    expect((await give(pupil.key, run, { rating: 'down', comment: ' Too short. ' })).json).to.include({
      ...{ rating: 'down', comment: 'Too short.' },
    });

    expect(await told(owner.key, assistant.id)).to.deep.include({ up: 0, down: 1, suppressed: false });
    const own = await world.service.request<{ feedback: object }>(`/lamb/v1/runs/${run}`, { key: pupil.key });
    expect(own.json.feedback).to.include({ rating: 'down', comment: 'Too short.' });
    const { json } = await world.service.request<{ messages: object[] }>(
      `/lamb/v1/conversations/${conversation}`,
      { key: pupil.key },
    );
    expect(json.messages.map((message) => (message as { rating?: string }).rating)).to.deep.equal([
      ...[undefined, 'down'],
    ]);
  });

  it('is for nobody else to give, not even for those who may see the run', async () => {
    const { owner, pupil, asked } = await scene();
    const { run } = await asked(pupil.key);
    const administrator = await aColleagueOf(world.service, owner, 'org_admin');

    for (const key of [owner.key, administrator.key, world.service.adminKey])
      expect((await give(key, run, { rating: 'up' })).status).to.equal(404);
    expect((await give(pupil.key, 'run_of_nobody', { rating: 'up' })).status).to.equal(404);
  });

  it('is told to the owner by its words and not by whose they are', async () => {
    const { owner, pupil, assistant, asked } = await scene();
    const [first, second] = [await asked(pupil.key), await asked(owner.key)];
    await give(pupil.key, first.run, { rating: 'up', comment: 'Thank you.' });
    await give(owner.key, second.run, { rating: 'up' });

    const summary = await told(owner.key, assistant.id);

    expect(summary).to.deep.include({ up: 2, down: 0 });
    expect(summary.comments).to.have.length(1);
    expect(summary.comments[0]).to.have.all.keys('run_id', 'rating', 'comment', 'at');
    expect(summary.comments[0]).to.include({ run_id: first.run, rating: 'up', comment: 'Thank you.' });
  });

  it('that is neither up nor down, or goes on for ever, is refused by name', async () => {
    const { pupil, asked } = await scene();
    const { run } = await asked(pupil.key);

    const faults = [
      { rating: 'sideways' },
      { rating: 'up', comment: 'x'.repeat(2_001) },
      { rating: 'up', score: 5 },
    ];
    for (const [i, body] of faults.entries()) {
      const { status, json } = await give(pupil.key, run, body);
      expect(status).to.equal(400);
      expect(JSON.stringify(json)).to.include(['rating', 'comment', 'score'][i]);
    }
  });

  it('of students in an activity counts when five of them have spoken, and teachers are none of the five', async () => {
    const room = await aClassroom(world, 'pseudonymous');
    const students = await room.students(5);
    const speak = async (key: string, comment: string) => {
      const messages = [{ role: 'user', content: 'What is a cell?' }];
      const { headers } = await world.service.chat(room.assistant.id, { messages }, { key });
      const { status } = await give(key, headers.get('x-run-id') ?? '', { rating: 'down', comment });
      expect(status).to.equal(200);
    };
    for (const { key } of students.slice(0, 4)) await speak(key, 'Hm.');
    await speak(room.teacher.key, 'Works.');

    const before = await told(room.owner.key, room.assistant.id);
    expect(before).to.deep.equal({ up: 0, down: 0, comments: [], suppressed: true });

    await speak(students[4]?.key ?? '', 'Hm.');
    const after = await told(room.owner.key, room.assistant.id);
    expect(after).to.deep.include({ up: 0, down: 6, suppressed: false });
    expect(after.comments).to.have.length(6);
  });
});
