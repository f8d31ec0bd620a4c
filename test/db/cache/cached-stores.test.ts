import { expect } from 'chai';
import type { Knex } from 'knex';
import { rememberingStores } from '../../../db/cache/stores.js';
import type { WatchedChanges } from '../../../db/engines/engine.js';
import { openDb, watchChanges } from '../../../db/open.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aRun, aUser, storesOn } from '../fixtures.js';
import { EARLIER, LATER, NOW, READS, setFixture } from './cache-fixture.js';

describeOnEachEngine(
  'what is remembered',
  (_open, _target, migrated) => {
    let db: Knex;
    let other: Knex;
    let changes: WatchedChanges;
    let plain: Stores;
    let remembering: Stores;
    let asked: string[] = [];

    before(async () => {
      const where = await migrated();
      db = await openDb(where);
      other = await openDb(where);
      changes = await watchChanges(where, db);
      plain = storesOn(other);
      remembering = rememberingStores(storesOn(db), changes);
      db.on('query', ({ sql }: { readonly sql: string }) => {
        // Whether anything has changed is asked each time, where that cannot be seen otherwise.
        if (!sql.includes('generations')) asked.push(sql);
      });
    });
    after(async () => {
      await changes.close();
      await other.destroy();
      await db.destroy();
    });
    beforeEach(() => {
      asked = [];
    });

    /** How many questions the database got. */
    const questions = async (ask: () => Promise<unknown>): Promise<number> => {
      const before = asked.length;
      await ask();
      return asked.length - before;
    };

    for (const { name, read, changes: ways } of READS) {
      describe(`of ${name}`, () => {
        it('is asked of the database once, and is the same each time', async () => {
          const scene = await setFixture(plain);

          const first = await read(remembering, scene);
          const again = await questions(() => read(remembering, scene));

          expect(first).to.deep.equal(await read(plain, scene));
          expect(await read(remembering, scene)).to.equal(first);
          expect(again).to.equal(0);
        });

        for (const [what, change] of Object.entries(ways)) {
          for (const writer of ['this connection', 'another connection']) {
            it(`is forgotten at the very next question after ${what} by ${writer}`, async () => {
              const scene = await setFixture(plain);
              const before = await read(remembering, scene);

              await change(writer === 'this connection' ? db : other, scene);
              const after = await read(remembering, scene);

              expect(after).to.deep.equal(await read(plain, scene));
              expect(after).not.to.deep.equal(before);
            });
          }
        }
      });
    }

    it('survives what is new in the same tables, and every record of a run', async () => {
      const scene = await setFixture(plain);
      // Saying what a new activity holds is a change.
      const reads = READS.filter(({ name }) => name !== 'an activity');
      for (const { read } of reads) await read(remembering, scene);

      await setFixture(plain);
      await remembering.runs.record(aRun({ user: scene.owner, assistantId: scene.assistantId }));
      const again = await questions(() => Promise.all(reads.map(({ read }) => read(remembering, scene))));

      expect(again).to.equal(0);
    });

    it('survives a change that is taken back before it was ever made', async () => {
      const scene = await setFixture(plain);
      await remembering.users.byId(scene.owner.id);

      await other
        .transaction(async (trx) => {
          await trx('users').where('id', scene.owner.id).update({ name: 'Never' });
          throw new Error('no');
        })
        .catch(() => undefined);

      expect(await questions(() => remembering.users.byId(scene.owner.id))).to.equal(0);
    });

    it('is never anything that was not there: that is asked each time, and found when it comes', async () => {
      const { owner, assistantId } = await setFixture(plain);
      const absent = () =>
        Promise.all([
          remembering.users.byId(999_999),
          remembering.credentials.callerOf('nobody', NOW),
          remembering.assistants.isSharedWith(assistantId, owner.id),
        ]);

      const nothing = await absent();
      const again = await questions(absent);
      await plain.assistants.share(assistantId, owner.id, owner.id);

      expect(nothing).to.deep.equal([undefined, undefined, false]);
      // A token may be a key's or a session's, or else a visit's from a platform, or else one's by a link.
      expect(again).to.equal(5);
      expect(await remembering.assistants.isSharedWith(assistantId, owner.id)).to.equal(true);
    });

    it('of a key is worth nothing once its time has come, though nothing has changed', async () => {
      const { id: userId } = await aUser(plain);
      const key = { userId, name: 'Laptop', prefix: 'bw_1', trustedProxy: false };
      await plain.credentials.addKey({ ...key, hash: `ends-${String(userId)}`, expiresAt: NOW });
      const callerAt = (now: string) => remembering.credentials.callerOf(`ends-${String(userId)}`, now);

      const [inTime, onTime, late] = [await callerAt(EARLIER), await callerAt(NOW), await callerAt(LATER)];

      expect(inTime).to.include({ userId });
      expect([onTime, late]).to.deep.equal([undefined, undefined]);
      expect(asked).to.have.length(1);
    });

    it('can be changed by nobody who got it', async () => {
      const scene = await setFixture(plain);

      const assistant = await remembering.assistants.get(scene.assistantId);
      const rubric = (await remembering.rubrics.get(scene.rubricId)) as unknown as {
        data: { levels: { score: number }[] };
      };

      expect(Object.isFrozen(assistant?.setup.tools)).to.equal(true);
      expect(() => (rubric.data.levels[0]!.score = 2)).to.throw(TypeError);
    });
  },
  'suite',
);

describeOnEachEngine('the database', (open) => {
  const TABLES = [
    'organizations',
    'users',
    'api_keys',
    'sessions',
    'oauth_grants',
    'assistants',
    'assistant_shares',
    'rubrics',
    'collections',
    'lti_platforms',
    'lti_people',
    'lti_activities',
    'lti_sessions',
    'lti_activity_assistants',
    'lti_consents',
    'assistant_links',
    'link_visits',
  ];

  const TOUCHED: Readonly<Record<string, object>> = {
    lti_activity_assistants: { position: 0 },
    lti_consents: { given_at: NOW },
  };

  it('counts changes and deletions of every table that is remembered, in that table alone', async () => {
    const db = await open();
    const { owner, assistantId } = await setFixture(storesOn(db));
    await storesOn(db).oauthGrants.agree({
      ...{ userId: owner.id, clientHash: 'client', clientName: 'Desk', redirectUri: 'http://127.0.0.1/' },
      ...{ resource: 'http://x/mcp', codeHash: 'code', codeChallenge: 'challenge', expiresAt: LATER },
    });
    const { links } = storesOn(db);
    const link = await links.create({
      ...{ assistantId, createdBy: owner.id, tokenHash: 'link', sealedToken: 'sealed' },
      ...{ budgetId: null, expiresAt: null },
    });
    await links.beginVisit({
      ...{ linkId: link.id, organizationId: owner.organizationId, tokenHash: 'visit', expiresAt: LATER },
    });
    const counted = async (work: () => PromiseLike<unknown>) => {
      const [before] = (await db('generations')) as [Record<string, number>];
      await work();
      const [after] = (await db('generations')) as [Record<string, number>];
      return TABLES.filter((table) => after[table] !== before[table]);
    };
    const touch = (table: string) => db(table).update(TOUCHED[table] ?? { created_at: NOW });

    for (const table of TABLES) expect(await counted(() => touch(table)), table).to.deep.equal([table]);
    for (const table of [
      'link_visits',
      'assistant_links',
      'lti_consents',
      'lti_sessions',
      'lti_activity_assistants',
      'lti_activities',
      'rubrics',
      'collections',
      'api_keys',
      'sessions',
      'oauth_grants',
      'assistant_shares',
      'assistants',
    ]) {
      expect(await counted(() => db(table).del()), table).to.deep.equal([table]);
    }
    // What is new does not count; an activity is changed by saying what it holds.
    expect(await counted(() => setFixture(storesOn(db)))).to.deep.equal(['lti_activities']);
  });
});
