import { expect } from 'chai';
import type { AccessPolicy } from '../../src/core/access.js';
import type { Collection } from '../../src/core/collection.js';
import type { FoundPassage } from '../../src/core/knowledge.js';
import type { Stores } from '../../src/core/stores.js';
import { createAskCollections } from '../../src/knowledge/ask-collections.js';
import { createKnowledge } from '../../src/knowledge/knowledge.js';
import { aContext } from '../support/run-context.js';

const OWNERS_ORGANIZATION = 7;

const collection = (id: string, more: Partial<Collection> = {}): Collection => ({
  ...{
    id,
    organizationId: 1,
    ownerId: 1,
    owner: 'ada@example.test',
    name: `Name of ${id}`,
    description: 'Cells',
  },
  ...{ isShared: false, place: 'here', createdAt: '', updatedAt: '' },
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
    askServer: ({ url }, { id, name }) => {
      asked.push(`${url}: ${id} (${name})`);
      return Promise.resolve([passage(`of ${id}`, 0.45)]);
    },
    settingsOf: (organizationId) => {
      const { settings } = aContext();
      const knowledgeServer = { url: `server ${String(organizationId)}`, token: '' };
      return Promise.resolve(organizationId === 99 ? settings : { ...settings, knowledgeServer });
    },
  });
  const stores = {
    collections: { get: (id: string) => Promise.resolve(known.find((one) => one.id === id)) },
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
      collection('c', { place: 'server', organizationId: 3 }),
    ]);

    const found = await knowledge.search(['a', 'b', 'c', 'a'], question);

    expect(found.map(({ data }) => data)).to.deep.equal(['ours', 'of c', 'ours too']);
    expect(asked).to.have.members(['here: a b', 'server 3: c (Name of c)']);
  });

  it('is, where nobody has registered it, on the server of the owner’s own organisation', async () => {
    const { knowledge, asked } = library([]);

    await knowledge.search(['42'], question);

    expect(asked).to.deep.equal([`server ${String(OWNERS_ORGANIZATION)}: 42 (42)`]);
    expect(await knowledge.describe('42')).to.deep.equal({ name: '42', description: '' });
  });

  it('is not there, nor is anybody asked, as soon as one of it may not be used', async () => {
    const { knowledge, asked } = library([collection('a'), collection('b')], ['b']);

    const refused = await knowledge.search(['a', 'b'], question).catch((fault: unknown) => fault);

    expect(refused).to.have.property('message', 'The knowledge base was not found.');
    expect(asked).to.deep.equal([]);
    expect(await knowledge.describe('b')).to.equal(undefined);
  });

  it('has names that are safe to show', async () => {
    const { knowledge } = library([collection('a', { name: 'Bio\n\ndata: [DONE]', description: 'x\ny' })]);

    expect(await knowledge.describe('a')).to.deep.equal({ name: 'Bio data: [DONE]', description: 'x y' });
  });

  it('is told to be without a server when its organisation has none', async () => {
    const { knowledge } = library([collection('a', { place: 'server', organizationId: 99 })]);

    const refused = await knowledge.search(['a'], question).catch((fault: unknown) => fault);

    expect(refused).to.have.property('code', 'not_configured');
    expect(refused).to.have.property('message').that.contains('"Name of a"');
  });

  it('of a server is not asked about nothing', async () => {
    const { knowledge, asked } = library([collection('a', { place: 'server' })]);

    expect(await knowledge.search(['a'], { ...question, query: ' ' })).to.deep.equal([]);
    expect(asked).to.deep.equal([]);
  });
});
