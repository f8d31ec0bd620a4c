import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { createPasswords } from '../security/passwords.js';
import { type House, openHouse, type Voice } from '../services.js';
import { ensureAdministrator } from '../startup/first-start.js';

/** Works in the service's own house, or where there is none yet in one that is gone afterwards. */
export async function withHouse<T>(
  config: Config,
  voice: Voice,
  work: (house: House, isTemporary: boolean) => Promise<T>,
): Promise<T> {
  if (isThere(config)) return await workIn(config, voice, (house) => work(house, false));

  const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-'));
  const folders = { filesFolder: join(dataDir, 'files'), documentsFolder: join(dataDir, 'documents') };
  const database = { kind: 'sqlite', file: join(dataDir, 'bellwether.db') } as const;
  try {
    return await workIn({ ...config, dataDir, ...folders, database }, voice, async (house) => {
      await ensureAdministrator(config.admin, { ...house.stores, passwords: createPasswords() });
      return await work(house, true);
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function isThere({ database }: Config): boolean {
  return database.kind === 'postgres' || existsSync(database.file);
}

async function workIn<T>(config: Config, voice: Voice, work: (house: House) => Promise<T>): Promise<T> {
  const url = config.publicUrl ?? `http://${config.host}:${String(config.port)}`;
  const house = await openHouse(config, voice, url);
  try {
    return await work(house);
  } finally {
    await house.close();
  }
}
