import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { aUser, storesOn } from '../fixtures.js';

/** After so many writes, somewhere in the next: some die within their first transaction, some after many. */
const KILLED_AFTER = [0, 1, 2, 4, 12];
/** About as long as a write takes. */
const LONGEST_REST_MS = 20;

interface Acknowledged {
  readonly id: number;
  readonly version: number;
  readonly name: string;
}

describe('a writer killed at any moment', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-killed-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('of create, change or convert leaves the file sound, all it acknowledged present, and no gap in the versions', async () => {
    const kills = await killAgainAndAgain();

    expect(kills).to.have.length(KILLED_AFTER.length);
    for (const kill of kills) {
      expect(kill).to.deep.include({ integrity: 'ok', lost: [], gaps: [] });
      expect(kill.acknowledged).to.be.at.least(kill.writes);
    }
  });

  async function killAgainAndAgain() {
    const file = join(folder, 'test.db');
    const owner = await withDb(file, (stores) => aUser(stores));
    const everything: Acknowledged[] = [];
    const kills = [];
    for (const [round, writes] of KILLED_AFTER.entries()) {
      const acknowledged = await writeUntilKilled(writes, {
        file,
        owner,
        name: String(round),
      });
      everything.push(...acknowledged);
      kills.push({ writes, acknowledged: acknowledged.length, ...(await inspect(file, everything)) });
    }
    return kills;
  }
});

interface Writer {
  readonly file: string;
  readonly owner: User;
  readonly name: string;
}

async function writeUntilKilled(writes: number, { file, owner, name }: Writer): Promise<Acknowledged[]> {
  const facts = [file, String(owner.id), String(owner.organizationId), name];
  const child = spawn(process.execPath, ['test/db/files/writing-process.mjs', ...facts], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const closed = once(child, 'close');
  // The first line says that it begins.
  while (said.split('\n').length - 2 < writes) await once(child.stdout, 'data');
  await delay(Math.random() * LONGEST_REST_MS);
  child.kill('SIGKILL');
  await closed;
  return said
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line) as Acknowledged);
}

async function withDb<T>(file: string, work: (stores: Stores, db: Knex) => Promise<T>): Promise<T> {
  const db = await openDb({ kind: 'sqlite', file });
  try {
    return await work(storesOn(db), db);
  } finally {
    await db.destroy();
  }
}

function inspect(file: string, acknowledged: readonly Acknowledged[]) {
  return withDb(file, async (_stores, db) => {
    const [{ integrity_check: integrity }] = (await db.raw('PRAGMA integrity_check')) as [
      { integrity_check: string },
    ];
    const rows: { id: number; version: number }[] = await db('assistants').select('id', 'version');
    const versions: { assistant_id: number; version: number; content: string }[] = await db(
      'assistant_versions',
    ).select('assistant_id', 'version', 'content');
    const kept = new Map(versions.map((row) => [`${String(row.assistant_id)}.${String(row.version)}`, row]));
    return {
      integrity,
      lost: acknowledged.filter(({ id, version, name }) => {
        const content = kept.get(`${String(id)}.${String(version)}`)?.content ?? '{}';
        return (JSON.parse(content) as { name?: string }).name !== name;
      }),
      gaps: rows.filter(({ id, version }) => {
        const numbers = versions.filter((row) => row.assistant_id === id).map((row) => row.version);
        return numbers.length !== version || Math.max(...numbers) !== version;
      }),
    };
  });
}
