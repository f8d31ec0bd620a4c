import { expect } from 'chai';
import type { Knex } from 'knex';
import type { RunRecord } from '../../../src/core/runs/record.js';
import type { RunFilter, Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aRun, aUser, content, storesOn } from '../fixtures.js';

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;

describeOnEachEngine('the runs of somebody’s assistants', (open) => {
  let db: Knex;
  let stores: Stores;
  let owner: User;
  let pupil: User;
  let assistants: readonly number[];

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    [owner, pupil] = [await aUser(stores), await aUser(stores)];
    assistants = [await anAssistantOf(owner), await anAssistantOf(owner)];
  });

  const anAssistantOf = async (user: User) => (await stores.assistants.create(user, content())).id;

  async function record(user: User, assistantId: number | undefined, changes: Partial<RunRecord>) {
    const run = aRun({ user, assistantId: assistantId ?? 0 }, changes);
    await stores.runs.record(run);
    return run.id;
  }

  /** All of them, by pages of two. */
  async function all(filter: RunFilter): Promise<readonly string[]> {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.runs.list(filter, { limit: 2, cursor });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return ids;
  }

  it('come newest first across all of them, each once, beside the runs somebody made elsewhere', async () => {
    const foreign = await anAssistantOf(pupil);
    const ids = [];
    for (let n = 0; n < 7; n++) ids.push(await record(pupil, assistants[n % 2], { startedAt: at(n) }));
    ids.push(await record(owner, assistants[0], { startedAt: at(7) }));
    ids.push(await record(owner, foreign, { startedAt: at(8) }));
    await record(pupil, foreign, { startedAt: at(9) });

    expect(await all({ userId: owner.id, ownerId: owner.id })).to.deep.equal(ids.reverse());
  });

  it('are narrowed to one of them, an outcome or a time, and to nothing that is not theirs', async () => {
    const foreign = await anAssistantOf(pupil);
    const [one, two] = assistants;
    const first = await record(pupil, one, { startedAt: at(1) });
    const second = await record(pupil, two, { startedAt: at(2), status: 'failed' });
    const third = await record(pupil, one, { startedAt: at(3) });
    await record(pupil, foreign, { startedAt: at(4) });
    const theirs = { userId: owner.id, ownerId: owner.id };

    expect(await all({ ...theirs, assistantId: one })).to.deep.equal([third, first]);
    expect(await all({ ...theirs, assistantId: foreign })).to.deep.equal([]);
    expect(await all({ ...theirs, status: 'failed' })).to.deep.equal([second]);
    expect(await all({ ...theirs, since: at(2), before: at(3) })).to.deep.equal([second]);
  });

  it('stay with the owner of an assistant that was deleted, under its name', async () => {
    const [one = 0] = assistants;
    const run = await record(pupil, one, {});
    await stores.assistants.delete(one);

    expect(await all({ userId: owner.id, ownerId: owner.id })).to.deep.equal([run]);
    expect((await stores.assistants.named([one, 404, 2 ** 40])).get(one)).to.deep.include({
      ownerId: owner.id,
      isDeleted: true,
    });
  });
});
