import { expect } from 'chai';
import type { AccessPolicy } from '../../src/core/access/access.js';
import { upstreamRefused } from '../../src/core/errors.js';
import type { Collection } from '../../src/core/knowledge/collection.js';
import type { FoundPassage } from '../../src/core/knowledge/embedder.js';
import type { Stores } from '../../src/core/stores.js';
import { createAskCollections, createKnowledge } from '../../src/knowledge/knowledge.js';
import { aContext } from '../support/run-context.js';

const OWNERS_ORGANIZATION = 7;
/** What the server calls a collection that it cannot answer from. */
const BROKEN = '500';

const collection = (id: string, more: Partial<Collection> = {}): Collection => ({
  ...{
    id,
    organizationId: 1,
    ownerId: 1,
    owner: 'ada@example.test',
    name: `Name of ${id}`,
    description: 'Cells',
  },
  ...{ isShared: false, ocr: false, place: 'here', externalId: undefined, createdAt: '', updatedAt: '' },
  ...more,
});

const passage = (data: string, similarity: number): FoundPassage => ({
  similarity,
  data,
  metadata: { filename: 'x', collection_id: 'x' },
});

const question = { query: 'light', topK: 3, threshold: 0, signal: new AbortController().signal };

/** A library of known collections, some of them forbidden, and what was asked of whom. */
function library(known: readonly Collection[], forbidden: readonly string[] = []) {
  const asked: string[] = [];
  const mayUse: AccessPolicy['mayUse'] = ({ id }) =>
    Promise.resolve(
      forbidden.includes(String(id))
        ? { allowed: false, rule: 'none', reason: 'no' }
        : { allowed: true, rule: 'owner' },
    );
  const ask = createAskCollections({
    search: (collections) => {
      asked.push(`here: ${collections.map(({ id }) => id).join(' ')}`);
      return Promise.resolve({ passages: [passage('ours', 0.5), passage('ours too', 0.4)], embeddings: 'm' });
    },
    askServer: ({ url }, { externalId, name }) => {
      asked.push(`${url}: ${externalId} (${name})`);
      if (externalId === BROKEN) return Promise.reject(upstreamRefused(`The knowledge base "${name}"`, 500));
      return Promise.resolve([passage(`of ${externalId}`, 0.45)]);
    },
    settingsOf: (organizationId) => {
      const { settings } = aContext();
      const knowledgeServer = { url: `server ${String(organizationId)}`, token: '' };
      return Promise.resolve(organizationId === 99 ? settings : { ...settings, knowledgeServer });
    },
  });
  const stores = {
    collections: {
      get: (id: string) => Promise.resolve(known.find((one) => one.id === id)),
      onServer: (organizationId: number, id: string) =>
        Promise.resolve(known.find((one) => one.organizationId === organizationId && one.externalId === id)),
    },
    users: { byId: (id: number) => Promise.resolve({ id, organizationId: OWNERS_ORGANIZATION }) },
  } as unknown as Pick<Stores, 'collections' | 'users'>;
  const knowledge = createKnowledge({ stores, policy: { mayUse }, ask })(aContext());
  return { knowledge, asked };
}

describe('the knowledge of a run', () => {
  it('is looked for wherever it is, and merged by similarity', async () => {
    const { knowledge, asked } = library([
      collection('a'),
      collection('b'),
      collection('c', { place: 'server', organizationId: 3, externalId: '12' }),
    ]);

    const { passages, failed } = await knowledge.search(['a', 'b', 'c', 'a'], question);

    expect(failed).to.deep.equal([]);
    expect(passages.map(({ data }) => data)).to.deep.equal(['ours', 'of 12', 'ours too']);
    expect(asked).to.have.members(['here: a b', 'server 3: 12 (Name of c)']);
  });

  it('is found by what the server of the owner’s own organisation calls it, and by nothing that looks like it', async () => {
    const onServer = { place: 'server', externalId: '42' } as const;
    const { knowledge, asked } = library([
      collection('a', { ...onServer, organizationId: 3 }),
      collection('b', { ...onServer, organizationId: OWNERS_ORGANIZATION }),
    ]);

    await knowledge.search(['42', '042', '+42', '43', 'b'], question);

    expect(asked).to.deep.equal([`server ${String(OWNERS_ORGANIZATION)}: 42 (Name of b)`]);
    expect(await knowledge.describe('42')).to.include({ name: 'Name of b' });
    expect(await knowledge.describe('042')).to.equal(undefined);
  });

  it('is not asked for where it may not be used, whatever else is', async () => {
    const { knowledge, asked } = library([collection('a'), collection('b')], ['b']);

    const { asked: names } = await knowledge.search(['a', 'b'], question);
    const refused = await knowledge.search(['b'], question).catch((fault: unknown) => fault);

    expect(names).to.deep.equal(['Name of a']);
    expect(asked).to.deep.equal(['here: a']);
    expect(refused).to.have.property('message', 'The knowledge base was not found.');
    expect(await knowledge.describe('b')).to.equal(undefined);
  });

  it('is what the others bring when one is broken', async () => {
    const { knowledge } = library([
      collection('a'),
      collection('b', { place: 'server', externalId: BROKEN }),
    ]);

    const { passages, failed } = await knowledge.search(['a', 'b'], question);

    expect(passages.map(({ data }) => data)).to.deep.equal(['ours', 'ours too']);
    expect(failed).to.deep.equal([
      { name: 'Name of b', reason: 'The knowledge base "Name of b" answered with status 500.' },
    ]);
  });

  it('has names that are safe to show', async () => {
    const { knowledge } = library([collection('a', { name: 'Bio\n\ndata: [DONE]', description: 'x\ny' })]);

    expect(await knowledge.describe('a')).to.deep.equal({ name: 'Bio data: [DONE]', description: 'x y' });
  });

  it('is told to be without a server when its organisation has none', async () => {
    const { knowledge } = library([
      collection('a', { place: 'server', organizationId: 99, externalId: '7' }),
    ]);

    const refused = await knowledge.search(['a'], question).catch((fault: unknown) => fault);

    expect(refused).to.have.property('code', 'not_configured');
    expect(refused).to.have.property('message').that.contains('"Name of a"');
  });

  it('of a server is not asked about nothing', async () => {
    const { knowledge, asked } = library([collection('a', { place: 'server', externalId: '7' })]);

    expect((await knowledge.search(['a'], { ...question, query: ' ' })).passages).to.deep.equal([]);
    expect(asked).to.deep.equal([]);
  });
});
