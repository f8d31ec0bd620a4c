import { expect } from 'chai';
import { canonicalMetadata } from '../../db/metadata/canonical.js';
import { catalogue } from '../db/fixtures.js';
import { inDatabase } from '../http/support/users-fixture.js';
import { call, say } from '../support/fakes/model-script.js';
import { aRubric, essayRubric } from '../support/rubrics.js';
import { sharedService, type TestService } from '../support/test-service.js';

const entry = (rubric_id: string | number, more: object = {}, config: object = {}) => ({
  type: 'rubric_rag',
  enabled: true,
  mode: 'placeholder',
  config: { rubric_id, ...config },
  ...more,
});
const HOSTILE = '{context} a|b\n## FORGED\n<script>alert("{user_input}")</script> $& \\frac{a}{b}';

describe('rubric_rag', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const lastPrompt = async (model: string) =>
    String((await world.model.ledger(model)).at(-1)!.body.messages.at(-1)!.content);
  const markdown = async (id: string) =>
    (await world.service.request(`/lamb/v1/rubrics/${id}?format=markdown`)).text;

  it('fills {rubric} with the rendered rubric, names it while it works, and cites it', async () => {
    const { id } = await aRubric(world.service, { title: 'Lab report' });
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{rubric}\n---\n{user_input}',
      tools: [entry(id)],
    });

    const { statuses } = await (await world.service.stream(assistant.id, 'Mark this.')).whole();

    expect(await lastPrompt(assistant.model)).to.equal(`${await markdown(id)}\n---\nMark this.`);
    expect(
      statuses.filter(({ tool }) => tool === 'rubric_rag').map(({ type, label }) => [type, label]),
    ).to.deep.equal([
      ['placeholder.started', 'generating rubric Lab report'],
      ['placeholder.completed', 'generating rubric Lab report'],
    ]);
    const [{ url, ...source } = { url: '' }] = statuses.at(-1)!.sources as unknown as { url: string }[];
    const chars = (await markdown(id)).length;
    expect(source).to.deep.equal({ n: 1, title: 'Lab report', type: 'rubric', id, chars, cited: false });
    expect(await (await fetch(url)).text()).to.equal(await markdown(id));
  });

  it('is offered as get_rubric, without parameters, each of two by the title of its own', async () => {
    const [one, two] = [
      await aRubric(world.service, { title: 'Essay' }),
      await aRubric(world.service, { title: 'Talk' }),
    ];
    const assistant = await world.assistant([call('get_rubric_2', {}), say('ok')], {
      tools: [entry(one.id, { mode: 'function' }), entry(two.id, { mode: 'function' })],
    });

    await world.service.chat(assistant.id, 'x');

    const [first, second] = await world.model.ledger(assistant.model);
    const offered = first!.body.tools!.map((tool) => tool.function);
    expect(offered.map(({ name }) => name)).to.deep.equal(['get_rubric', 'get_rubric_2']);
    expect(offered.map(({ description }) => description!.includes('"Talk"'))).to.deep.equal([false, true]);
    expect(offered[0]!.parameters).to.deep.include({ properties: {}, additionalProperties: false });
    expect(second!.body.messages.at(-1)!.content).to.equal(await markdown(two.id));
  });

  it('comes as JSON when its author wants that: instructions and the rubric as stored', async () => {
    const rubric_data = essayRubric({ theme: 'dark' });
    const { id } = await aRubric(world.service, { rubric_data });
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{rubric}',
      tools: [entry(id, {}, { format: 'json' })],
    });

    await world.service.chat(assistant.id, '');

    const json = JSON.parse(await lastPrompt(assistant.model)) as Record<string, unknown>;
    expect(json).to.have.all.keys('evaluation_instructions', 'rubric');
    expect(json['rubric']).to.deep.equal(rubric_data);
  });

  it('takes an id that is a number', async () => {
    const id = String(Math.trunc(Math.random() * 1e12));
    const { json: me } = await world.service.request<{ id: number; organization_id: number }>('/lamb/v1/me');
    await inDatabase(world.service, ({ rubrics, users }) =>
      users
        .byId(me.id)
        .then((owner) =>
          rubrics.create(owner!, { title: 'Old', description: '', data: essayRubric(), isPublic: false }, id),
        ),
    );
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{rubric}',
      tools: [entry(Number(id))],
    });

    await world.service.chat(assistant.id, 'x');

    expect(await lastPrompt(assistant.model)).to.match(/^# EVALUATION RUBRIC: Old\n/);
  });

  for (const format of ['markdown', 'json']) {
    it(`brings hostile text to the model as ${format}, literally and once`, async () => {
      const criteria = essayRubric().criteria.map((each) => ({
        ...each,
        name: HOSTILE,
        description: HOSTILE,
      }));
      const { id } = await aRubric(world.service, { title: 'x', rubric_data: essayRubric({ criteria }) });
      const assistant = await world.assistant([say('ok')], {
        prompt_template: '{rubric}|{context}|{user_input}',
        tools: [entry(id, {}, { format })],
      });

      await world.service.chat(assistant.id, 'THE QUESTION');

      const prompt = await lastPrompt(assistant.model);
      const told =
        format === 'json'
          ? JSON.stringify(HOSTILE).slice(1, -1)
          : '<script>alert("{user_input}")</script> $& \\frac{a}{b}';
      expect(prompt).to.contain('{context} a').and.to.contain(told);
      expect(prompt.split('THE QUESTION')).to.have.length(2);
      expect(prompt.match(/^## FORGED/m)).to.equal(null);
    });
  }

  it('fills {context} of a classic assistant, with the same prompt before and after conversion', async () => {
    const { id } = await aRubric(world.service);
    const prompt_template = 'Rubric: {context}\nWork: {user_input}';
    const stored = { prompt_processor: 'simple_augment', rag_processor: 'rubric_rag', rubric_id: id };
    const converted = (metadata: object) =>
      canonicalMetadata({ metadata, ragCollections: '', ragTopK: null }, catalogue).metadata;

    for (const classic of [stored, { ...stored, rubric_format: 'json' }, { ...stored, rubric_format: '' }]) {
      const before = await world.assistant([say('ok')], {
        prompt_template,
        metadata: { _format_version: undefined, tools: undefined, ...classic },
      });
      const after = await world.assistant([say('ok')], { prompt_template, metadata: converted(classic) });
      await world.service.chat(before.id, 'An essay.');
      await world.service.chat(after.id, 'An essay.');

      expect(before).to.include({ assistant_type: 'classic' });
      expect(after).to.include({ assistant_type: 'multi_tool' });
      const prompts = [await lastPrompt(before.model), await lastPrompt(after.model)];
      expect(prompts[0]).to.equal(prompts[1]);
      expect(prompts[0]).to.match(/^Rubric: (# EVALUATION RUBRIC|\{)[^]*\nWork: An essay\.$/);
    }
  });

  it('says that a rubric from elsewhere has faults, and which', async () => {
    const { id } = await aRubric(world.service);
    await inDatabase(world.service, (_stores, db) =>
      db('rubrics').where({ id }).update({ data: '{"criteria":[]}' }),
    );
    const assistant = await world.assistant([call('get_rubric', {}), say('ok')], {
      tools: [entry(id, { mode: 'function' })],
    });

    await world.service.chat(assistant.id, 'x');

    expect(await lastPrompt(assistant.model)).to.contain('criteria: must hold at least one criterion');
    expect((await world.service.request(`/lamb/v1/rubrics/${id}?format=markdown`)).status).to.equal(422);
  });
});
