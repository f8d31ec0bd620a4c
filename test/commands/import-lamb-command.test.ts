import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../db/open.js';
import { PROJECT_ROOT } from '../support/child-process.js';
import { describeOnEachEngine } from '../support/databases.js';
import { buildLamb, type LambFile } from '../support/lamb-database.js';
import { LAMB_PASSWORD, LATEST, SCHOOL, SECRET } from '../support/lamb-fixture.js';
import { runInTurn, startProgram } from '../support/program.js';
import { makeDataDir, removeDataDir, startService } from '../support/service.js';
import { dump, newId } from '../db/import-lamb/lamb-import.js';

const execute = promisify(execFile);
const COMMAND = 'dist/src/commands/import-lamb.js';

let lamb: LambFile;
let dataDir: string;
/** Where the program puts what it needs for a while. */
let scratch: string;
const settings = () => ({ DATA_DIR: dataDir, TMPDIR: scratch });
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runInTurn(COMMAND, args, { ...settings(), ...env });

async function withDb<T>(work: (db: Knex) => Promise<T>): Promise<T> {
  const db = await openDb({ kind: 'sqlite', file: join(dataDir, 'bellwether.db') });
  return work(db).finally(() => db.destroy());
}

async function stateOf(folder: string): Promise<unknown[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { mtimeNs } = await stat(join(folder, name), { bigint: true });
      return [
        name,
        String(mtimeNs),
        createHash('sha256')
          .update(await readFile(join(folder, name)))
          .digest('hex'),
      ];
    }),
  );
}

const beforeEachTest = async () => {
  lamb = await buildLamb({ rows: SCHOOL, rowsInWal: LATEST });
  [dataDir, scratch] = await Promise.all([makeDataDir(), makeDataDir()]);
};
const afterEachTest = () => Promise.all([lamb.remove(), removeDataDir(dataDir), removeDataDir(scratch)]);

/** What an import into an empty folder says and leaves, once for all who look at it. */
async function importOnce() {
  await beforeEachTest();
  const source = await stateOf(lamb.folder);
  const outcome = await startProgram(COMMAND, [lamb.file], settings()).exited;
  const [sourceAfter, left] = [await stateOf(lamb.folder), await readdir(scratch)];
  await Promise.all([lamb.remove(), removeDataDir(scratch)]);
  return { ...outcome, dataDir, source, sourceAfter, left };
}
type Imported = Awaited<ReturnType<typeof importOnce>>;

describe('npm run import:lamb', function () {
  this.timeout(60_000);
  let imported: Imported;
  before(async () => {
    imported = await importOnce();
  });
  after(() => removeDataDir(imported.dataDir));
  beforeEach(beforeEachTest);
  afterEach(afterEachTest);
  const putImported = () => cp(imported.dataDir, dataDir, { recursive: true });

  it('imports, tells what came and what did not and why, and what to do next', () => {
    const { code, said, source, sourceAfter, left } = imported;

    expect(code, said).to.equal(0);
    expect(said).to.match(/^ +imported +already there +skipped$/m);
    expect(said).to.match(/^ {2}assistants +9 +0 +3$/m);
    expect(said).to.include('assistants: 2 × it was deleted in LAMB (46 2_x_deleted_1715947200');
    expect(said).to.match(/^Next: npm start/m);
    expect(sourceAfter).to.deep.equal(source);
    expect(left).to.deep.equal([]);
  });

  it('writes no secret of theirs, neither to the database nor to the terminal', async () => {
    const { said } = imported;
    await putImported();

    const everything = JSON.stringify(await withDb(dump));
    expect(everything).to.include('https://models.test/v1').and.not.to.include(SECRET);
    expect(said).not.to.include(SECRET).and.not.to.include('$2');
  });

  it('changes nothing in a dry run, which reports the same', async () => {
    const [rehearsed, existed] = [
      await run([lamb.file, '--dry-run']),
      existsSync(join(dataDir, 'bellwether.db')),
    ];
    await putImported();
    const before = await withDb(dump);
    const again = await run(['--dry-run', lamb.file]);

    expect(existed).to.equal(false);
    expect(rehearsed.said)
      .to.match(/^ {2}assistants +9 +0 +3$/m)
      .and.to.include('nothing was changed');
    expect(again.said).to.match(/^ {2}assistants +0 +9 +3$/m);
    expect(await withDb(dump)).to.deep.equal(before);
    expect(await readdir(scratch)).to.deep.equal([]);
  });

  it('changes nothing the second time', async () => {
    await putImported();
    const before = await withDb(dump);

    const { code, said } = await run([lamb.file]);

    expect(code).to.equal(0);
    expect(said).to.match(/^ {2}users +0 +11 +1$/m);
    expect(await withDb(dump)).to.deep.equal(before);
  });

  it('keeps numbers after a first start too, says which are others, and writes it all down where it is told', async () => {
    const service = await startService({ DEMO_DATA: 'true' }, { dataDir });
    await withDb((db) => db.raw("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'assistants'"));
    const { id } = await service.createAssistant({ name: 'Field trips' });
    await service.stop();
    const reportFile = join(scratch, 'report.json');

    const { code, said } = await run([lamb.file, '--report', reportFile]);

    const report = JSON.parse(await readFile(reportFile, 'utf8')) as {
      readonly kinds: readonly { readonly title: string; readonly renumbered?: readonly object[] }[];
    };
    expect(id).to.equal(41);
    expect(code, said).to.equal(0);
    expect(said).to.match(/^ {2}lamb_assistant\.41 → lamb_assistant\.61 {3}2_assistant_41$/m);
    expect(report.kinds.find(({ title }) => title === 'assistants')?.renumbered).to.deep.equal([
      { from: 41, to: 61, name: '2_assistant_41' },
    ]);
    const again = await startService({}, { dataDir });
    try {
      const { json } = await again.request<{ readonly name: string }>('/v1/models/lamb_assistant.42');
      expect(json.name).to.equal('2_assistant_42');
    } finally {
      await again.stop();
    }
  });

  it('refuses what it cannot do in clear words, with an exit code of its own for wrong arguments', async () => {
    await writeFile(join(lamb.folder, 'x.txt'), 'x'.repeat(5_000));
    const missing = join(lamb.folder, 'missing.db');
    const text = join(lamb.folder, 'x.txt');

    const outcomes = await Promise.all([
      run([]),
      run([lamb.file, '--force']),
      run([lamb.file, text]),
      run([missing]),
      run([text]),
      run([lamb.file], { PORT: 'many' }),
      run([lamb.file], { DATABASE_URL: 'postgres://nobody:hunter22@127.0.0.1:1/none' }),
      run(['--help']),
    ]);

    expect(outcomes.map(({ code }) => code)).to.deep.equal([2, 2, 2, 1, 1, 1, 1, 0]);
    const said = outcomes.map((outcome) => outcome.said);
    expect(said[0]).to.include('Which file?').and.to.include('npm run import:lamb -- ');
    expect(said[3]).to.include('There is no file');
    expect(said[4]).to.include('is not an SQLite database');
    expect(said[5]).to.include('PORT');
    expect(said[6]).to.include('cannot be reached').and.not.to.include('hunter22');
    // The database driver says on its own where a connection failed.
    for (const each of said.toSpliced(6, 1)) expect(each).not.to.match(/\n\s+at |node:internal/);
  });

  it('takes a path as it was typed, in whatever folder npm was called', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const args = ['--prefix', PROJECT_ROOT, 'run', 'import:lamb', '--', 'lamb_v4.db', '--dry-run'];

    const { stdout } = await execute('npm', args, {
      cwd: lamb.folder,
      env: { PATH, HOME, DATA_DIR: dataDir, TMPDIR: scratch },
    });

    expect(stdout)
      .to.match(/^ {2}assistants +9 +0 +3$/m)
      .and.to.include('nothing was changed');
  });

  it('says so when the first start could make no administrator, because an imported user has that address', async () => {
    const { said } = await run([lamb.file], { ADMIN_EMAIL: 'ada@school.test' });

    expect(said).to.include('Next: set ADMIN_EMAIL to an address that is not an imported');
  });
});

describeOnEachEngine('people of an imported installation', (_open, target) => {
  beforeEach(beforeEachTest);
  afterEach(afterEachTest);

  it('sign in with the password they had, which is kept in a better way from then on, and chat', async () => {
    const place = await target();
    const env: Record<string, string> = place.kind === 'postgres' ? { DATABASE_URL: place.url } : {};
    await run([lamb.file], env);
    const signIn = (service: Awaited<ReturnType<typeof startService>>, password: string) =>
      service.request<{ token: string }>('/lamb/v1/auth/login', {
        body: { email: 'ada@school.test', password },
        key: null,
      });
    const db = await openDb(
      place.kind === 'postgres' ? place : { kind: 'sqlite', file: join(dataDir, 'bellwether.db') },
    );
    const hash = async () =>
      (await db('users').where({ email: 'ada@school.test' }).pluck('password_hash'))[0] as string;

    const first = await startService(env, { dataDir });
    const wrong = await signIn(first, 'not the old one');
    const kept = await hash();
    const right = await signIn(first, LAMB_PASSWORD);
    const renewed = await hash();
    const answer = await first.chat(await newId(db, 41), 'Do you remember me?', { key: right.json.token });
    await first.stop();
    const second = await startService(env, { dataDir });
    const again = await signIn(second, LAMB_PASSWORD);
    await second.stop();
    await db.destroy();

    expect([wrong.status, right.status, again.status]).to.deep.equal([401, 200, 200]);
    expect(kept).to.match(/^\$2/);
    expect(renewed).to.match(/^scrypt\$/);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.json.choices[0]?.message.content).to.include('Do you remember me?');
  });
});
