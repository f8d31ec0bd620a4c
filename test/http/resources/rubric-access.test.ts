import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, held, say } from '../../support/fakes/model-script.js';
import { aRubric, essayRubric } from '../../support/rubrics.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aColleagueOf, aPerson, auditOf, publish, speakingTo } from '../support/users-fixture.js';

const entry = (rubric_id: string, more: object = {}) => ({
  type: 'rubric_rag',
  enabled: true,
  mode: 'placeholder',
  config: { rubric_id },
  ...more,
});

describe("an assistant's right to a rubric", () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const lastPrompt = async (model: string) =>
    String((await world.model.ledger(model)).at(-1)!.body.messages.at(-1)!.content);
  const save = (tools: readonly object[], key: string) =>
    world.service.request<{ error: { message: string } }>('/lamb/v1/assistants', {
      key,
      body: { name: uniqueName('rubric'), metadata: { _format_version: 2, connector: 'demo', tools } },
    });

  it("is refused at save for a rubric that is somebody else's, in the words for one that does not exist", async () => {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const colleague = await aColleagueOf(world.service, owner);
    const stranger = await aPerson(world.service, { config: speakingTo(world.model) });
    const secret = await aRubric(world.service, { title: 'Secret' }, owner.key);
    const shared = await aRubric(world.service, { is_public: true }, owner.key);
    const refused = async (id: string, key: string) => {
      const { status, json } = await save([entry(id)], key);
      return [status, json.error.message.replace(id, 'ID')];
    };

    const nowhere = await refused('nowhere', stranger.key);
    expect(nowhere[0]).to.equal(422);
    expect(nowhere[1]).to.contain('There is no rubric ID that the owner may use.');
    expect(await refused(secret.id, stranger.key)).to.deep.equal(nowhere);
    expect(await refused(secret.id, colleague.key)).to.deep.equal(nowhere);
    expect(await refused(shared.id, stranger.key)).to.deep.equal(nowhere);
    expect((await save([entry(shared.id)], colleague.key)).status).to.equal(201);
    for (const rubric_id of ['', null, {}, undefined])
      expect((await save([{ ...entry('x'), config: { rubric_id } }], owner.key)).status).to.equal(422);
  });

  it('is denied at execution once the rubric was withdrawn, in a run already going, and that is on the books', async () => {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const colleague = await aColleagueOf(world.service, owner);
    const title = uniqueName('withdrawn');
    const rubric = await aRubric(world.service, { title, is_public: true }, owner.key);
    const gate = uniqueName('gate');
    const model = uniqueName('model');
    await world.model.script(model, [held(gate, call('get_rubric', {})), say('No.')]);
    const assistant = await world.service.createAssistant(
      { metadata: { connector: 'openai', llm: model, tools: [entry(rubric.id, { mode: 'function' })] } },
      { key: colleague.key },
    );

    const answer = world.service.chat(assistant.id, 'x', { key: colleague.key });
    await world.model.waitFor(model, { requests: 1 });
    await world.service.request(`/lamb/v1/rubrics/${rubric.id}`, {
      method: 'PUT',
      key: owner.key,
      body: { title, rubric_data: essayRubric(), is_public: false },
    });
    await world.model.release(gate);
    await answer;

    const told = (await world.model.ledger(model))[1]!.body.messages.at(-1)!.content;
    expect(told).to.match(/^Error: This is not available\./);
    const [row] = await auditOf(world.service, colleague);
    expect(row).to.include({
      action: 'use in a tool call',
      resource: `rubric ${rubric.id}`,
      outcome: 'denied',
    });
  });

  it('leaves its place empty, names nothing and is on the books when the rubric is withdrawn or gone', async () => {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const colleague = await aColleagueOf(world.service, owner);
    const title = uniqueName('gone');
    const rubric = await aRubric(world.service, { title, is_public: true }, owner.key);
    const model = uniqueName('model');
    await world.model.script(model, [say('ok')], { repeat: true });
    const assistant = await world.service.createAssistant(
      {
        prompt_template: '[{rubric}] {user_input}',
        metadata: { connector: 'openai', llm: model, tools: [entry(rubric.id)] },
      },
      { key: colleague.key },
    );
    const askAgain = async () => {
      const stream = await world.service.stream(assistant.id, 'x', { key: colleague.key });
      const { statuses } = await stream.whole();
      return [
        await lastPrompt(model),
        statuses.some(({ type }) => type === 'placeholder.failed'),
        stream.raw().includes(title),
      ];
    };

    const path = `/lamb/v1/rubrics/${rubric.id}`;
    const body = { title, rubric_data: essayRubric(), is_public: false };
    await world.service.request(path, { method: 'PUT', key: owner.key, body });
    expect(await askAgain()).to.deep.equal(['[] x', true, false]);
    await world.service.request(path, { method: 'DELETE', key: owner.key });
    expect(await askAgain()).to.deep.equal(['[] x', true, false]);

    const denials = await auditOf(world.service, colleague);
    expect(denials.map(({ resource, outcome }) => [resource, outcome])).to.deep.equal([
      [`rubric ${rubric.id}`, 'denied'],
      [`rubric ${rubric.id}`, 'denied'],
    ]);
  });

  it("is judged by the assistant's owner, whoever is chatting", async () => {
    const owner = await aPerson(world.service, { config: speakingTo(world.model) });
    const student = await aColleagueOf(world.service, owner, 'student');
    const { id } = await aRubric(world.service, { title: 'Private' }, owner.key);
    const model = uniqueName('model');
    await world.model.script(model, [say('ok')]);
    const assistant = await world.service.createAssistant(
      { prompt_template: '{rubric}', metadata: { connector: 'openai', llm: model, tools: [entry(id)] } },
      { key: owner.key },
    );
    await publish(world.service, assistant.id, 'organization', owner);

    await world.service.chat(assistant.id, 'x', { key: student.key });

    expect(await lastPrompt(model)).to.match(/^# EVALUATION RUBRIC: Private\n/);
  });
});
