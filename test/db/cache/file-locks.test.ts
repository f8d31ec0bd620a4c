import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openDb, watchChanges } from '../../../db/open.js';

const run = promisify(execFile);

/** Takes the file for itself alone, without the index that all share: what others have written there it does not see. */
const TAKE_IT_ALL = `
  const db = new (require('sqlite3').Database)(process.argv[1]);
  db.exec('PRAGMA locking_mode = EXCLUSIVE; SELECT * FROM users', (error) => console.log(error?.code ?? 'taken'));
`;

describe('the file of SQLite', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-locks-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('stays locked against a process that thinks it is alone, also while changes are watched', async () => {
    const target = { kind: 'sqlite', file: join(folder, 'test.db') } as const;
    const db = await openDb(target);
    const changes = await watchChanges(target, db);
    try {
      const { stdout } = await run(process.execPath, ['-e', TAKE_IT_ALL, target.file]);

      expect(stdout.trim()).to.equal('SQLITE_BUSY');
    } finally {
      await changes.close();
      await db.destroy();
    }
  });
});
