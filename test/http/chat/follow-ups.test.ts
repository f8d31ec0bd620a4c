import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { configure, providers } from '../support/settings-client.js';
import { aColleagueOf, aPerson, type Person, shareWith } from '../support/users-fixture.js';

const QUESTIONS = ['Why does it divide?', 'How long does it take?', 'What divides first?'];

describe('what could be asked next', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** Somebody whose organisation has a small model that thinks of these, and an assistant that answers once. */
  async function anOffer({ thought = JSON.stringify({ follow_ups: QUESTIONS }), follow_ups = true } = {}) {
    const [person, model, small] = [await aPerson(world.service), uniqueName('model'), uniqueName('small')];
    await world.model.script(model, [say('A cell divides.')], { repeat: true });
    await world.model.script(small, [say(thought)], { repeat: true });
    const fast = { small_fast_model: { provider: 'openai', model: small } };
    await configure(world.service, person, providers({ base_url: `${world.model.url}/v1` }, fast));
    const { id } = await world.service.createAssistant(
      { metadata: { _format_version: 2, connector: 'openai', llm: model, follow_ups } },
      { key: person.key },
    );
    return { ...person, assistantId: id, small };
  }
  const asked = async (
    { key, assistantId }: Pick<Person, 'key'> & { assistantId: number },
    body: object = {},
  ) => {
    const question = {
      messages: [{ role: 'user', content: 'What does a cell do?' }],
      conversation_id: 'new',
    };
    const { headers } = await world.service.chat(assistantId, { ...question, ...body }, { key });
    return headers.get('x-run-id') ?? '';
  };
  const next = (runId: string, key: string) =>
    world.service.request<{ follow_ups: string[] }>(`/lamb/v1/runs/${runId}/follow-ups`, {
      ...{ method: 'POST', key },
    });

  it('comes from the small model, which is shown what was asked and answered, and belongs to that run', async () => {
    const person = await anOffer();
    const runId = await asked(person);

    const { status, json } = await next(runId, person.key);
    const [shown] = await world.model.ledger(person.small);
    const { json: runs } = await world.service.request<{ data: { parent_run_id: string | null }[] }>(
      ...(['/lamb/v1/runs', { key: person.key }] as const),
    );

    expect([status, json]).to.deep.equal([200, { follow_ups: QUESTIONS }]);
    expect(String(shown?.body.messages.at(-1)?.content))
      .to.contain('What does a cell do?')
      .and.to.contain('A cell divides.');
    expect(runs.data.map(({ parent_run_id }) => parent_run_id)).to.have.members([runId, null]);
  });

  it('is told of at the end of a stream of an assistant that offers it, and of no other', async () => {
    const [offering, silent] = [await anOffer(), await anOffer({ follow_ups: false })];
    const streamed = async ({ key, assistantId }: typeof offering) => {
      const body = { model: String(assistantId), stream: true, messages: [{ role: 'user', content: 'Hi' }] };
      return (await world.service.request('/v1/chat/completions', { key, body })).text;
    };

    expect(await streamed(offering)).to.contain('"follow_ups":true');
    expect(await streamed(silent)).not.to.contain('follow_ups');
  });

  it('holds at most three that could have been typed in, and nothing where the model brought none', async () => {
    const odd = ['  One\nline? ', '', 'x'.repeat(201), 'One line?', ...QUESTIONS];
    const [chatty, mute] = [
      await anOffer({ thought: JSON.stringify({ follow_ups: odd }) }),
      await anOffer({ thought: 'Of course!' }),
    ];

    expect((await next(await asked(chatty), chatty.key)).json.follow_ups).to.deep.equal([
      ...['One line?', ...QUESTIONS.slice(0, 2)],
    ]);
    expect((await next(await asked(mute), mute.key)).json.follow_ups).to.deep.equal([]);
  });

  it('is for whoever asked, of an answer that is kept, and takes no question from a budget of questions', async () => {
    const person = await anOffer();
    const other = await aColleagueOf(world.service, person);
    await shareWith(world.service, person.assistantId, other);
    const budget = { scope: { type: 'user', id: person.id }, unit: 'requests', amount: 2, period: 'day' };
    const made = await world.service.request('/lamb/v1/budgets', { body: budget });
    const runId = await asked(person);

    expect(made.status).to.equal(201);
    refusalOf(await next(runId, other.key), 404);
    refusalOf(await next('run_of_nobody', person.key), 404);
    expect((await next(runId, person.key)).status).to.equal(200);
    expect((await next(runId, person.key)).status).to.equal(200);
    const unkept = await asked(person, { conversation_id: undefined });
    expect(refusalOf(await next(unkept, person.key), 409).code).to.equal('no_follow_ups');
    const silent = await anOffer({ follow_ups: false });
    expect(refusalOf(await next(await asked(silent), silent.key), 409).code).to.equal('no_follow_ups');
  });

  it('is a switch in the metadata: anything but true or false is refused when it is saved', async () => {
    const { key } = await aPerson(world.service);
    const body = { name: uniqueName('odd'), metadata: { _format_version: 2, follow_ups: 'often' } };

    const { message } = refusalOf(await world.service.request('/lamb/v1/assistants', { key, body }), 422);

    expect(message).to.contain('follow_ups');
  });
});
