import { expect } from 'chai';
import type { Visibility } from '../../../src/core/access/access.js';
import { AppError } from '../../../src/core/errors.js';
import type { AssistantFilter, Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { anOrganization, aUser, content, storesOn } from '../fixtures.js';

const EVERYTHING: Visibility = { everything: true };

describeOnEachEngine('the list of assistants', (open) => {
  let stores: Stores;

  beforeEach(async () => {
    stores = storesOn(await open());
  });

  async function namesFor(visibleTo: Visibility, filter: AssistantFilter = {}): Promise<string[]> {
    const { data } = await stores.assistants.list(visibleTo, filter, { limit: 100 });
    return data.map((assistant) => assistant.name).sort();
  }

  it('shows each person exactly what is owned, shared, published to them, or administered by them', async () => {
    const ours = await anOrganization(stores);
    const theirs = await anOrganization(stores);
    const [me, colleague] = [
      await aUser(stores, { organizationId: ours }),
      await aUser(stores, { organizationId: ours }),
    ];
    const stranger = await aUser(stores, { organizationId: theirs });
    const make = async (name: string, owner: User, scope?: 'organization' | 'everyone') => {
      const { id } = await stores.assistants.create(owner, content({ name }));
      if (scope) await stores.assistants.setPublished(id, true, scope, owner.id);
      return id;
    };
    await make('mine', me);
    await make('colleague, private', colleague);
    await make('colleague, published', colleague, 'organization');
    await make('stranger, private', stranger);
    await make('stranger, published', stranger, 'organization');
    await make('stranger, for everyone', stranger, 'everyone');
    await stores.assistants.share(await make('stranger, shared', stranger), me.id, stranger.id);
    const withdrawn = await make('withdrawn', stranger, 'everyone');
    await stores.assistants.setPublished(withdrawn, false, 'everyone', stranger.id);

    const facts = { everything: false, userId: me.id, organizationId: ours } as const;
    const asCreator = await namesFor({ ...facts, wholeOrganization: false });
    const asAdministrator = await namesFor({ ...facts, wholeOrganization: true });

    const seen = ['colleague, published', 'mine', 'stranger, for everyone', 'stranger, shared'];
    expect(asCreator).to.deep.equal(seen);
    expect(asAdministrator).to.deep.equal([...seen, 'colleague, private'].sort());
    expect(await namesFor(EVERYTHING)).to.have.length(8);
    expect(
      await stores.assistants.byName('colleague, private', { ...facts, wholeOrganization: false }),
    ).to.have.length(0);
    expect(
      await stores.assistants.byName('colleague, private', { ...facts, wholeOrganization: true }),
    ).to.have.length(1);
  });

  it('does not let a filter widen what may be seen', async () => {
    const [me, other] = [await aUser(stores), await aUser(stores)];
    await stores.assistants.create(other, content());
    const visibleTo = {
      everything: false,
      userId: me.id,
      organizationId: me.organizationId,
      wholeOrganization: false,
    } as const;

    expect(await namesFor(visibleTo, { owner: other.email })).to.deep.equal([]);
    expect(await namesFor(visibleTo, { q: 'biology', type: 'classic', published: false })).to.deep.equal([]);
  });

  it('is filtered by type, owner and publication', async () => {
    const [ada, bob] = [await aUser(stores, { email: 'ada@example.org' }), await aUser(stores)];
    await stores.assistants.create(ada, content({ name: 'classic' }));
    await stores.assistants.create(
      ada,
      content({ name: 'multi', metadata: { _format_version: 2, tools: [] } }),
    );
    const { id } = await stores.assistants.create(
      bob,
      content({ name: 'orchestrator', metadata: { tools: ['weather'] } }),
    );
    await stores.assistants.setPublished(id, true, 'organization', bob.id);

    expect(await namesFor(EVERYTHING, { type: 'classic' })).to.deep.equal(['classic']);
    expect(await namesFor(EVERYTHING, { type: 'multi_tool' })).to.deep.equal(['multi']);
    expect(await namesFor(EVERYTHING, { type: 'orchestrator' })).to.deep.equal(['orchestrator']);
    expect(await namesFor(EVERYTHING, { owner: ' ADA@example.org ' })).to.deep.equal(['classic', 'multi']);
    expect(await namesFor(EVERYTHING, { published: true })).to.deep.equal(['orchestrator']);
    expect(await namesFor(EVERYTHING, { published: false })).to.deep.equal(['classic', 'multi']);
  });

  it('is searched without regard to case, in any alphabet, in name and description', async () => {
    const owner = await aUser(stores);
    await stores.assistants.create(owner, content({ name: 'ÖKOLOGIE', description: 'Über Ψυχή' }));

    for (const q of ['ökologie', 'ÖkoLOG', 'über', 'ψυχή', 'ΨΥΧΉ', 'O\u0308KOLOGIE', 'okologie', 'ψυχη']) {
      expect(await namesFor(EVERYTHING, { q }), q).to.deep.equal(['ÖKOLOGIE']);
    }
    expect(await namesFor(EVERYTHING, { q: 'oekologie' })).to.deep.equal([]);
  });

  it('is searched for the very characters that were typed', async () => {
    const owner = await aUser(stores);
    for (const name of ['100% sure', '100 sure', 'snake_case', 'snakecase', 'wow!', 'back\\slash']) {
      await stores.assistants.create(owner, content({ name, description: '' }));
    }

    expect(await namesFor(EVERYTHING, { q: '0%' })).to.deep.equal(['100% sure']);
    expect(await namesFor(EVERYTHING, { q: '_' })).to.deep.equal(['snake_case']);
    expect(await namesFor(EVERYTHING, { q: '!' })).to.deep.equal(['wow!']);
    expect(await namesFor(EVERYTHING, { q: '\\' })).to.deep.equal(['back\\slash']);
    expect(await namesFor(EVERYTHING, { q: `' OR 1=1 --` })).to.deep.equal([]);
  });

  it('refuses a search too long to be one', async () => {
    const search = await stores.assistants
      .list(EVERYTHING, { q: 'x'.repeat(100_000) }, { limit: 5 })
      .catch(asAppError);

    expect(search).to.have.property('status', 400);
  });

  it('follows the search text when a name changes', async () => {
    const owner = await aUser(stores);
    const { id } = await stores.assistants.create(owner, content({ name: 'Old' }));
    await stores.assistants.replace(id, content({ name: 'New' }), { userId: owner.id, expectedVersion: 1 });

    expect(await namesFor(EVERYTHING, { q: 'old' })).to.deep.equal([]);
    expect(await namesFor(EVERYTHING, { q: 'new' })).to.deep.equal(['New']);
  });

  it('is paged newest first, complete and without repeats, also while more are being made', async () => {
    const owner = await aUser(stores);
    const made: number[] = [];
    for (let n = 0; n < 7; n++) made.push((await stores.assistants.create(owner, content())).id);

    const pages: number[][] = [];
    let cursor: string | null | undefined;
    do {
      const page = await stores.assistants.list(EVERYTHING, {}, { limit: 3, cursor: cursor ?? undefined });
      pages.push(page.data.map((assistant) => assistant.id));
      cursor = page.nextCursor;
      await stores.assistants.create(owner, content({ name: 'newer' }));
    } while (cursor !== null);

    expect(pages.map((page) => page.length)).to.deep.equal([3, 3, 1]);
    expect(pages.flat()).to.deep.equal(made.toReversed());
  });

  for (const cursor of [
    '',
    'nonsense',
    'bnVsbA',
    Buffer.from('["1"]').toString('base64url'),
    '../../etc',
    '%00',
  ]) {
    it(`refuses the cursor ${JSON.stringify(cursor)}, which it never gave`, async () => {
      const outcome = await stores.assistants.list(EVERYTHING, {}, { limit: 5, cursor }).catch(asAppError);

      expect(outcome).to.include({ status: 400, param: 'cursor' });
    });
  }
});

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
