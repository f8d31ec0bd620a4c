import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, hang, say } from '../../support/fakes/model-script.js';
import { sharedService, weatherFunction, type TestService } from '../../support/test-service.js';

interface RunView {
  readonly status: string;
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly estimated?: boolean;
  };
}

describe('a client that leaves', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const recorded = async (runId: string) => {
    await world.service.waitForLog((line) => line['runId'] === runId && line['msg'] === 'run ended');
    return (await world.service.request<RunView>(`/lamb/v1/runs/${runId}`)).json;
  };
  /** Reads until a frame passes the test, then hangs up. */
  const leaveAt = async (
    assistantId: number,
    here: (frame: { type?: string | undefined; text: string }) => Promise<boolean> | boolean,
  ) => {
    const hangUp = new AbortController();
    const stream = await world.service.stream(assistantId, 'Hello?', { signal: hangUp.signal });
    for await (const frame of stream.frames) {
      if (frame === '[DONE]') break;
      if (await here({ type: frame.x_bellwether?.type, text: frame.choices?.[0]?.delta.content ?? '' }))
        break;
    }
    hangUp.abort();
    return { runId: stream.response.headers.get('x-run-id')!, leftAt: Date.now() };
  };

  it("during a tool: the tool's socket closes within a second, and the ledger has the usage so far", async () => {
    const city = uniqueName('Slowtown');
    const usage = { prompt_tokens: 70, completion_tokens: 9 };
    const assistant = await world.assistant([call('get_weather', { city }, { usage }), say('never')], {
      tools: [weatherFunction],
    });

    const { runId, leftAt } = await leaveAt(assistant.id, async ({ type }) => {
      if (type !== 'tool.started') return false;
      await world.weather.waitFor(city, { requests: 1 });
      return true;
    });

    const [row] = await world.weather.waitFor(city, { closed: 1 });
    const run = await recorded(runId);
    expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
    expect(run).to.include({ status: 'cancelled' });
    expect(run.usage).to.deep.equal(usage);
    expect(await world.model.ledger(assistant.model)).to.have.length(1);
  });

  it("while the model is silent: the model's socket closes within a second", async () => {
    const assistant = await world.assistant([hang('after-headers')]);

    const { runId, leftAt } = await leaveAt(assistant.id, async ({ type }) => {
      if (type !== 'model.started') return false;
      await world.model.waitFor(assistant.model, { requests: 1 });
      return true;
    });

    const [row] = await world.model.waitFor(assistant.model, { closed: 1 });
    expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
    expect(await recorded(runId)).to.include({ status: 'cancelled' });
  });

  it("in the middle of the answer: the model's socket closes, and what was said is counted by its length", async () => {
    const assistant = await world.assistant([hang(3)]);

    const { runId, leftAt } = await leaveAt(assistant.id, ({ text }) => text !== '');

    const [row] = await world.model.waitFor(assistant.model, { closed: 1 });
    const run = await recorded(runId);
    expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
    expect(run.usage).to.include({ estimated: true });
    expect(run.usage.completion_tokens).to.be.greaterThan(0);
  });

  it("while another assistant is asked: that one's model is let go too", async () => {
    const child = await world.assistant([hang('before-headers')]);
    const parent = await world.assistant(
      [call(`call_assistant_${String(child.id)}`, { query: 'x' }), say('never')],
      {
        tools: [{ type: 'assistant', enabled: true, mode: 'function', config: { assistant_id: child.id } }],
      },
    );

    const { runId, leftAt } = await leaveAt(parent.id, async ({ type }) => {
      if (type !== 'assistant.started') return false;
      await world.model.waitFor(child.model, { requests: 1 });
      return true;
    });

    const [row] = await world.model.waitFor(child.model, { closed: 1 });
    expect(row!.closedAt! - leftAt).to.be.lessThan(1000);
    expect(await recorded(runId)).to.include({ status: 'cancelled' });
    expect(await world.model.ledger(parent.model)).to.have.length(1);
  });

  it('without streaming: all the same', async () => {
    const assistant = await world.assistant([hang('after-headers')]);
    const hangUp = new AbortController();

    const answer = world.service
      .chat(assistant.id, 'Hello?', { signal: hangUp.signal })
      .catch(() => undefined);
    await world.model.waitFor(assistant.model, { requests: 1 });
    hangUp.abort();
    await answer;

    expect(await world.model.waitFor(assistant.model, { closed: 1 }, 1000)).to.have.length(1);
  });
});
