import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { examineDatabase } from '../../../db/engines/integrity.js';
import { openAsItIs, openDb } from '../../../db/open.js';
import { createMigrationSource } from '../../../db/schema-version.js';
import { BASELINE, SQUASHED } from '../../../db/squashed-migrations.js';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';

describeOnEachEngine('the baseline of the schema', (_open, target) => {
  it('is the first migration of a database that is new, and only later ones follow it', async () => {
    const place = await target();

    await (await openDb(place)).destroy();

    const [first, ...later] = await recordsIn(place);
    expect(first).to.equal(BASELINE);
    expect(later.filter((name) => name < BASELINE)).to.deep.equal([]);
  });

  it('is recognised where every migration of before it was done, and nothing is lost', async () => {
    const place = await target();
    await makeOlder(place, SQUASHED);

    const { pendingMigrations, schemaFault } = { ...(await examineDatabase(place)) };
    const db = await openDb(place);
    const kept = await storesOn(db).users.byEmail('ada@example.org');
    await db.destroy();

    const all = await createMigrationSource().getMigrations([]);
    expect([pendingMigrations, schemaFault]).to.deep.equal([all.length, undefined]);
    expect(kept?.name).to.equal('Ada');
    const records = await recordsIn(place);
    expect(records).to.include(BASELINE).and.to.have.length(all.length);
    expect(records.filter((name) => SQUASHED.includes(name))).to.deep.equal([]);
  });

  it('is told from a database that stopped before it, which is refused untouched and told what to do', async () => {
    const place = await target();
    const some = SQUASHED.slice(0, -3);
    await makeOlder(place, some);

    const refusal = await openDb(place).then(
      () => 'opened',
      (fault: unknown) => (fault as Error).message,
    );

    expect(refusal).to.match(
      /has 23 of the 26 migrations .* Nothing was changed in it\. Start it once with the last version that has them/,
    );
    expect(await recordsIn(place)).to.deep.equal(some);
    expect((await examineDatabase(place))?.schemaFault).to.equal(refusal);
  });

  it('does not hide that a database is newer than this version', async () => {
    const place = await target();
    const newer = [...SQUASHED, '20991231235900_later'];
    await makeOlder(place, newer);

    const refusal = await openDb(place).catch((fault: unknown) => (fault as Error).message);

    expect(refusal).to.match(/20991231235900_later/);
    expect(await recordsIn(place)).to.deep.equal(newer);
  });
});

describe('migrations that were released', () => {
  it('are never edited: a database that has one would not get the change, and differ from all that are made after', async () => {
    const folder = 'db/migrations';
    const recorded = await readFile(join(folder, 'SHA256SUMS'), 'utf8');

    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
    const sums = await Promise.all(
      files.map(async (file) => `${sumOf(await readFile(join(folder, file), 'utf8'))}  ${file}`),
    );

    expect(sums).to.have.members(recorded.trimEnd().split(/\r?\n/));
  });
});

/** As `sha256sum` has it, also in a checkout with the line ends of Windows. */
function sumOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

/** As an earlier version left it: the same schema, by other migrations. */
async function makeOlder(place: DatabaseTarget, migrations: readonly string[]): Promise<void> {
  const db = await openDb(place);
  await aUser(storesOn(db), { email: 'ada@example.org' });
  // What came after the baseline such a database does not have.
  while ((await db('knex_migrations').whereNot('name', BASELINE)).length > 0) await db.migrate.down();
  await db('knex_migrations').delete();
  await db('knex_migrations').insert(
    migrations.map((name) => ({ name, batch: 1, migration_time: new Date() })),
  );
  await db.destroy();
}

async function recordsIn(place: DatabaseTarget): Promise<string[]> {
  const db = await openAsItIs(place);
  const names = await db('knex_migrations').orderBy('id').pluck<string[]>('name');
  await db.destroy();
  return names;
}
