import { expect } from 'chai';
import type { Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261118007000_passed_examples.js';
import { MOST_ANNOTATIONS } from '../../../src/core/assistants/annotation.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const DRAFT = { question: 'Why?', answer: 'Because.', status: 'draft', runId: null } as const;

describeOnEachEngine('corrected answers', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;
  let assistantId: number;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores);
    assistantId = (await stores.assistants.create(owner, content())).id;
  });

  const examples = async (id = assistantId) => (await stores.assistants.get(id))?.examples;

  it('are counted with their assistant while they are in use, whose version stays', async () => {
    const { annotations } = stores;
    const one = (await annotations.create({ ...DRAFT, assistantId }))!;
    await annotations.create({ ...DRAFT, assistantId, status: 'active', runId: 'run_1' });
    expect(await examples()).to.equal(1);

    expect(await annotations.change(assistantId, one.id, { status: 'active' })).to.include({
      ...{ question: 'Why?', status: 'active' },
    });
    expect(await examples()).to.equal(2);
    expect((await annotations.active(assistantId)).map(({ answer }) => answer)).to.deep.equal([
      ...['Because.', 'Because.'],
    ]);
    expect(await annotations.delete(assistantId, one.id)).to.equal(true);
    expect(await annotations.delete(assistantId, one.id)).to.equal(false);
    expect(await examples()).to.equal(1);
    expect((await stores.assistants.get(assistantId))?.version).to.equal(1);
    expect((await annotations.list(assistantId, { limit: 10 })).data.map(({ runId }) => runId)).to.deep.equal(
      ['run_1'],
    );
  });

  it('are not there under another assistant, nor under what is no id', async () => {
    const other = (await stores.assistants.create(owner, content())).id;
    const { id } = (await stores.annotations.create({ ...DRAFT, assistantId }))!;

    expect(await stores.annotations.change(other, id, { status: 'active' })).to.equal(undefined);
    expect(await stores.annotations.delete(other, id)).to.equal(false);
    expect(await stores.annotations.delete(assistantId, 2 ** 40)).to.equal(false);
    expect(await examples(other)).to.equal(0);
  });

  it('are kept as they were when a content passed, and counted for it, until they are deleted', async () => {
    const { annotations } = stores;
    const make = async (answer: string) =>
      (await annotations.create({ ...DRAFT, answer, status: 'active', assistantId }))!;
    const [one, two, gone] = [await make('One.'), await make('Two.'), await make('Gone.')];
    const then = await annotations.active(assistantId);
    await annotations.delete(assistantId, gone.id);
    await annotations.keepPassed(assistantId, 'content', then);
    await annotations.change(assistantId, one.id, { status: 'draft', answer: 'Changed.' });
    await annotations.change(assistantId, two.id, { status: 'draft' });

    const answers = async (hash: string) =>
      (await annotations.passed(assistantId, hash)).map(({ answer }) => answer);
    expect([await answers('content'), await answers('other'), await examples()]).to.deep.equal([
      ...[['Two.', 'One.'], [], 2],
    ]);
    await annotations.keepPassed(assistantId, 'content', [two]);
    expect([await answers('content'), await examples()]).to.deep.equal([['Two.'], 1]);
    await annotations.delete(assistantId, two.id);
    expect([await answers('content'), await examples()]).to.deep.equal([[], 0]);
  });

  it('go on being read by those who read them before passes kept them', async () => {
    const { annotations, suitePasses } = stores;
    await annotations.create({ ...DRAFT, status: 'active', assistantId });
    await annotations.create({ ...DRAFT, assistantId });
    await down(db);
    for (const requiredHash of ['required', null])
      await suitePasses.add({ assistantId, version: 1, contentHash: 'content', requiredHash });
    await up(db);

    const passed = await annotations.passed(assistantId, 'content');
    expect(passed).to.deep.equal(await annotations.active(assistantId));
    expect(passed).to.have.length(1);
  });

  it('are so many of one assistant and no more', async () => {
    for (let n = 0; n < MOST_ANNOTATIONS; n++) await stores.annotations.create({ ...DRAFT, assistantId });

    expect(await stores.annotations.create({ ...DRAFT, assistantId })).to.equal(undefined);
    const { data } = await stores.annotations.list(assistantId, { limit: MOST_ANNOTATIONS + 1 });
    expect(data).to.have.length(MOST_ANNOTATIONS);
  });
});
