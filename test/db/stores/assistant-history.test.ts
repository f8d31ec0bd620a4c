import { expect } from 'chai';
import type { Knex } from 'knex';
import { AppError } from '../../../src/core/errors.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const CLASSIC = { rag_processor: 'single_file_rag', file_path: 'notes.md', llm: 'm', odd: { kept: [1] } };
/** As another program wrote it: blanks, a number that JavaScript cannot hold, one key twice. */
const FOREIGN =
  '{ "rag_processor":"single_file_rag",\n  "file_path": "a.md", "big": 12345678901234567890, "big":1 }  ';

describeOnEachEngine('the history of assistants', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores, { email: 'owner@example.org' });
  });

  const create = (changes = {}) => stores.assistants.create(owner, content(changes));
  const replace = (id: number, expectedVersion: number, changes = {}) =>
    stores.assistants.replace(id, content(changes), { userId: owner.id, expectedVersion });
  const numbers = async (id: number) =>
    (await stores.assistants.versions(id, { limit: 50 })).data.map(({ version }) => version);
  const convert = (id: number, dryRun = false) => stores.assistants.convert(id, { userId: owner.id, dryRun });
  const textOf = async (id: number, version: number) =>
    (await stores.assistants.version(id, version))?.metadataText;

  it('lists versions newest first, page by page, with author, time and hash', async () => {
    const editor = await aUser(stores, { email: 'editor@example.org' });
    const { id } = await create();
    await stores.assistants.replace(id, content(), { userId: editor.id, expectedVersion: 1 });
    await replace(id, 2, { name: 'Third' });
    await create();

    const first = await stores.assistants.versions(id, { limit: 2 });
    const second = await stores.assistants.versions(id, { limit: 2, cursor: first.nextCursor! });

    const all = [...first.data, ...second.data];
    expect(all.map(({ version }) => version)).to.deep.equal([3, 2, 1]);
    expect(all.map(({ author }) => author)).to.deep.equal([
      'owner@example.org',
      'editor@example.org',
      'owner@example.org',
    ]);
    expect(second.nextCursor).to.equal(null);
    for (const { contentHash, createdAt } of all) {
      expect(contentHash).to.match(/^[0-9a-f]{64}$/);
      expect(createdAt).to.match(/^\d{4}-.*Z$/);
    }
  });

  it('brings back an assistant as it was, with the owner and the rights it has now', async () => {
    const { id } = await create({ name: 'First', metadata: CLASSIC, ragCollections: 'a', ragTopK: 2 });
    const first = (await stores.assistants.get(id))!;
    await replace(id, 1, { name: 'Second', metadata: { llm: 'other' } });
    await stores.assistants.setPublished(id, true, 'everyone', owner.id);

    const old = await stores.assistants.atVersion(id, 1);

    const now = (await stores.assistants.get(id))!;
    const rights = { published: true, publishScope: 'everyone' };
    expect(old).to.deep.equal({ ...first, ...rights, updatedAt: now.updatedAt });
    expect(await stores.assistants.atVersion(id, 3)).to.deep.equal(now);
    expect(await stores.assistants.atVersion(id, 9)).to.equal(undefined);
    await stores.assistants.delete(id);
    expect(await stores.assistants.atVersion(id, 1)).to.equal(undefined);
  });

  it('reads a version whole, and knows none that was never written', async () => {
    const { id } = await create({ metadata: CLASSIC, ragCollections: 'a,b', ragTopK: 4 });
    await replace(id, 1, { name: 'Second' });

    const version = await stores.assistants.version(id, 1);

    expect(version).to.deep.include({
      version: 1,
      ...content({ metadata: CLASSIC }),
      ragCollections: 'a,b',
      ragTopK: 4,
    });
    expect(version).to.include({ metadataText: JSON.stringify(CLASSIC), published: false, enabled: true });
    for (const n of [0, 3, 1.5, -1, 2 ** 40])
      expect(await stores.assistants.version(id, n)).to.equal(undefined);
    expect(await stores.assistants.version(id + 1, 1)).to.equal(undefined);
  });

  it('makes an old version the newest, its metadata to the byte, and leaves publication as it is', async () => {
    const { id } = await create({ name: 'First', metadata: CLASSIC });
    await replace(id, 1, { name: 'Second', metadata: {} });
    await stores.assistants.setPublished(id, true, 'everyone', owner.id);

    const restored = await stores.assistants.restoreVersion(id, 1, { userId: owner.id, expectedVersion: 3 });

    expect(restored).to.deep.include({ name: 'First', metadata: CLASSIC, version: 4 });
    expect(restored).to.include({ published: true, publishScope: 'everyone' });
    expect(await textOf(id, 4)).to.equal(JSON.stringify(CLASSIC));
    expect(await numbers(id)).to.deep.equal([4, 3, 2, 1]);
  });

  it('does not restore over what somebody else has changed, nor what is not there', async () => {
    const { id } = await create();
    await replace(id, 1, { name: 'Second' });
    const by = { userId: owner.id, expectedVersion: 1 };

    expect(await stores.assistants.restoreVersion(id, 1, by)).to.equal('stale');
    expect(await stores.assistants.restoreVersion(id, 9, by)).to.equal(undefined);
    expect(await stores.assistants.restoreVersion(id + 1, 1, by)).to.equal(undefined);
    expect(await numbers(id)).to.deep.equal([2, 1]);
  });

  it('converts once: the original stays as its version, the legacy columns as they are', async () => {
    const { id } = await create({ metadata: CLASSIC, ragCollections: 'a,b', ragTopK: 7 });

    const first = await convert(id);
    const again = await convert(id);

    expect(first).to.deep.include({ before: CLASSIC, fromVersion: 1 });
    expect(first?.changed).to.have.members(['_format_version', 'tools', 'assistant_type']);
    expect(first?.after).to.deep.include({ ...CLASSIC, _format_version: 2 });
    expect(first?.assistant).to.deep.include({
      version: 2,
      ragCollections: 'a,b',
      ragTopK: 7,
      metadata: first?.after,
    });
    expect(again).to.deep.include({ before: first?.after, after: first?.after, changed: [], fromVersion: 2 });
    expect(await numbers(id)).to.deep.equal([2, 1]);
    expect(await textOf(id, 1)).to.equal(JSON.stringify(CLASSIC));
  });

  it('only tells what it would do when asked to', async () => {
    const { id } = await create({ metadata: CLASSIC });

    const told = await convert(id, true);

    expect(told?.changed).not.to.be.empty;
    expect(told?.assistant).to.include({ version: 1 });
    expect(await numbers(id)).to.deep.equal([1]);
    expect((await stores.assistants.get(id))?.metadata).to.deep.equal(CLASSIC);
  });

  it('keeps a text that nobody wrote a version of, to the byte, before it writes over it', async () => {
    const [{ id: other }, { id: without }] = [await create(), await create()];
    await db('assistants').whereIn('id', [other, without]).update({ metadata: FOREIGN });
    await db('assistant_versions').where('assistant_id', without).del();

    const [late, anew] = [await convert(other), await convert(without)];

    expect(late?.assistant.version).to.equal(3);
    expect(await numbers(other)).to.deep.equal([3, 2, 1]);
    expect([await textOf(other, 1), await textOf(other, 2)]).to.deep.equal(['{}', FOREIGN]);
    expect(anew?.assistant.version).to.equal(2);
    expect(await numbers(without)).to.deep.equal([2, 1]);
    expect(await textOf(without, 1)).to.equal(FOREIGN);
  });

  for (const [what, metadata] of [
    ['that is not JSON', '{"llm": "m",, } '],
    ['that is a list', '[1,2]'],
    ['of a newer format', '{"_format_version": 3, "tools": []}'],
  ] as const) {
    it(`never writes over metadata ${what}`, async () => {
      const { id } = await create();
      await db('assistants').where({ id }).update({ metadata });

      const fault = await convert(id).catch((thrown: unknown) => thrown);

      expect(fault).to.be.instanceOf(AppError).and.to.include({ status: 422 });
      expect(await db('assistants').where({ id }).pluck('metadata')).to.deep.equal([metadata]);
      expect(await numbers(id)).to.deep.equal([1]);
    });
  }

  it('converts metadata that is empty or absent', async () => {
    const [{ id: empty }, { id: absent }] = [await create(), await create()];
    await db('assistants').where({ id: empty }).update({ metadata: '' });
    await db('assistants').where({ id: absent }).update({ metadata: null });

    for (const id of [empty, absent]) {
      expect((await convert(id))?.after).to.deep.equal({
        _format_version: 2,
        tools: [],
        assistant_type: 'multi_tool',
      });
    }
    expect(await textOf(empty, 2)).to.equal('');
    expect(await textOf(absent, 2)).to.equal(null);
  });

  it('loses no change to a conversion at the same moment, nor the other way round', async () => {
    const { id } = await create({ metadata: CLASSIC });

    const [saved, ...converted] = await Promise.all([
      replace(id, 1, { name: 'Saved', metadata: CLASSIC }),
      ...Array.from({ length: 8 }, () => convert(id)),
    ]);

    const kept = await stores.assistants.get(id);
    const writers = converted.filter((each) => each!.changed.length > 0);
    expect(kept?.metadata).to.deep.include({ _format_version: 2 });
    expect(kept?.name).to.equal(saved === 'stale' ? 'Biology tutor' : 'Saved');
    expect(writers.length).to.be.within(1, 2);
    expect(await numbers(id)).to.deep.equal(
      Array.from({ length: kept!.version }, (_, i) => kept!.version - i),
    );
  });

  it('saves in canonical form when told to, in one version, the text that is there included', async () => {
    const { id } = await create({ metadata: CLASSIC });
    const by = { userId: owner.id, canonical: true };
    const { metadata: _kept, ...rest } = content({ name: 'Renamed' });

    const renamed = await stores.assistants.replace(id, rest, { ...by, expectedVersion: 1 });
    const stale = await stores.assistants.replace(id, rest, { ...by, expectedVersion: 1 });
    const given = await stores.assistants.replace(id, content({ metadata: CLASSIC }), {
      ...by,
      expectedVersion: 2,
    });

    expect(renamed).to.deep.include({ name: 'Renamed', version: 2 });
    expect((renamed as { metadata: object }).metadata).to.deep.include({ ...CLASSIC, _format_version: 2 });
    expect(stale).to.equal('stale');
    expect((given as { metadata: object }).metadata).to.deep.include({ ...CLASSIC, _format_version: 2 });
    expect(await numbers(id)).to.deep.equal([3, 2, 1]);
  });

  it('lists whom an assistant is shared with, page by page', async () => {
    const { id } = await create();
    const friends = await Promise.all(
      ['a', 'b', 'c'].map((name) => aUser(stores, { email: `${name}@example.org` })),
    );
    for (const friend of friends) await stores.assistants.share(id, friend.id, owner.id);

    const first = await stores.assistants.shares(id, { limit: 2 });
    const second = await stores.assistants.shares(id, { limit: 2, cursor: first.nextCursor! });

    expect([...first.data, ...second.data].map(({ email }) => email)).to.have.members(
      friends.map(({ email }) => email),
    );
    expect(first.data[0]).to.have.all.keys('email', 'name', 'createdAt');
    expect((await stores.assistants.shares(id + 1, { limit: 2 })).data).to.deep.equal([]);
  });

  it('gives back what was deleted, with its versions, shares and publication', async () => {
    const friend = await aUser(stores);
    const { id } = await create({ name: 'Back' });
    await stores.assistants.share(id, friend.id, owner.id);
    const before = await stores.assistants.setPublished(id, true, 'everyone', owner.id);
    await stores.assistants.delete(id);

    const bin = await stores.assistants.deletedOf(owner.id, { limit: 9 });
    const foreign = await stores.assistants.deletedOf(friend.id, { limit: 9 });
    const restored = await stores.assistants.undelete(id);

    expect(bin.data.map((gone) => gone.id)).to.deep.equal([id]);
    expect(bin.data[0]?.deletedAt).to.match(/Z$/);
    expect(foreign.data).to.deep.equal([]);
    expect(restored).to.deep.equal(before);
    expect(await stores.assistants.isSharedWith(id, friend.id)).to.equal(true);
    expect(await stores.assistants.getDeleted(id)).to.equal(undefined);
    expect(await numbers(id)).to.deep.equal([2, 1]);
  });
});
