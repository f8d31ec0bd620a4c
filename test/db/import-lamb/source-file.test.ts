import { createHash } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { rehearse, withDb } from '../../../db/import-lamb/rehearse.js';
import { openLamb } from '../../../db/import-lamb/source.js';
import { AppError } from '../../../src/core/errors.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { buildLamb, type LambFile, type LambOptions } from '../../support/lamb-database.js';
import { LATEST, SCHOOL } from '../../support/lamb-fixture.js';
import { aUser, storesOn } from '../fixtures.js';
import { countsIn, dump, importFile, newId, of, rowsOf } from './lamb-import.js';

let files: LambFile[] = [];
const build = async (options: LambOptions) => {
  const made = await buildLamb(options);
  files.push(made);
  return made;
};
afterEach(async () => {
  await Promise.all(files.map((file) => file.remove()));
  files = [];
});

/** Every file of a folder with its contents, its time and its rights. */
async function stateOf(folder: string): Promise<object> {
  const names = (await readdir(folder)).sort();
  const facts = names.map(async (name) => {
    const { mtimeNs, ctimeNs, mode, size } = await stat(join(folder, name), { bigint: true });
    const hash = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    return [name, hash, String(mtimeNs), String(ctimeNs), String(mode), String(size)];
  });
  return Promise.all(facts);
}

const refusalOf = async (file: string, prefix?: string): Promise<AppError> => {
  const outcome = await openLamb(file, prefix).catch((fault: unknown) => fault);
  expect(outcome).to.be.instanceOf(AppError);
  return outcome as AppError;
};

describe('a LAMB file', () => {
  it('is left as it was: no byte, no time, no file beside it', async () => {
    const { file, folder } = await build({ rows: SCHOOL, rowsInWal: LATEST });
    await utimes(file, 1_000_000_000, 1_000_000_000);
    const before = await stateOf(folder);

    const source = await openLamb(file);
    const read = await source.count('assistants');
    await source.close();

    expect(await stateOf(folder)).to.deep.equal(before);
    expect(before).to.have.length(2);
    expect(read).to.equal(12);
  });

  for (const prefix of ['', 'my_lamb_v4_', 'Odd."Pre?fix" ']) {
    it(`is read whatever its tables are called (prefix ${JSON.stringify(prefix)})`, async () => {
      const { file } = await build({ rows: SCHOOL, rowsInWal: LATEST, prefix });

      const source = await openLamb(file);
      const counts = await Promise.all(['Creator_users', 'assistants', 'no_such'].map(source.count));
      await source.close();

      expect(source.prefix).to.equal(prefix);
      expect(counts).to.deep.equal([12, 12, 0]);
    });
  }

  it('is the same installation wherever it lies and whatever is added, and another one is another', async () => {
    const [one, later, other] = await Promise.all([
      build({ rows: SCHOOL }),
      build({ rows: SCHOOL, rowsInWal: LATEST, prefix: 'X_' }),
      build({ rows: { ...SCHOOL, organizations: [{ id: 1, slug: 'lamb', config: '{}', created_at: 7 }] } }),
    ]);

    const sources = await Promise.all([one, later, other].map(({ file }) => openLamb(file)));
    await Promise.all(sources.map((source) => source.close()));

    expect(sources[1]?.identity).to.equal(sources[0]?.identity);
    expect(sources[2]?.identity).not.to.equal(sources[0]?.identity);
  });

  it('is refused in clear words when it is none', async () => {
    const { folder, file } = await build({ rows: {} });
    const path = (name: string) => join(folder, name);
    await writeFile(path('text.db'), 'This is no database at all. '.repeat(100));
    await writeFile(path('empty.db'), '');
    await writeFile(path('cut.db'), (await readFile(file)).subarray(0, 20_000));

    expect((await refusalOf(path('missing.db'))).message).to.match(/^There is no file .*missing\.db\.$/);
    expect((await refusalOf(folder)).message).to.include('is not a file');
    expect((await refusalOf(path('text.db'))).message).to.include('is not an SQLite database');
    expect((await refusalOf(path('empty.db'))).message).to.include('no LAMB database');
    expect((await refusalOf(path('cut.db'))).message).to.include('is damaged');
    expect((await refusalOf(file, 'OTHER_')).message).to.include(
      'no installation with the table prefix "OTHER_"',
    );
  });
});

describeOnEachEngine('a rehearsal of an import', (_open, target) => {
  it('reports what an import would do, into nothing or beside what is there, and keeps none of it', async () => {
    const place = await target();
    const { file } = await build({ rows: SCHOOL });

    const first = await rehearse(place, (db) => importFile(db, file));
    const before = await withDb(place, dump);
    await withDb(place, (db) => aUser(storesOn(db), { email: 'ada@school.test' }));
    const withAda = await withDb(place, dump);
    const second = await rehearse(place, (db) => importFile(db, file));

    expect(countsIn(first)).to.include({ users: '9/1/1', assistants: '8/0/3' });
    expect(countsIn(second)).to.include({ users: '8/2/1', assistants: '8/0/3' });
    expect(Object.values(before)).to.deep.equal(Object.values(before).map(() => []));
    expect(await withDb(place, dump)).to.deep.equal(withAda);
  });
});

describeOnEachEngine('importing into a database that is in use', (open) => {
  it('matches people and organisations that are there, and changes nothing about them', async () => {
    const db = await open();
    const stores = storesOn(db);
    const { id } = await stores.organizations.create({ slug: 'biology', name: 'Ours', isSystem: false });
    const ada = await aUser(stores, { email: 'ada@school.test', role: 'student' });
    const before = await dump(db);

    const { file } = await build({ rows: SCHOOL });
    const report = await importFile(db, file);

    const after = await dump(db);
    expect(after['organizations']).to.deep.include(
      before['organizations']?.find((row) => (row as { id: number }).id === id),
    );
    expect(after['users']?.slice(0, 1)).to.deep.equal(before['users']);
    const assistant = await db('assistants')
      .where({ id: await newId(db, 41) })
      .first('owner_id', 'organization_id');
    expect(assistant).to.deep.equal({ owner_id: ada.id, organization_id: id });
    expect(of(report, 'organisations')).to.include({ present: 1 });
  });

  it('does not raise somebody to lead an organisation because of an account that is here', async () => {
    const db = await open();
    const stores = storesOn(db);
    await aUser(stores, { email: 'head@school.test' });

    const { file } = await build({ rows: SCHOOL });
    await importFile(db, file);

    expect(await db('users').where({ email: 'head@school.test' }).pluck('role')).to.deep.equal(['creator']);
  });

  it('adds what LAMB has made since, and brings nothing back that was taken away here', async () => {
    const db = await open();
    const { file } = await build({ rows: SCHOOL });
    await importFile(db, file);
    const deleted = await newId(db, 41);
    await storesOn(db).assistants.delete(deleted);
    await db('assistant_shares').del();

    const { file: later } = await build({ rows: SCHOOL, rowsInWal: LATEST });
    const report = await importFile(db, later);

    expect(countsIn(report)).to.include({ users: '1/10/1', assistants: '1/8/3', shares: '0/2/2' });
    expect((await rowsOf(db, 'assistants', { id: deleted }))[0]?.['deleted_at']).to.be.a('string');
    expect(await rowsOf(db, 'assistant_shares', {}, 'user_id')).to.deep.equal([]);
  });

  it('keeps two installations apart though their numbers are the same', async () => {
    const db = await open();
    const organizations = [
      { id: 1, slug: 'other', name: 'Other', is_system: 1, config: '{}', created_at: 5 },
    ];
    const [one, other] = await Promise.all([
      build({ rows: SCHOOL }),
      build({ rows: { ...SCHOOL, organizations } }),
    ]);

    const first = await importFile(db, one.file);
    const second = await importFile(db, other.file);

    expect(of(first, 'assistants').imported).to.equal(8);
    expect(of(second, 'assistants').imported).to.equal(8);
    expect(of(second, 'rubrics').reasons.map(({ text }) => text)).to.include(
      'a rubric with this id is here already',
    );
  });

  it('imports once when two imports run at the same time', async () => {
    const db = await open();
    const { file } = await build({ rows: SCHOOL });

    const reports = await Promise.all([importFile(db, file), importFile(db, file)]);

    const made = reports.map((report) => of(report, 'assistants').imported);
    expect(made.reduce((sum, n) => sum + n, 0)).to.equal(8);
    expect(await rowsOf(db, 'assistants')).to.have.length(8);
    expect(await rowsOf(db, 'usage_ledger')).to.have.length(4);
  });
});
