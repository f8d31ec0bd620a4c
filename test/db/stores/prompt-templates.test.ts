import { expect } from 'chai';
import type { Knex } from 'knex';
import type { PromptTemplateContent } from '../../../src/core/assistants/prompt-template.js';
import { AppError } from '../../../src/core/errors.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

const HOSTILE = `'; DROP TABLE users; -- "\\" ?? ? :name $1 $& %_ {user_input} \u2028 😀 <b>`;

describeOnEachEngine('prompt templates', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    owner = await aUser(stores, { email: 'owner@example.org' });
  });

  const content = (changes: Partial<PromptTemplateContent> = {}): PromptTemplateContent => ({
    name: 'Socratic',
    description: 'Asks back',
    systemPrompt: 'Never give the answer.',
    promptTemplate: '{context}\n{user_input}',
    isShared: false,
    ...changes,
  });
  const create = (changes = {}, by = owner) => stores.promptTemplates.create(by, content(changes));
  const namesFor = async (user: User, more: { wholeOrganization?: boolean; q?: string } = {}) => {
    const { wholeOrganization = false, q } = more;
    const visible = {
      everything: false,
      userId: user.id,
      organizationId: user.organizationId,
      wholeOrganization,
    } as const;
    const { data } = await stores.promptTemplates.list(visible, { q }, { limit: 50 });
    return data.map(({ name }) => name);
  };

  it('come back as they were made, with their owner, whatever is in their texts', async () => {
    const texts = { name: HOSTILE, description: HOSTILE, systemPrompt: HOSTILE, promptTemplate: HOSTILE };

    const made = await create({ ...texts, isShared: true });

    expect(made).to.include({ ...texts, isShared: true, owner: 'owner@example.org', ownerId: owner.id });
    expect(await stores.promptTemplates.get(made.id)).to.deep.equal(made);
  });

  it('have one name for each owner', async () => {
    await create();
    const other = await create({ name: 'Other' });

    const again = await create().catch((fault: unknown) => fault);
    const renamed = await stores.promptTemplates
      .replace(other.id, content())
      .catch((fault: unknown) => fault);
    const somebodyElses = await create({}, await aUser(stores));

    expect(again).to.be.instanceOf(AppError).with.property('status', 409);
    expect(renamed).to.be.instanceOf(AppError).with.property('status', 409);
    expect(somebodyElses.name).to.equal('Socratic');
  });

  it('are seen by their owner, by the organisation when shared, and by its administrators', async () => {
    const [colleague, stranger] = await Promise.all([
      aUser(stores, { organizationId: owner.organizationId }),
      aUser(stores),
    ]);
    await create({ name: 'private' });
    await create({ name: 'shared', isShared: true });

    expect(await namesFor(owner)).to.deep.equal(['shared', 'private']);
    expect(await namesFor(colleague)).to.deep.equal(['shared']);
    expect(await namesFor(colleague, { wholeOrganization: true })).to.deep.equal(['shared', 'private']);
    expect(await namesFor(stranger, { wholeOrganization: true })).to.deep.equal([]);
  });

  it('are found by a part of their name or description, whatever the case', async () => {
    await create({ name: 'ÀLGEBRA 100%', description: 'Ecuaciones' });
    await create({ name: 'other' });

    expect(await namesFor(owner, { q: 'àlgebra 100%' })).to.deep.equal(['ÀLGEBRA 100%']);
    expect(await namesFor(owner, { q: 'ECUACION' })).to.deep.equal(['ÀLGEBRA 100%']);
    expect(await namesFor(owner, { q: '_' })).to.deep.equal([]);
  });

  it('are changed and deleted, and do not exist under ids that no row has', async () => {
    const { id } = await create();

    const changed = await stores.promptTemplates.replace(id, content({ name: 'New', isShared: true }));

    expect(changed).to.include({ id, name: 'New', isShared: true });
    expect(await stores.promptTemplates.delete(id)).to.equal(true);
    expect(await stores.promptTemplates.delete(id)).to.equal(false);
    for (const none of [id, 0, -1, 1.5, NaN, 2 ** 31]) {
      expect(await stores.promptTemplates.get(none)).to.equal(undefined);
      expect(await stores.promptTemplates.replace(none, content())).to.equal(undefined);
    }
  });
});
