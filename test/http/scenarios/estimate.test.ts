import { expect } from 'chai';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aScenario, aTriedAssistant, GREETS, type TriedAssistant } from '../support/scenario-client.js';
import { configure, providers } from '../support/settings-client.js';

interface ShownEstimate {
  readonly questions: number;
  readonly tokens: number;
  readonly cost: number | null;
  readonly currency: string;
  readonly based_on: string;
}

describe('what a run of a suite will cost', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const estimateOf = async ({ path, teacher }: TriedAssistant, query = '') =>
    (await world.service.request<ShownEstimate>(`${path}/suite-runs/estimate${query}`, { key: teacher.key }))
      .json;
  const priced = ({ teacher, llm }: TriedAssistant) =>
    configure(world.service, teacher, {
      ...providers(
        { base_url: `${world.model.url}/v1` },
        { prices: { [llm]: { prompt: 1, completion: 2 } }, currency: 'EUR' },
      ),
    });
  const TWO = ['One?', 'Two?'].map((content) => ({ role: 'user', content }));

  it('is told by the length of prompt and messages before there was one, and has no cost without a price', async () => {
    const tried = await aTriedAssistant(world, { content: { system_prompt: 'x'.repeat(4_000) } });
    await tried.scenario(aScenario(GREETS, { messages: TWO }));

    const unpriced = await estimateOf(tried, '?repeat=3');
    await priced(tried);
    const known = await estimateOf(tried, '?repeat=3');

    expect(unpriced).to.deep.include({ questions: 6, cost: null, based_on: 'length' });
    expect(known).to.deep.include({ ...unpriced, cost: known.cost, currency: 'EUR' });
    // Two long prompts and two answers, three times; answers are twice as dear.
    expect(known.tokens).to.be.within(3 * 2_000, 3 * 4_000);
    expect(known.cost! * 1e6)
      .to.be.above(known.tokens)
      .and.below(2 * known.tokens);
  });

  it('is what the last run took, as long as the same model is asked', async () => {
    const tried = await aTriedAssistant(world);
    await priced(tried);
    await tried.scenario();
    const run = await tried.run({ repeat: 2 });
    expect(run).to.include({ currency: 'EUR' });
    expect(run.cost).to.be.above(0);

    expect(await estimateOf(tried, '?repeat=2')).to.deep.equal({
      ...{ questions: 2, tokens: run.tokens, cost: run.cost, currency: 'EUR', based_on: 'last_run' },
    });
    await tried.scenario(aScenario(GREETS, { messages: TWO }));
    expect(await estimateOf(tried)).to.deep.include({ questions: 3, tokens: 1.5 * run.tokens });
    await tried.metadata({ llm: 'another-model' });
    expect(await estimateOf(tried)).to.deep.include({ questions: 3, cost: null, based_on: 'length' });
  });

  it('is asked for within bounds', async () => {
    const tried = await aTriedAssistant(world);
    const { key } = tried.teacher;
    expect(await estimateOf(tried)).to.deep.include({ questions: 0, tokens: 0 });
    for (const repeat of ['0', '11', 'often'])
      refusalOf(
        await world.service.request(`${tried.path}/suite-runs/estimate?repeat=${repeat}`, { key }),
        400,
      );
  });
});
