import { expect } from 'chai';
import { raw, say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aKnowledgePerson, anAssistant, rag, register } from '../support/knowledge-client.js';

const event = (choices: readonly object[]) => `data: ${JSON.stringify({ choices })}\n\n`;
const call = (id: string, query: string) => ({
  ...{
    id,
    type: 'function',
    function: { name: 'query_knowledge_base', arguments: JSON.stringify({ query }) },
  },
});
const calls = (...tool_calls: readonly object[]) => event([{ index: 0, delta: { tool_calls } }]);
const FINISH = event([{ index: 0, delta: {}, finish_reason: 'tool_calls' }]);
const DONE = 'data: [DONE]\n\n';

describe('calls of a provider that does not count them', () => {
  let world: TestService;
  let kb: FakeKbServer;
  before(async () => {
    world = await sharedService();
    kb = await startFakeKbServer();
  });
  after(() => kb.stop());

  /** What the knowledge base was asked when a model said this, and what was answered. */
  async function told(stream: readonly string[]) {
    const person = await aKnowledgePerson(world, kb);
    const id = await kb.collection({ results: [result('Cells divide.')] });
    await register(world, person, id);
    const assistant = await anAssistant(world, person, {
      steps: [raw(stream), say('Done.')],
      metadata: { _format_version: 2, tools: [rag([id], {}, { mode: 'function' })] },
    });
    const { text } = await assistant.stream('Cells?');
    const asked = (await kb.ledger(id)).map(({ body }) => body.query_text);
    return { asked, text };
  }

  it('are run each with its own arguments', async () => {
    const { asked, text } = await told([calls(call('a', 'cells')), calls(call('b', 'roots')), FINISH, DONE]);

    expect(asked).to.have.members(['cells', 'roots']);
    expect(text).to.equal('Done.');
  });

  it('are run each with its own arguments when all have the same index', async () => {
    const [one, two] = [call('a', 'cells'), call('b', 'roots')].map((each) => ({ index: 0, ...each }));

    const { asked } = await told([calls(one ?? {}, two ?? {}), FINISH, DONE]);

    expect(asked).to.have.members(['cells', 'roots']);
  });

  it('are not run when they stand in another choice', async () => {
    const other = { index: 1, delta: { tool_calls: [{ index: 0, ...call('a', 'cells') }] } };

    const { asked, text } = await told([
      event([other]),
      event([{ index: 0, delta: { content: 'Hello.' } }, other]),
      event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
      DONE,
    ]);

    expect(asked).to.deep.equal([]);
    expect(text).to.equal('Hello.');
  });

  it('and words that come after the last word of the stream are not passed on', async () => {
    const word = (content: string) => event([{ index: 0, delta: { content } }]);

    const { asked, text } = await told([
      word('Hello'),
      word('.'),
      event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
      DONE,
      word(' More.'),
      calls({ index: 0, ...call('a', 'cells') }),
    ]);

    expect(asked).to.deep.equal([]);
    expect(text).to.equal('Hello.');
  });
});
