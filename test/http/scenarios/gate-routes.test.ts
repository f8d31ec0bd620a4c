import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, say } from '../../support/fakes/model-script.js';
import { aLearningPlatform, anActivity, aVisitor } from '../../support/launched.js';
import { withMcp } from '../../support/mcp/client.js';
import { aRubric } from '../../support/rubrics.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { JUDGED } from '../support/grading-fixture.js';
import { tokenIn } from '../support/link-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aScenario, aTriedAssistant, GREETS } from '../support/scenario-client.js';
import { assistantOf } from '../support/settings-client.js';
import { inDatabase } from '../support/users-fixture.js';

const QUESTION = 'When is the essay about Rome due?';
const PASSED = { description: 'As it passed', greeting: 'Welcome!', starters: ['First?'] };
const UNTRIED = { description: 'Untried', greeting: 'Hm.', starters: ['Untried?'] };
const avatarOf = (emoji: string) => ({ emoji, color: 'green' });

type Keyed = { readonly key: string };

/**
 * An assistant that has passed, by the model of its first version and with a corrected answer that says Friday. Its newest
 * version has another model and another face, and the corrected answer says Monday by now.
 */
async function aChangedAssistant(world: TestService, isGrading = false) {
  const { service, model } = world;
  const [judging, untriedJudge] = [uniqueName('judging'), uniqueName('judging')];
  for (const llm of [judging, untriedJudge]) await model.script(llm, [JUDGED], { repeat: true });
  const content = { ...PASSED, name: uniqueName('passed'), avatar: avatarOf('🐑') };
  const tried = await aTriedAssistant(world, {
    ...{ steps: [say('Hello.')], metadata: { publish_gate: 'suite', follow_ups: true }, content },
    judge: [say(JSON.stringify({ follow_ups: ['And then?'] }))],
  });
  const { teacher, administrator, id, path } = tried;
  const { key } = teacher;
  const grading = async (llm: string) => {
    if (!isGrading) return {};
    const { id: rubric_id } = await aRubric(service, {}, key);
    return { tools: [{ type: 'rubric_eval', mode: 'function', config: { rubric_id, llm } }] };
  };
  await tried.metadata(await grading(judging));
  await tried.scenario(aScenario(GREETS));
  const { json: corrected } = await tried.post('annotations', {
    ...{ question: QUESTION, answer: 'On Friday.', status: 'active' },
  });
  const correction = `${path}/annotations/${String((corrected as { id: number }).id)}`;
  const correct = (body: object) => service.request(correction, { method: 'PATCH', key, body });
  expect((await tried.run()).passed).to.equal(true);
  const { version } = await tried.read();

  expect((await tried.post('publish', { published: true })).status).to.equal(200);
  const { url } = (await tried.post('links', {})).json as { url: string };
  const platform = await aLearningPlatform(service, teacher);
  const assistants = [{ assistantId: id, addedBy: teacher.id }];
  const activity = await anActivity(service, platform, {
    assistants,
    evaluationAssistantId: isGrading ? id : null,
  });
  const pinned = await anActivity(service, platform, { assistants, pinnedVersion: version });

  const llm = uniqueName('untried');
  await model.script(llm, [say('Goodbye.')], { repeat: true });
  const change = { ...UNTRIED, name: uniqueName('untried'), avatar: avatarOf('🐺') };
  const saved = await tried.metadata({ llm, follow_ups: false, ...(await grading(untriedJudge)) }, change);
  expect(saved.status, saved.text).to.equal(200);
  await correct({ answer: 'On Monday.' });
  const untried = await anActivity(service, platform, { assistants, pinnedVersion: saved.json.version });

  const visit = await service.request<{ token: string }>('/l/visits', {
    ...{ method: 'POST', key: null, body: { link: tokenIn(url) } },
  });
  const models = { passed: tried.llm, newest: llm };
  const countOf = async (name: string) => (await model.ledger(name)).length;
  /** Which version's model was asked, and which answer it had as an example. */
  const readBy = async (asking: () => Promise<unknown>): Promise<string> => {
    const before = { passed: await countOf(models.passed), newest: await countOf(models.newest) };
    await asking();
    const told: string[] = [];
    for (const which of ['passed', 'newest'] as const) {
      const asked = (await model.ledger(models[which])).slice(before[which]);
      for (const { body } of asked)
        told.push(`${which} ${/On (\w+)\./.exec(JSON.stringify(body.messages))?.[1] ?? 'no example'}`);
    }
    return told.join(', ');
  };
  return {
    ...{ tried, teacher, administrator, student: tried.student, correct, correction, readBy, version },
    ...{
      platform,
      activity,
      pinned,
      untried,
      judging,
      untriedJudge,
      names: { passed: content.name, newest: change.name },
    },
    visitor: { key: visit.json.token },
    learner: (of: typeof activity) => aVisitor(service, platform, { activity: of }),
  };
}

type Scene = Awaited<ReturnType<typeof aChangedAssistant>>;

describe('what has not passed its scenarios', function () {
  this.timeout(120_000);
  let world: TestService;
  let scene: Scene;
  before(async () => {
    world = await sharedService();
    scene = await aChangedAssistant(world);
  });

  const chat = ({ key }: Keyed, id = scene.tried.id) => world.service.chat(id, QUESTION, { key });
  const respond = ({ key }: Keyed) =>
    world.service.request('/v1/responses', {
      ...{ method: 'POST', key, body: { model: String(scene.tried.id), input: QUESTION, store: false } },
    });
  const mcp = ({ key }: Keyed) =>
    withMcp(world.service, key, (client) =>
      client.callTool({
        name: `call_assistant_${String(scene.tried.id)}`,
        arguments: { query: QUESTION },
      }),
    );
  const conversation = ({ key }: Keyed) =>
    world.service.request('/v1/chat/completions', {
      method: 'POST',
      key,
      body: {
        ...{ model: String(scene.tried.id), messages: [{ role: 'user', content: QUESTION }] },
        conversation_id: 'new',
      },
    });
  /** By another assistant of the same teacher. */
  const byAnother = async ({ key }: Keyed) => {
    const llm = uniqueName('calling');
    const name = `call_assistant_${String(scene.tried.id)}`;
    await world.model.script(llm, [call(name, { query: QUESTION }), say('Done.')]);
    const tools = [{ type: 'assistant', mode: 'function', config: { assistant_id: scene.tried.id } }];
    const { id } = await assistantOf(world.service, scene.teacher, { connector: 'openai', llm, tools });
    await world.service.request(`/lamb/v1/assistants/${String(id)}/publish`, {
      ...{ method: 'POST', key: scene.teacher.key, body: { published: true } },
    });
    await chat({ key }, id);
  };

  describe('answers nobody who may only chat', () => {
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      'as a chat': () => chat(scene.student),
      'as a chat that is kept': () => conversation(scene.student),
      'as a response': () => respond(scene.student),
      'as a tool of MCP': () => mcp(scene.student),
      'by a link': () => chat(scene.visitor),
      'in an activity': async () => chat(await scene.learner(scene.activity)),
      'in an activity that is held to what has passed': async () => chat(await scene.learner(scene.pinned)),
      'in an activity that is held to it': async () => chat(await scene.learner(scene.untried)),
      'asked by another assistant': () => byAnother(scene.student),
      'asked by another assistant, for its own teacher': () => byAnother(scene.teacher),
    };
    for (const [way, asking] of Object.entries(ways)) {
      it(way, async () => {
        expect(await scene.readBy(asking)).to.equal('passed Friday');
      });
    }

    it('as a grade for their work', async () => {
      const { activity, judging, untriedJudge, learner } = await aChangedAssistant(world, true);
      const { key } = await learner(activity);
      const path = `/lamb/v1/lti/activities/${String(activity.id)}/submissions`;
      const handed = await world.service.request(path, { method: 'POST', key, body: { text: 'Rome fell.' } });
      expect(handed.status, handed.text).to.equal(202);
      await world.model.waitFor(judging, { finished: 1 });
      expect(await world.model.ledger(untriedJudge)).to.deep.equal([]);
    });
  });

  it('says to those who may edit it alone whether questions are suggested', async () => {
    const next = async (who: Keyed) => {
      const { headers } = await conversation(who);
      const path = `/lamb/v1/runs/${headers.get('x-run-id') ?? ''}/follow-ups`;
      return (await world.service.request(path, { method: 'POST', key: who.key })).status;
    };
    expect([await next(scene.student), await next(scene.teacher)]).to.deep.equal([200, 409]);
  });

  describe('answers those who may edit it', () => {
    const ways: Readonly<Record<string, (who: Keyed) => Promise<unknown>>> = {
      ...{ 'as a chat': chat, 'as a chat that is kept': conversation },
      ...{ 'as a response': respond, 'as a tool of MCP': mcp },
    };
    for (const [way, asking] of Object.entries(ways)) {
      it(way, async () => {
        for (const who of [scene.teacher, scene.administrator])
          expect(await scene.readBy(() => asking(who))).to.equal('newest Monday');
      });
    }
  });

  describe('shows its face to those who may edit it alone', () => {
    type Get = (who: Keyed) => Promise<unknown>;
    const get = async (path: string, { key }: Keyed) => (await world.service.request(path, { key })).json;
    const inMcp: Get = ({ key }) =>
      withMcp(world.service, key, async (client) => [await client.listTools(), await client.listPrompts()]);
    const ways: Readonly<Record<string, { readonly get: Get; readonly by?: () => Promise<Keyed> }>> = {
      'in its record': { get: (who) => get(scene.tried.path, who) },
      'in the list': { get: (who) => get('/lamb/v1/assistants?limit=100', who) },
      'among the models': { get: (who) => get('/v1/models', who) },
      'as a model': { get: (who) => get(`/v1/models/lamb_assistant.${String(scene.tried.id)}`, who) },
      'in MCP': { get: inMcp },
      'in the names of conversations': {
        async get(who) {
          await conversation(who);
          return await get('/lamb/v1/conversations', who);
        },
      },
      'on the page of a link': {
        get: (who) => get('/lamb/v1/links/visit', who),
        by: () => Promise.resolve(scene.visitor),
      },
      'in an activity': {
        get: (who) => get('/lamb/v1/lti/session', who),
        by: () => scene.learner(scene.activity),
      },
      'in an activity that is held to it': {
        get: (who) => get('/lamb/v1/lti/session', who),
        by: () => scene.learner(scene.untried),
      },
    };
    for (const [way, { get: look, by }] of Object.entries(ways)) {
      it(way, async () => {
        const untried = [
          scene.names.newest,
          UNTRIED.description,
          UNTRIED.greeting,
          UNTRIED.starters[0]!,
          '🐺',
        ];
        const seen = JSON.stringify(await look(by ? await by() : scene.student));
        expect(untried.filter((word) => seen.includes(`"${word}"`))).to.deep.equal([]);
        expect(seen).to.include(scene.names.passed);
        if (!by) expect(JSON.stringify(await look(scene.teacher))).to.include(scene.names.newest);
      });
    }
  });

  describe('reaches nobody by another door', () => {
    it('not by a prompt template, nor by going back to it', async () => {
      const tried = await aTriedAssistant(world, {
        metadata: { publish_gate: 'suite' },
        steps: [say('Hm.')],
      });
      const llm = uniqueName('passing');
      await world.model.script(llm, [say('Hello.')], { repeat: true });
      await tried.metadata({ llm });
      await tried.scenario();
      await tried.run();
      await tried.post('publish', { published: true });
      const { key } = tried.teacher;
      const { json } = await world.service.request<{ id: number }>('/lamb/v1/prompt-templates', {
        ...{ method: 'POST', key, body: { name: uniqueName('template'), system_prompt: 'From a template.' } },
      });
      const promptOf = async (who: Keyed) => {
        await chat(who, tried.id);
        const asked = [...(await world.model.ledger(llm)), ...(await world.model.ledger(tried.llm))];
        return asked.sort((one, other) => one.at - other.at).at(-1)?.body;
      };

      const applied = await world.service.request(`/lamb/v1/prompt-templates/${String(json.id)}/apply`, {
        ...{ method: 'POST', key, body: { assistant_id: tried.id } },
      });
      expect(applied.status, applied.text).to.equal(200);
      expect(JSON.stringify(await promptOf(tried.teacher))).to.include('From a template.');
      expect(JSON.stringify(await promptOf(tried.student))).not.to.include('From a template.');
      expect((await tried.post('versions/1/restore', {})).status).to.equal(200);
      expect((await promptOf(tried.teacher))?.model).to.equal(tried.llm);
      expect((await promptOf(tried.student))?.model).to.equal(llm);
    });

    it('not as a copy, whose gate and scenarios come with it', async () => {
      const { teacher, tried } = scene;
      const { key } = teacher;
      const bundle = (await world.service.request<object>(`${tried.path}/export`, { key })).json;
      const { json } = await world.service.request<{ assistant: { id: number } }>(
        ...([
          '/lamb/v1/assistants/import',
          { method: 'POST', key, body: { bundle, name: 'A copy' } },
        ] as const),
      );
      const at = `/lamb/v1/assistants/${String(json.assistant.id)}/publish`;
      const published = await world.service.request(at, { method: 'POST', key, body: { published: true } });
      expect(refusalOf(published, 409).code).to.equal('suite_not_passed');
    });

    it('not by opening it further: sharing, publishing anew, a link, a course', async () => {
      const { service } = world;
      const { tried, platform, administrator } = scene;
      const { key } = await aVisitor(service, platform, { role: 'instructor' });
      const activity = await anActivity(service, platform);
      const opened = [
        await tried.post('shares', { email: tried.student.email }),
        await tried.post('publish', { published: true, publish_scope: 'everyone' }, administrator),
        await tried.post('links', {}),
        await service.request('/lamb/v1/lti/session/placements', {
          key,
          body: { assistant_ids: [tried.id] },
        }),
        await service.request(`/lamb/v1/lti/activities/${String(activity.id)}`, {
          ...{ method: 'PATCH', key: administrator.key, body: { assistant_ids: [tried.id] } },
        }),
      ];
      expect(opened.map((answer) => refusalOf(answer, 409).code)).to.deep.equal(
        opened.map(() => 'suite_not_passed'),
      );
      // Whoever may use it and not edit it does not read how it is tried.
      expect(opened[3]?.text).not.to.match(/has not been run|Greets/);
    });

    it('but by an administrator who came from a course and has proved to be one, with a reason', async () => {
      const { service } = world;
      const { tried, platform, administrator, teacher } = await aChangedAssistant(world);
      const override = { reason: uniqueName('The course begins') };
      const place = ({ key }: Keyed) =>
        service.request('/lamb/v1/lti/session/placements', {
          ...{ key, body: { assistant_ids: [tried.id], override } },
        });
      const teaching = await aVisitor(service, platform, { role: 'instructor' });

      refusalOf(await place(teaching), 403);
      await inDatabase(service, ({ ltiPeople }) => ltiPeople.link(teaching.id, teacher.id));
      refusalOf(await place(teaching), 403);
      await inDatabase(service, ({ ltiPeople }) => ltiPeople.link(teaching.id, administrator.id));
      const linked = await service.request<{ account: object }>('/lamb/v1/lti/session', {
        key: teaching.key,
      });
      expect(linked.json.account).to.deep.include({ is_administrator: true });
      expect((await place(teaching)).status).to.equal(200);
      const { json } = await service.request<{ data: { action: string }[] }>(
        ...([`/lamb/v1/audit?q=${encodeURIComponent(override.reason)}`, { key: administrator.key }] as const),
      );
      expect(json.data.map(({ action }) => action)).to.deep.equal(['override gate']);
    });
  });
});

describe('a corrected answer of an assistant that has to pass first', function () {
  this.timeout(120_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  it('is read by those who may only chat once the scenarios have passed with it, and no longer once it is deleted', async () => {
    const { tried, teacher, student, correct, correction, readBy, pinned, learner, version } =
      await aChangedAssistant(world);
    const ask = ({ key }: Keyed) => readBy(() => world.service.chat(tried.id, QUESTION, { key }));
    const held = await learner(pinned);

    await correct({ status: 'draft' });
    expect([await ask(teacher), await ask(student)]).to.deep.equal(['newest no example', 'passed Friday']);
    await correct({ status: 'active', answer: 'On Sunday.' });
    // The newest version does not pass with it: nothing changes for others.
    expect((await tried.run()).passed).to.equal(false);
    expect([await ask(teacher), await ask(student)]).to.deep.equal(['newest Sunday', 'passed Friday']);
    expect((await tried.run({ version, cassette: 'replay' })).passed).not.to.equal(true);
    expect(await ask(student)).to.equal('passed Friday');
    expect((await tried.run({ version })).passed).to.equal(true);
    expect([await ask(student), await ask(held)]).to.deep.equal(['passed Sunday', 'passed Sunday']);

    await world.service.request(correction, { method: 'DELETE', key: teacher.key });
    expect([await ask(teacher), await ask(student), await ask(held)]).to.deep.equal([
      ...['newest no example', 'passed no example', 'passed no example'],
    ]);
    const left = await inDatabase(world.service, (_stores, db) =>
      db('passed_examples').where('assistant_id', tried.id).select('*'),
    );
    expect(left).to.deep.equal([]);
  });

  it('is the same for a whole run of them, and goes out with an administrator who lets it through', async () => {
    const tried = await aTriedAssistant(world, {
      ...{ metadata: { publish_gate: 'suite' }, steps: [{ wait: 'until corrected', then: say('Hello.') }] },
    });
    const { key } = tried.teacher;
    const { json } = await tried.post('annotations', {
      ...{ question: QUESTION, answer: 'On Friday.', status: 'active' },
    });
    const path = `${tried.path}/annotations/${String((json as { id: number }).id)}`;
    const correct = (body: object) => world.service.request(path, { method: 'PATCH', key, body });
    const messages = [{ role: 'user', content: QUESTION }];
    await tried.scenario(aScenario(GREETS, { messages }));
    const begun = await tried.begin();
    await world.model.waitFor(tried.llm, { requests: 1 });
    await correct({ answer: 'On Monday.' });
    await world.model.release('until corrected');
    await world.service.request(`/lamb/v1/suite-runs/${begun.json.id}/events`, { key });
    await tried.post('publish', { published: true });
    const readBy = async ({ key: by }: Keyed) => {
      await world.service.chat(tried.id, QUESTION, { key: by });
      const { body } = (await world.model.ledger(tried.llm)).at(-1)!;
      return /On (\w+)\./.exec(JSON.stringify(body.messages))?.[1];
    };

    expect([await readBy(tried.student), await readBy(tried.teacher)]).to.deep.equal(['Friday', 'Monday']);
    const away = { publish_gate: null };
    const refused = refusalOf(await tried.metadata(away), 409);
    expect([refused.code, refused.message]).to.deep.equal([
      'suite_not_passed',
      'Its corrected answers have changed since this version passed its scenarios. Run its scenarios first.',
    ]);
    const override = { reason: 'It cannot wait' };
    expect((await tried.metadata({}, { override }, tried.administrator)).status).to.equal(200);
    expect(await readBy(tried.student)).to.equal('Monday');
    expect((await tried.metadata(away)).status).to.equal(200);
  });
});
