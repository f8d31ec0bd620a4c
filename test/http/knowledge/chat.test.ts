import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type FakeEmbeddings, startFakeEmbeddings, uniqueName } from '../../support/fakes/fakes.js';
import { call, fail, say } from '../../support/fakes/model-script.js';
import { type FakeKbServer, result, startFakeKbServer } from '../../support/kb-server.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aKnowledgePerson, anAssistant, KB_TOKEN, rag, register } from '../support/knowledge-client.js';
import { configure, providers } from '../support/settings-client.js';
import { aPerson } from '../support/users-fixture.js';

const TALK = [
  { role: 'user', content: 'What is photosynthesis?' },
  { role: 'assistant', content: 'How plants make sugar.' },
  { role: 'user', content: 'And where does it happen?' },
];

interface RunStep {
  readonly kind: string;
  readonly tool?: string;
  readonly usage?: { readonly prompt_tokens: number };
  readonly detail?: object;
  readonly ok?: boolean;
}

interface Forwarding {
  readonly url: string;
  stop(): Promise<unknown>;
}

/** One address for two servers, as a gateway has for its models. */
async function startForwarding(serverFor: (path: string) => string): Promise<Forwarding> {
  const server = createServer((req, res) => {
    const { pathname, port, hostname } = new URL(req.url ?? '/', serverFor(req.url ?? ''));
    const { method, headers } = req;
    req.pipe(
      request({ hostname, port, path: pathname, method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(closed);
      }),
  };
}

describe('an assistant with a knowledge base', () => {
  let world: TestService;
  let kb: FakeKbServer;
  before(async () => {
    world = await sharedService();
    kb = await startFakeKbServer();
  });
  after(() => kb.stop());

  for (const [processor, plugin] of [
    ['simple_rag', ''],
    ['context_aware_rag', ''],
    ['hierarchical_rag', '?plugin_name=parent_child_query'],
    ['knowledge_store_rag', ''],
  ] as const) {
    it(`answers from it when it is a classic one with ${processor}`, async () => {
      const person = await aKnowledgePerson(world, kb);
      const id = await kb.collection({ results: [result('Cells divide.')] });
      await register(world, person, id);
      const assistant = await anAssistant(world, person, {
        steps: [say('ok')],
        metadata: { rag_processor: processor },
        ...{ RAG_collections: id, RAG_Top_k: 4 },
      });

      const { status } = await assistant.ask('How do cells grow?');

      const [row] = await kb.ledger(id);
      expect(status).to.equal(200);
      expect(row).to.include({
        path: `/collections/${id}/query${plugin}`,
        authorization: `Bearer ${KB_TOKEN}`,
      });
      expect(row?.body).to.deep.include({ query_text: 'How do cells grow?', top_k: 4, threshold: 0 });
      expect(await assistant.prompt()).to.match(
        /^Known:\n[^]*Cells divide\.[^]*\nAsked: How do cells grow\?$/,
      );
    });
  }

  it('asks several at the same time, merges by similarity, and cites what it read', async () => {
    const person = await aKnowledgePerson(world, kb);
    const gates = [uniqueName('gate'), uniqueName('gate')] as const;
    const [one, two] = await Promise.all([
      kb.collection({ gate: gates[0], results: [result('first', 0.9), result('fourth', 0.3)] }),
      kb.collection({
        gate: gates[1],
        results: [
          result('second', 0.8, { filename: 'Cells.pdf', page: 4, file_url: '/static/Cells.pdf' }),
          result('third', 0.7, { file_url: '@evil.test/x' }),
        ],
      }),
    ]);
    await register(world, person, one, { name: 'Biology 101' });
    await register(world, person, two, { name: 'Cells' });
    const assistant = await anAssistant(world, person, {
      steps: [say('ok')],
      metadata: { _format_version: 2, tools: [rag([one, two])] },
    });

    const asked = assistant.stream('Cells?');
    await Promise.all([one, two].map((id) => kb.waitFor(id, { requests: 1 })));
    for (const gate of gates) await kb.release(gate);
    const { statuses } = await asked;

    const prompt = await assistant.prompt();
    const places = ['first', 'second', 'third', 'fourth'].map((text) => prompt.indexOf(text));
    expect(places.slice(0, 3)).to.deep.equal([...places.slice(0, 3)].sort((a, b) => a - b));
    expect(places.indexOf(-1)).to.equal(3);
    expect(statuses.find(({ type }) => type === 'placeholder.started')?.label).to.equal(
      'querying knowledge base Biology 101, Cells',
    );
    const sources = statuses.at(-1)?.sources ?? [];
    expect(sources.map(({ title }) => title)).to.deep.equal(['Book.pdf', 'Cells.pdf, p. 4']);
    expect(sources.map(({ url }) => url)).to.deep.equal([undefined, `${kb.url}/static/Cells.pdf`]);
    expect(JSON.stringify(statuses)).not.to.contain(KB_TOKEN).and.not.to.contain('evil');
  });

  it('takes nothing below its threshold, and tells the model when nothing is left', async () => {
    const person = await aKnowledgePerson(world, kb);
    const id = await kb.collection({ results: [result('weak', 0.29)] });
    await register(world, person, id);
    const assistant = await anAssistant(world, person, {
      steps: [say('ok')],
      metadata: { _format_version: 2, tools: [rag([id], { threshold: 0.3 })] },
    });

    await assistant.ask('Cells?');

    const [row] = await kb.ledger(id);
    expect(row?.body.threshold).to.equal(0.3);
    expect(await assistant.prompt()).to.contain(
      'Nothing that fits the question was found in the knowledge base Biology 101.',
    );
  });

  it('offers it as a function that is described by the names of its collections', async () => {
    const person = await aKnowledgePerson(world, kb);
    const id = await kb.collection({ results: [result('Cells divide.')] });
    await register(world, person, id);
    const assistant = await anAssistant(world, person, {
      steps: [call('query_knowledge_base', { query: 'mitosis' }), say('ok')],
      metadata: { _format_version: 2, tools: [rag([id], {}, { mode: 'function' })] },
    });

    await assistant.ask('Cells?');

    const [first, second] = await assistant.requests();
    const [offered] = first?.tools ?? [];
    expect(offered?.function.name).to.equal('query_knowledge_base');
    expect(offered?.function.description).to.contain('Biology 101');
    expect(second?.messages.at(-1)?.content).to.contain('Cells divide.');
    expect((await kb.ledger(id))[0]?.body.query_text).to.equal('mitosis');
  });

  describe('and a reranker', () => {
    let rerankers: FakeEmbeddings;
    let openai: Forwarding;
    before(async () => {
      rerankers = await startFakeEmbeddings();
      openai = await startForwarding((path) => (path.endsWith('/rerank') ? rerankers.url : world.model.url));
    });
    after(() => Promise.all([rerankers.stop(), openai.stop()]));

    /** Of the passages the longest is the one that the fake finds best. */
    async function aReader(reranker: string) {
      const person = await aPerson(world.service);
      const knowledge_base = { server_url: kb.url, api_token: KB_TOKEN, reranker: `openai:${reranker}` };
      const openAI = { base_url: `${openai.url}/v1`, api_key: 'sk-of-the-reranker' };
      await configure(world.service, person, providers(openAI, { knowledge_base }));
      const id = await kb.collection({ results: [result('first', 0.9), result('the second one', 0.8)] });
      await register(world, person, id);
      const assistant = await anAssistant(world, person, {
        steps: [say('ok')],
        metadata: { _format_version: 2, tools: [rag([id], { top_k: 1, rerank: true })] },
      });
      const ask = async () => {
        const { headers, status } = await assistant.ask('Which?');
        const path = `/lamb/v1/runs/${String(headers.get('x-run-id'))}`;
        const { json } = await world.service.request<{ steps: RunStep[] }>(path, { key: person.key });
        const steps = json.steps.filter(({ kind, tool }) => kind === 'model' && tool === 'simple_rag');
        return { status, prompt: await assistant.prompt(), steps };
      };
      return { person, assistant, ask };
    }

    it('has it order the passages: one request with the key, one step with what it cost', async () => {
      const model = uniqueName('rerank');
      const { person, assistant, ask } = await aReader(model);

      const { prompt, steps } = await ask();
      const asked = await rerankers.ledger(model);
      const preview = await world.service.request<{ warnings: string[] }>(
        `/lamb/v1/assistants/${String(assistant.id)}/preview`,
        { key: person.key, body: { messages: TALK } },
      );

      expect(prompt).to.contain('the second one').and.not.contain('first');
      expect(asked.map(({ body }) => body)).to.deep.equal([
        { model, query: 'Which?', documents: ['first', 'the second one'], top_n: 2 },
      ]);
      expect(asked[0]?.headers['authorization']).to.equal('Bearer sk-of-the-reranker');
      expect(steps).to.have.length(1);
      expect(steps[0]).to.deep.include({
        detail: { purpose: 'rerank' },
        connector: 'openai',
        model,
        ok: true,
      });
      expect(steps[0]?.usage?.prompt_tokens).to.equal(77);
      // A preview costs nothing, and lacks nothing.
      expect(preview.json.warnings).to.deep.equal([]);
      expect(await rerankers.ledger(model)).to.have.length(1);
    });

    it('has what that costs spent from budgets', async () => {
      const { person, ask } = await aReader(uniqueName('rerank'));
      const budget = await world.service.request<{ id: string }>('/lamb/v1/budgets', {
        body: { scope: { type: 'user', id: person.id }, unit: 'tokens', amount: 100_000, period: 'day' },
      });

      const { steps } = await ask();

      const spent = await world.service.request(`/lamb/v1/budgets/${budget.json.id}`);
      expect(steps.map(({ ok }) => ok)).to.deep.equal([true]);
      // 77 for the order, 15 for the answer.
      expect(spent.json).to.include({ used: 77 + 15, reserved: 0 });
    });

    it('keeps the order of the search when it fails', async () => {
      const model = uniqueName('rerank');
      const { ask } = await aReader(model);
      await rerankers.faults(model, ['error-500']);

      const { status, prompt, steps } = await ask();

      expect(status).to.equal(200);
      expect(prompt).to.contain('first').and.not.contain('the second one');
      expect(steps.map(({ ok }) => ok)).to.deep.equal([false]);
    });
  });

  describe('and a small model', () => {
    async function aReader(config: object, small: readonly [string, string] | undefined) {
      const model = uniqueName('small');
      await world.model.script(model, small ? [say(small[0]), say(small[1])] : [fail(400)], { repeat: true });
      const person = await aKnowledgePerson(world, kb, { small: model });
      const results = [1, 2, 3, 4].map((n) => result(`passage ${String(n)}`, 1 - n / 10));
      const id = await kb.collection({ results });
      await register(world, person, id);
      const assistant = await anAssistant(world, person, {
        steps: [say('ok')],
        metadata: { _format_version: 2, tools: [rag([id], { top_k: 1, ...config })] },
      });
      return { person, assistant, smallRequests: () => world.model.ledger(model), rows: () => kb.ledger(id) };
    }

    it('has questions completed and passages chosen, each in the trace with what it cost', async () => {
      const { person, assistant, rows } = await aReader({ query_rewrite: true, rerank: true }, [
        'Where does photosynthesis happen?',
        '{"best_first":[3]}',
      ]);

      const { headers, json } = await assistant.ask({ messages: TALK });

      expect((await rows()).map(({ body }) => [body.query_text, body.top_k])).to.deep.equal([
        ['Where does photosynthesis happen?', 3],
      ]);
      expect(await assistant.prompt())
        .to.contain('passage 3')
        .and.contain('Asked: And where does it happen?')
        .and.not.contain('passage 1');
      const run = await world.service.request<{ steps: RunStep[] }>(
        `/lamb/v1/runs/${String(headers.get('x-run-id'))}`,
        { key: person.key },
      );
      const asked = run.json.steps.filter(({ kind, tool }) => kind === 'model' && tool === 'simple_rag');
      expect(asked.map(({ detail }) => detail)).to.deep.equal([
        { purpose: 'rewrite' },
        { purpose: 'rerank' },
      ]);
      expect(asked.every(({ usage }) => (usage?.prompt_tokens ?? 0) > 0)).to.equal(true);
      expect(run.text).not.to.contain('photosynthesis').and.not.to.contain('passage 3');
      expect(json.usage.prompt_tokens).to.equal(30);
      expect(json.x_bellwether.iterations).to.equal(1);
    });

    it('tells what it is doing', async () => {
      const { assistant } = await aReader({ rerank: true }, ['{"best_first":[2]}', '']);

      const { statuses } = await assistant.stream('Cells?');

      const labels = statuses.filter(({ type }) => type === 'tool.progress').map(({ label }) => label);
      expect(labels).to.deep.equal(['ordering the passages']);
    });

    it('does without when it fails', async () => {
      const { assistant, rows } = await aReader({ query_rewrite: true, rerank: true }, undefined);

      const { status } = await assistant.ask({ messages: TALK });

      expect(status).to.equal(200);
      expect((await rows())[0]?.body.query_text).to.equal('And where does it happen?');
      expect(await assistant.prompt())
        .to.contain('passage 1')
        .and.not.contain('passage 2');
    });

    it('is not asked for a preview', async () => {
      const { person, assistant, smallRequests } = await aReader({ query_rewrite: true, rerank: true }, [
        'a',
        'b',
      ]);

      const preview = await world.service.request<{ warnings: string[] }>(
        `/lamb/v1/assistants/${String(assistant.id)}/preview`,
        { key: person.key, body: { messages: TALK } },
      );

      expect(preview.status, preview.text).to.equal(200);
      expect(await smallRequests()).to.deep.equal([]);
      expect(preview.json.warnings).to.deep.equal([]);
    });
  });

  it('is told in a preview, once, that it does without a small model where there is none', async () => {
    const person = await aKnowledgePerson(world, kb);
    const id = await kb.collection({ results: [result('one'), result('two')] });
    await register(world, person, id);
    const { id: assistantId } = await anAssistant(world, person, {
      steps: [],
      metadata: { _format_version: 2, tools: [rag([id], { query_rewrite: true, rerank: true })] },
    });

    const preview = await world.service.request<{ warnings: string[] }>(
      `/lamb/v1/assistants/${String(assistantId)}/preview`,
      { key: person.key, body: { messages: TALK } },
    );

    expect(preview.json.warnings).to.have.length(1);
    expect(preview.json.warnings[0]).to.contain('small fast model');
  });
});
