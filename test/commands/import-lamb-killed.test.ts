import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../db/open.js';
import { buildLamb, type LambFile, type LambRows } from '../support/lamb-database.js';
import { SCHOOL } from '../support/lamb-fixture.js';
import { startProgram, type Program } from '../support/program.js';
import { makeDataDir, removeDataDir } from '../support/service.js';
import { dump } from '../db/import-lamb/lamb-import.js';

const KILLS = 3;
const CROWD = 150;

/** A school with enough people and assistants for a kill to find the import at work. */
function aBigSchool(): LambRows {
  const numbers = Array.from({ length: CROWD }, (_, n) => 1_000 + n);
  const people = numbers.map((id) => ({
    id,
    organization_id: 2,
    user_email: `p${String(id)}@school.test`,
    created_at: 1_715_947_200,
    updated_at: 1_715_947_200,
  }));
  const assistants = numbers.map((id) => ({
    id,
    organization_id: 2,
    name: `a${String(id)}`,
    owner: `p${String(id)}@school.test`,
    api_callback: id % 50 === 0 ? `{"tools":[{"type":"assistant","assistant_id":${String(id + 1)}}]}` : '{}',
    system_prompt: 'x'.repeat(500),
    created_at: 1_715_947_200,
    updated_at: 1_715_947_200,
  }));
  return {
    ...SCHOOL,
    Creator_users: [...(SCHOOL['Creator_users'] ?? []), ...people],
    assistants: [...(SCHOOL['assistants'] ?? []), ...assistants],
  };
}

/** Without what says when it happened, and with seals alike: these differ from one import to the next. */
async function timeless(db: Knex): Promise<unknown> {
  const { audit: _audit, ...tables } = await dump(db);
  const imported = tables['imported_rows'] as { created_at: string }[];
  const moments = new Set(imported.map((row) => row.created_at));
  const isMoment = (value: unknown) =>
    typeof value === 'string' && /^\d{4}-.*Z$/.test(value) && isRecent(value);
  expect(moments.size).to.be.greaterThan(0);
  const comparable = JSON.stringify(tables, (_key, value: unknown) => (isMoment(value) ? 'then' : value));
  return JSON.parse(comparable.replace(/sealed\.v1\.[\w.+/=-]+/g, 'sealed')) as unknown;
}

const isRecent = (moment: string) => Date.now() - Date.parse(moment) < 600_000;

describe('an import that is killed', function () {
  this.timeout(90_000);
  let lamb: LambFile;
  const folders: string[] = [];
  const folder = async () => {
    const made = await makeDataDir();
    folders.push(made);
    return made;
  };

  before(async () => {
    lamb = await buildLamb({ rows: aBigSchool() });
  });
  after(async () => {
    await lamb.remove();
    await Promise.all(folders.map(removeDataDir));
  });

  it('at any moment loses nothing it has reported, and run again it ends as one that was never killed', async () => {
    const [clean, dataDir, scratch] = await Promise.all([folder(), folder(), folder()]);
    const start = (DATA_DIR: string) =>
      startProgram('dist/src/commands/import-lamb.js', [lamb.file], { DATA_DIR, TMPDIR: scratch });
    const whole = await timeAtWork(start(clean));

    for (let n = 0; n < KILLS; n++) {
      const program = start(dataDir);
      await Promise.race([atWork(program), program.exited]);
      await Promise.race([delay((Math.random() * whole) / KILLS), program.exited]);
      program.kill();
      const { said } = await program.exited;
      await expectSound(dataDir, said);
    }
    const last = await start(dataDir).exited;

    expect(last.code, last.said).to.equal(0);
    expect(await inDb(dataDir, timeless)).to.deep.equal(await inDb(clean, timeless));
    // A copy that was being made when the kill came is all that may be left.
    expect((await readdir(scratch)).length).to.be.lessThan(KILLS);
  });
});

/** Resolves when it has begun to import. */
const atWork = (program: Program) =>
  new Promise<void>((resolve) => {
    program.onOutput((said) => {
      if (said.includes('Importing')) resolve();
    });
  });

async function timeAtWork(program: Program): Promise<number> {
  await atWork(program);
  const began = Date.now();
  await program.exited;
  return Date.now() - began;
}

async function expectSound(dataDir: string, said: string): Promise<void> {
  await inDb(dataDir, async (db) => {
    const [check] = await db.raw<{ integrity_check: string }[]>('PRAGMA integrity_check');
    const broken = await db.raw<unknown[]>('PRAGMA foreign_key_check');
    expect(check?.integrity_check).to.equal('ok');
    expect(broken).to.deep.equal([]);

    const reported = Math.max(0, ...[...said.matchAll(/^assistants: (\d+) of/gm)].map(([, n]) => Number(n)));
    const there = await db('imported_rows').where({ kind: 'assistant' });
    // Three of the school's are skipped.
    expect(there.length).to.be.at.least(reported - 3);
    expect(await db('assistants')).to.have.length(there.length);
    expect(await db('assistant_versions')).to.have.length(there.length);
  });
}

async function inDb<T>(dataDir: string, work: (db: Knex) => Promise<T>): Promise<T> {
  const db = await openDb({ kind: 'sqlite', file: join(dataDir, 'bellwether.db') });
  return work(db).finally(() => db.destroy());
}
