import { expect } from 'chai';
import { MOST_ANNOTATIONS } from '../../../src/core/assistants/annotation.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, content, storesOn } from '../fixtures.js';

const DRAFT = { question: 'Why?', answer: 'Because.', status: 'draft', runId: null } as const;

describeOnEachEngine('corrected answers', (open) => {
  let stores: Stores;
  let owner: User;
  let assistantId: number;
  beforeEach(async () => {
    stores = storesOn(await open());
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

  it('are so many of one assistant and no more', async () => {
    for (let n = 0; n < MOST_ANNOTATIONS; n++) await stores.annotations.create({ ...DRAFT, assistantId });

    expect(await stores.annotations.create({ ...DRAFT, assistantId })).to.equal(undefined);
    const { data } = await stores.annotations.list(assistantId, { limit: MOST_ANNOTATIONS + 1 });
    expect(data).to.have.length(MOST_ANNOTATIONS);
  });
});
