import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { say, type Step } from '../../support/fakes/model-script.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { configure, providers } from '../support/settings-client.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const DRAFT = { name: 'Biology tutor', description: 'Cells and plants', system_prompt: 'You are kind.' };
const QUESTIONS = ['What is a cell?', 'Why are leaves green?', 'How do plants eat?', 'What is DNA?'];

describe('drafted questions to begin with', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  async function aTeacher(steps: readonly Step[]): Promise<Person & { readonly model: string }> {
    const [model, person] = [uniqueName('small'), await aPerson(world.service)];
    await world.model.script(model, steps);
    const small = { small_fast_model: { provider: 'openai', model } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, small));
    return { ...person, model };
  }
  const draftedFor = ({ key }: Pick<Person, 'key'>, draft: object = DRAFT) =>
    world.service.request<{ starters: string[] }>('/lamb/v1/assistants/draft-starters', {
      ...{ key, body: { draft } },
    });

  it('come from the organisation’s model, which is shown the assistant as material', async () => {
    const teacher = await aTeacher([say(JSON.stringify({ starters: QUESTIONS }))]);

    const { status, json } = await draftedFor(teacher);
    const [asked] = await world.model.ledger(teacher.model);

    expect([status, json]).to.deep.equal([200, { starters: QUESTIONS }]);
    const material = String(asked?.body.messages.at(-1)?.content);
    for (const text of Object.values(DRAFT)) expect(material).to.contain(text);
  });

  it('cost whoever asks for them, on record like any run', async () => {
    const usage = { prompt_tokens: 70, completion_tokens: 30 };
    const teacher = await aTeacher([{ ...say(JSON.stringify({ starters: QUESTIONS })), usage }]);

    await draftedFor(teacher);
    const { json } = await world.service.request<{ data: { status: string; usage: object }[] }>(
      ...(['/lamb/v1/runs', { key: teacher.key }] as const),
    );

    expect(json.data).to.have.length(1);
    expect(json.data[0]).to.deep.include({ status: 'completed' });
    expect(json.data[0]?.usage).to.include(usage);
  });

  it('hold of what the model said only what could have been typed in', async () => {
    const odd = ['  One\nline? ', '', 'x'.repeat(201), 'One line?', ...QUESTIONS, 'One too many?'];
    const teacher = await aTeacher([say('```json\n' + JSON.stringify({ starters: odd }) + '\n```')]);

    const { json } = await draftedFor(teacher);

    expect(json.starters).to.deep.equal(['One line?', ...QUESTIONS.slice(0, 3)]);
  });

  it('are taken from a model that goes on with blanks, which is cut off and has not failed', async () => {
    // As models do whose answers must be JSON.
    const blanks = '\n '.repeat(9_000);
    const teacher = await aTeacher([say(JSON.stringify({ starters: QUESTIONS }) + blanks)]);

    const { status, json } = await draftedFor(teacher);
    const runs = await world.service.request<{ data: { status: string }[] }>('/lamb/v1/runs', teacher);

    expect([status, json]).to.deep.equal([200, { starters: QUESTIONS }]);
    expect(runs.json.data.map((run) => run.status)).to.deep.equal(['completed']);
  });

  it('are a plain refusal where the model brings none, nothing is known, or there is no model', async () => {
    const chatty = await aTeacher([say('Of course! Here are some questions.')]);
    const without = await aPerson(world.service);

    expect(refusalOf(await draftedFor(chatty), 502).message).to.match(/^The model brought no questions/);
    expect(refusalOf(await draftedFor(chatty, { name: ' ' }), 400).message).to.match(/^Say first what/);
    const { message, code } = refusalOf(await draftedFor(without), 422);
    expect([message, code]).to.deep.equal([
      ...['A language model is not configured. An administrator can set it up.', 'not_configured'],
    ]);
  });
});
