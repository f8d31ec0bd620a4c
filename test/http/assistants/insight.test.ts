import { expect } from 'chai';
import type { Insight } from '../../../src/http/contract/people/insight.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aClassroom } from '../support/course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person, publish, speakingTo } from '../support/users-fixture.js';

describe('insight into an assistant', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const at = (id: number) => `/lamb/v1/assistants/${String(id)}/insight`;
  const insightOf = async (id: number, key: string): Promise<Insight> => {
    const { status, json, text } = await world.service.request<Insight>(at(id), { key });
    expect(status, text).to.equal(200);
    return json;
  };
  const ask = async (id: number, question: string, key: string): Promise<string> => {
    const messages = [{ role: 'user', content: question }];
    const { headers } = await world.service.chat(id, { messages, conversation_id: 'new' }, { key });
    return headers.get('x-run-id') ?? '';
  };
  const rate = (run: string, body: object, key: string) =>
    world.service.request(`/lamb/v1/runs/${run}/feedback`, { key, body });

  async function published(toolsOf: (owner: Person) => Promise<object[]> = () => Promise.resolve([])) {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const llm = uniqueName('answering');
    await world.model.script(llm, [say('A room of its own.')], { repeat: true });
    const { id } = await assistantOf(world.service, owner, {
      ...{ connector: 'openai', llm, tools: await toolsOf(owner) },
    });
    await publish(world.service, id, 'organization', owner);
    const people: Person[] = [];
    for (let n = 0; n < 5; n++) people.push(await aColleagueOf(world.service, owner, 'student'));
    return { owner, id, people };
  }

  it('shows feedback, the answers that were no help first, and quotes only what is one’s own', async () => {
    const { owner, id, people } = await published();
    const [person] = people as [Person];
    const own = await ask(id, 'What is a cell?', owner.key);
    const theirs = await ask(id, 'My very private question', person.key);
    await rate(own, { rating: 'up', comment: 'Good.' }, owner.key);
    await rate(theirs, { rating: 'down', comment: 'Too short.' }, person.key);

    const { feedback } = await insightOf(id, owner.key);

    expect(feedback).to.include({ up: 1, down: 1 });
    expect(feedback.answers.map(({ at: _at, ...answer }) => answer)).to.deep.equal([
      { rating: 'down', comment: 'Too short.', question: null, answer: null, run_id: theirs },
      {
        ...{ rating: 'up', comment: 'Good.', question: 'What is a cell?' },
        answer: 'A room of its own.',
        run_id: own,
      },
    ]);
  });

  it('tells what is often asked by the words that five people use, and never by the words of one', async () => {
    const { owner, id, people } = await published();
    const ways = [
      'When is the deadline for the essay?',
      'What is the deadline of the essay, asks Canary Wren',
      'essay deadline please',
      'Is there a deadline for our essays?',
      'The essay: which deadline?',
    ];
    for (const [n, { key }] of people.slice(0, 4).entries()) await ask(id, ways[n] ?? '', key);
    expect((await insightOf(id, owner.key)).frequent).to.deep.equal([]);

    await ask(id, ways[4] ?? '', people[4]?.key ?? '');
    await ask(id, 'Something else entirely: volcanoes', people[0]?.key ?? '');
    const { frequent, questions } = await insightOf(id, owner.key);

    expect(questions).to.equal(6);
    expect(frequent).to.have.length(1);
    expect(frequent[0]).to.include({ questions: 5, people: 5, example: null });
    expect(frequent[0]?.words).to.include.members(['deadline', 'essay']);
    expect(JSON.stringify(frequent).toLowerCase()).not.to.include('canary');
  });

  it('counts answers without a source where something is looked up, and nowhere else', async () => {
    const plain = await published();
    const looking = await published(async ({ key }) => {
      const body = { name: 'Cells' };
      const { json } = await world.service.request<{ id: string }>('/lamb/v1/collections', { key, body });
      return [{ type: 'simple_rag', config: { collections: [json.id] } }];
    });
    for (const { id, owner } of [plain, looking]) await ask(id, 'What is a cell?', owner.key);

    expect((await insightOf(plain.id, plain.owner.key)).sourceless).to.equal(null);
    const { sourceless } = await insightOf(looking.id, looking.owner.key);
    expect(sourceless).to.include({ answers: 1, of: 1 });
    expect(sourceless?.examples[0]).to.include({ question: 'What is a cell?', answer: 'A room of its own.' });
  });

  it('of an activity counts five students and quotes them without their runs, unless transcripts are closed', async () => {
    const room = await aClassroom(world, 'pseudonymous');
    const students = await room.students(5);
    const speak = async ({ key }: { key: string }) => {
      const run = await ask(room.assistant.id, 'What is a cell?', key);
      expect((await rate(run, { rating: 'down', comment: 'Hm.' }, key)).status).to.equal(200);
    };
    for (const student of students.slice(0, 4)) await speak(student);
    const small = await insightOf(room.assistant.id, room.owner.key);
    expect(small).to.deep.include({ questions: 0, suppressed: true, frequent: [] });
    expect(small.feedback).to.deep.equal({ up: 0, down: 0, answers: [] });

    await speak(students[4] ?? { key: '' });
    const group = await insightOf(room.assistant.id, room.owner.key);
    expect(group).to.include({ questions: 5, suppressed: false });
    expect(group.frequent[0]).to.include({ questions: 5, people: 5, example: 'What is a cell?' });
    expect(group.feedback.down).to.equal(5);
    for (const answer of group.feedback.answers)
      expect(answer).to.include({ question: 'What is a cell?', answer: 'A room.', run_id: null });
    // A time has any number in it.
    const told = JSON.stringify(group).replace(/"\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?"/g, '""');
    for (const { id } of students) expect(told).not.to.match(new RegExp(`\\b${String(id)}\\b`));

    await room.setPolicy('none');
    const closed = await insightOf(room.assistant.id, room.owner.key);
    expect(closed).to.deep.include({ questions: 0, suppressed: true, frequent: [] });
    expect(closed.feedback.answers.every(({ question }) => question === null)).to.equal(true);
  });

  it('is of whole days, and of no more than three years', async () => {
    const { owner, id } = await published();
    await ask(id, 'What is a cell?', owner.key);
    const asked = (query: string) => world.service.request<Insight>(`${at(id)}?${query}`, { key: owner.key });

    expect((await asked('from=2020-01-01&to=2020-01-31')).json.questions).to.equal(0);
    for (const query of [
      'from=2026-01-01T10:00:00Z',
      'from=2026-02-01&to=2026-01-01',
      'from=2001-01-01',
      'to=never',
    ])
      refusalOf(await asked(query), 400);
  });
});
