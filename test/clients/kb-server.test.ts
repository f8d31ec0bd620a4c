import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Agent } from 'undici';
import { createKbServerClient } from '../../src/clients/kb-server.js';
import type { KnowledgeQuestion } from '../../src/core/knowledge/embedder.js';
import { createTrustedFetch } from '../../src/outbound/fetch.js';
import { uniqueName } from '../support/fakes/fakes.js';
import { type CollectionTraits, type FakeKbServer, result, startFakeKbServer } from '../support/kb-server.js';

const TOKEN = 'canary-token-0123456789';

describe('a knowledge base server', () => {
  let fake: FakeKbServer;
  const agent = new Agent();
  before(async () => {
    fake = await startFakeKbServer();
  });
  after(async () => {
    await fake.stop();
    await agent.destroy();
  });

  async function ask(traits: CollectionTraits, wishes: Partial<KnowledgeQuestion> = {}, id?: string) {
    const collection = id ?? (await fake.collection(traits));
    if (id !== undefined) await fake.treat(id, traits);
    const logged: unknown[] = [];
    const note = (...line: unknown[]) => {
      logged.push(line);
    };
    const client = createKbServerClient({
      fetch: createTrustedFetch(agent),
      timeoutMs: traits.shape === 'silent' ? 50 : 5_000,
      log: { debug: note, info: note, warn: note, error: note },
    });
    const signal = new AbortController().signal;
    const asked = client(
      { url: fake.url, token: TOKEN },
      { id: 'ours', externalId: collection, name: 'Biology\n101' },
      { query: 'light?', topK: 3, threshold: 0, signal, ...wishes },
    );
    const { passages, error } = await asked.then(
      (found) => ({ passages: found, error: undefined }),
      (fault: unknown) => ({ passages: [] as Awaited<typeof asked>, error: fault as Error }),
    );
    return { collection, passages, error, logged: JSON.stringify(logged) };
  }

  it('is asked in LAMB’s words, with the token in a header', async () => {
    const { collection } = await ask({}, { topK: 7, threshold: 0.25 });

    const [row] = await fake.ledger(collection);
    expect(row).to.include({
      ...{ method: 'POST', path: `/collections/${collection}/query`, authorization: `Bearer ${TOKEN}` },
    });
    expect(row?.body).to.deep.equal({ query_text: 'light?', top_k: 7, threshold: 0.25, plugin_params: {} });
  });

  it('is asked for whole sections by the plug-in that has them, and brings each once', async () => {
    const parent_text = 'The whole section.';
    const { collection, passages } = await ask(
      {
        results: [
          result('one', 0.9, { parent_text }),
          result('two', 0.8, { parent_text }),
          result('three', 0.7),
        ],
      },
      { parentContext: true },
    );

    const [row] = await fake.ledger(collection);
    expect(row?.path).to.equal(`/collections/${collection}/query?plugin_name=parent_child_query`);
    expect(passages.map(({ data, metadata }) => [data, metadata.parent_text])).to.deep.equal([
      ['one', parent_text],
      ['three', undefined],
    ]);
  });

  for (const shape of ['results', 'documents'] as const) {
    it(`is understood when it answers with ${shape}, also in other versions’ words`, async () => {
      const { passages } = await ask(
        {
          shape,
          results: [
            result('first', 0.9, {
              page: '4',
              section: 'Cells',
              chunk_index: 2,
              file_url: '/static/1/Book.pdf',
            }),
            { score: 0.5, text: 'second', metadata: { video_title: 'A film', page: 'x', chunk_index: -1 } },
            { similarity: 7, content: 'third', metadata: null },
            ...['', 3, null, { similarity: 0.9 }, { data: ' ' }],
          ],
        },
        { topK: 10 },
      );

      expect(
        passages.map(({ data, similarity, metadata }) => [data, similarity, metadata.filename]),
      ).to.deep.equal([
        ['first', 0.9, 'Book.pdf'],
        ['second', 0.5, 'A film'],
        ['third', 1, 'Unknown'],
      ]);
      expect(passages[0]).to.deep.include({ url: `${fake.url}/static/1/Book.pdf` });
      expect(passages[0]?.metadata).to.include({ page: 4, section: 'Cells', chunk_index: 2 });
      expect(passages[1]?.metadata).not.to.have.any.keys('page', 'chunk_index');
      expect(passages[1]).not.to.have.property('url');
    });
  }

  it('is held to the threshold and the number that were asked for', async () => {
    const results = [0.9, 0.2, 0.8, 0.7, 0.6].map((similarity) =>
      result(`at ${String(similarity)}`, similarity),
    );

    const { passages } = await ask({ results }, { threshold: 0.5 });

    expect(passages.map(({ similarity }) => similarity)).to.deep.equal([0.9, 0.8, 0.7]);
  });

  for (const [why, traits, code, message] of [
    ['says something else', { shape: 'garbage' }, 'upstream_failed', /could not be reached or gave/],
    ['answers with a web page', { shape: 'html' }, 'upstream_failed', /could not be reached or gave/],
    ['goes on for ever', { shape: 'huge' }, 'too_large', /sent more than can be taken/],
    ['is silent', { shape: 'silent' }, 'timeout', /took too long/],
    ['hangs up', { shape: 'reset' }, 'upstream_failed', /could not be reached or gave/],
    ['refuses the token', { status: 401 }, 'upstream_refused', /answered with status 401/],
    ['breaks', { status: 500 }, 'upstream_refused', /answered with status 500/],
    ['has no such collection', { status: 404 }, 'not_found', /was not found/],
  ] as const) {
    it(`is named, and nothing it said is, when it ${why}`, async () => {
      const { error, logged } = await ask(traits);

      expect(error).to.have.property('code', code);
      expect(error?.message)
        .to.match(/^The knowledge base "Biology 101" /)
        .and.match(message);
      for (const text of [error?.message, logged]) {
        expect(text).not.to.contain('words of the server');
        expect(text).not.to.contain(TOKEN);
        expect(text).not.to.contain(new URL(fake.url).port);
      }
    });
  }

  it('is not followed elsewhere', async () => {
    const target = await fake.collection({ results: [result('loot')] });

    const { error, passages } = await ask({
      shape: 'redirect',
      to: `${fake.url}/collections/${target}/query`,
    });

    expect(error).to.have.property('code', 'upstream_refused');
    expect(passages).to.deep.equal([]);
    expect(await fake.ledger(target)).to.deep.equal([]);
  });

  it('has its token kept to itself although it says it back', async () => {
    const { passages } = await ask({ shape: 'echo' });

    expect(passages).to.have.length(1);
    expect(JSON.stringify(passages)).not.to.contain(TOKEN);
    expect(decodeURIComponent(JSON.stringify(passages))).not.to.contain(TOKEN);
  });

  it('gets no id but a number or a UUID in its one spelling', async () => {
    const before = (await fake.ledger()).length;
    const odd = [
      '.',
      '..',
      '',
      '07',
      '+7',
      ' 7',
      '7\n',
      '-7',
      '7/../8',
      '7%2f8',
      '?x=1',
      randomUUID().toUpperCase(),
    ];

    for (const id of odd) expect((await ask({}, {}, id)).error).to.have.property('code', 'not_found');

    expect(await fake.ledger()).to.have.length(before);
  });

  it('is left at once when whoever asked leaves', async () => {
    const leaving = new AbortController();
    const id = randomUUID();
    const asked = ask({ gate: uniqueName('closed') }, { signal: leaving.signal }, id);
    await fake.waitFor(id, { requests: 1 });

    leaving.abort(new Error('gone'));

    expect((await asked).error).to.have.property('message', 'gone');
    await fake.waitFor(id, { closed: 1 });
  });
});
