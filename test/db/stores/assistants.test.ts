import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Assistant } from '../../../src/core/assistants/assistant.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const HOSTILE = `'; DROP TABLE users; -- "\\" \`x\` ?? ? :name $1 $& %_ {user_input} \u2028 😀 é e\u0301 <b>`;

describeOnEachEngine('assistants', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores, { email: 'Owner@Example.org' });
  });

  const create = (changes = {}) => stores.assistants.create(owner, content(changes));
  const replace = (id: number, expectedVersion: number, changes = {}) =>
    stores.assistants.replace(id, content(changes), { userId: owner.id, expectedVersion });

  it('come back as they were created, with their owner', async () => {
    const metadata = { llm: 'gpt-4o-mini', unknown: { deep: [1, null] }, tools: ['weather'] };

    const created = await create({ metadata, ragCollections: 'a,b', ragTopK: 5 });

    expect(created).to.include({
      name: 'Biology tutor',
      owner: 'owner@example.org',
      ownerId: owner.id,
      version: 1,
    });
    expect(created).to.include({ published: false, publishScope: 'organization', enabled: true, ragTopK: 5 });
    expect(created.metadata).to.deep.equal(metadata);
    expect(created.setup).to.include({ type: 'orchestrator', model: 'gpt-4o-mini' });
    expect(await stores.assistants.get(created.id)).to.deep.equal(created);
  });

  it('keep every character of every text', async () => {
    const texts = { name: HOSTILE, description: HOSTILE, systemPrompt: HOSTILE, promptTemplate: HOSTILE };
    const hostile = content({
      ...texts,
      ragCollections: HOSTILE,
      metadata: { [HOSTILE]: HOSTILE, nul: '\0' },
    });

    const created = await stores.assistants.create(owner, hostile);

    expect(await stores.assistants.get(created.id)).to.deep.include(hostile);
    expect(await stores.assistants.byName(HOSTILE, { everything: true })).to.have.length(1);
    expect(
      (await stores.assistants.list({ everything: true }, { q: HOSTILE }, { limit: 5 })).data,
    ).to.have.length(1);
  });

  it('show the one character no database can hold as U+FFFD', async () => {
    const created = await create({ name: 'a\0b' });

    expect(created.name).to.equal('a\uFFFDb');
  });

  it('write version 1, and one more with every change, each with its hash and author', async () => {
    const { id } = await create({ metadata: { a: 1 } });
    await replace(id, 1, { name: 'Second', metadata: { a: 2 } });
    await stores.assistants.setPublished(id, true, 'everyone', owner.id);

    const versions = await versionsOf(db, id);

    expect(versions.map((row) => row.version)).to.deep.equal([1, 2, 3]);
    expect(versions.map(metadataText)).to.deep.equal(['{"a":1}', '{"a":2}', '{"a":2}']);
    expect(JSON.parse(versions[2]?.content ?? '')).to.include({
      name: 'Second',
      published: true,
      publish_scope: 'everyone',
    });
    for (const row of versions) {
      expect(row.content_hash).to.equal(createHash('sha256').update(row.content).digest('hex'));
      expect(row.author_id).to.equal(owner.id);
    }
  });

  it('refuse a change that was made to an older version', async () => {
    const { id } = await create();

    const second = await replace(id, 1, { name: 'Second' });
    const late = await replace(id, 1, { name: 'Late' });

    expect(second).to.include({ name: 'Second', version: 2 });
    expect(late).to.equal('stale');
    expect(await stores.assistants.get(id)).to.include({ name: 'Second', version: 2 });
  });

  it('let exactly one of ten changes at the same moment win', async () => {
    const { id } = await create();

    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) => replace(id, 1, { name: `By ${String(n)}` })),
    );

    const winners = outcomes.filter(
      (outcome): outcome is Assistant => outcome !== 'stale' && outcome !== undefined,
    );
    expect(winners).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'stale')).to.have.length(9);
    expect(await stores.assistants.get(id)).to.deep.equal(winners[0]);
    expect(await versionsOf(db, id)).to.have.length(2);
  });

  it('count every publication at the same moment as a version of its own', async () => {
    const { id } = await create();

    await Promise.all(
      [true, false, true].map((on) => stores.assistants.setPublished(id, on, 'organization', owner.id)),
    );

    expect((await versionsOf(db, id)).map((row) => row.version)).to.deep.equal([1, 2, 3, 4]);
  });

  it('keep metadata that nobody can read, byte for byte, through changes that do not touch it', async () => {
    const { id } = await create();
    const broken = '{"llm": "gpt-4o",, }  ';
    await db('assistants').where({ id }).update({ metadata: broken });

    const rest = { ...content({ name: 'Renamed' }), metadata: undefined };
    const renamed = await stores.assistants.replace(id, rest, { userId: owner.id, expectedVersion: 1 });
    await stores.assistants.setPublished(id, true, 'organization', owner.id);

    expect(renamed).to.deep.include({ name: 'Renamed', metadata: {} });
    expect(await db('assistants').where({ id }).pluck('metadata')).to.deep.equal([broken]);
    expect((await versionsOf(db, id)).map(metadataText)).to.deep.equal(['{}', broken, broken]);
  });

  it('say why they cannot run when their metadata cannot be read', async () => {
    const { id } = await create();
    await db('assistants').where({ id }).update({ metadata: 'not JSON' });

    const found = await stores.assistants.get(id);

    expect(found?.metadata).to.deep.equal({});
    expect(found?.setup.problems).to.have.length(1);
  });

  it('are not found once deleted, while row and versions stay', async () => {
    const { id } = await create({ name: 'Gone' });

    expect(await stores.assistants.delete(id)).to.equal(true);

    expect(await stores.assistants.delete(id)).to.equal(false);
    expect(await stores.assistants.get(id)).to.equal(undefined);
    expect(await stores.assistants.byName('Gone', { everything: true })).to.deep.equal([]);
    expect((await stores.assistants.list({ everything: true }, {}, { limit: 9 })).data).to.deep.equal([]);
    expect(await replace(id, 1)).to.equal(undefined);
    expect(await stores.assistants.setPublished(id, true, 'everyone', owner.id)).to.equal(undefined);
    expect(await versionsOf(db, id)).to.have.length(1);
  });

  for (const id of [0, -1, 1.5, NaN, 404, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    it(`do not exist under the id ${String(id)}`, async () => {
      expect(await stores.assistants.get(id)).to.equal(undefined);
      expect(await replace(id, 1)).to.equal(undefined);
      expect(await stores.assistants.delete(id)).to.equal(false);
      expect(await stores.assistants.unshare(id, owner.id)).to.equal(false);
      expect(await stores.assistants.isSharedWith(id, owner.id)).to.equal(false);
    });
  }

  it('are shared once however often it is said, until it is taken back', async () => {
    const { id } = await create();
    const friend = await aUser(stores);

    await stores.assistants.share(id, friend.id, owner.id);
    await stores.assistants.share(id, friend.id, owner.id);

    expect(await stores.assistants.isSharedWith(id, friend.id)).to.equal(true);
    expect(await stores.assistants.unshare(id, friend.id)).to.equal(true);
    expect(await stores.assistants.unshare(id, friend.id)).to.equal(false);
    expect(await stores.assistants.isSharedWith(id, friend.id)).to.equal(false);
  });
});

interface VersionRow {
  readonly version: number;
  readonly content: string;
  readonly content_hash: string;
  readonly author_id: number;
}

async function versionsOf(db: Knex, assistantId: number): Promise<VersionRow[]> {
  return (await db('assistant_versions')
    .where('assistant_id', assistantId)
    .orderBy('version')) as VersionRow[];
}

function metadataText(row: VersionRow): unknown {
  return (JSON.parse(row.content) as { metadata: unknown }).metadata;
}
