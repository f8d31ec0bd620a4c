import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { except } from './open-inside.js';

export interface Arrived {
  /** Where it lies until it is moved. */
  readonly file: string;
  readonly size: number;
  /** Readers see the old file or the new one, never a half. */
  moveTo(target: string): Promise<void>;
  discard(): Promise<void>;
}

/** What nothing was added to for so long belongs to a process that was killed. */
const ORPHANED_MS = 3_600_000;
const PRIVATE = 0o600;

/** Writes a file that has no name yet, on disk down to its last byte; when that fails nothing is left of it. */
export async function writeIncoming(
  folder: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  {
    mode = PRIVATE,
    isTidy = false,
  }: {
    readonly mode?: number;
    /** `tidyIncoming` has been called a short while ago. */
    readonly isTidy?: boolean;
  } = {},
): Promise<Arrived> {
  if (!isTidy) await tidyIncoming(folder);
  const file = join(folder, randomUUID());
  const discard = () => rm(file, { force: true });
  try {
    const size = await writeAndSync(file, bytes, mode);
    return { file, size, discard, moveTo: (target) => rename(file, target) };
  } catch (error) {
    await discard();
    throw error;
  }
}

async function writeAndSync(
  file: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  mode: number,
): Promise<number> {
  const handle = await open(file, 'wx', PRIVATE);
  try {
    let size = 0;
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      await handle.appendFile(chunk);
      size += chunk.length;
    }
    // Set, not asked for: what a process may not give away by default is no concern here.
    if (mode !== PRIVATE) await handle.chmod(mode);
    await handle.sync();
    return size;
  } finally {
    await handle.close();
  }
}

/** Makes the folder, and removes what others have left in it. */
export async function tidyIncoming(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOrphans(folder);
}

async function removeOrphans(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  await Promise.all(
    files.map(async (file) => {
      const facts = await stat(file).catch(except('ENOENT'));
      if (facts && Date.now() - facts.mtimeMs > ORPHANED_MS) await rm(file, { force: true });
    }),
  );
}

/** A name itself must survive a power cut. Some systems cannot sync a folder; there it is their business. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
