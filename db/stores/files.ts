import { join } from 'node:path';
import { notFound, tooLarge } from '../../src/core/errors.js';
import type { FileFacts, FileStore, OwnerFiles } from '../../src/core/file-store.js';
import { readBoundedText, readStart } from '../bounded-text.js';
import { isRowId } from '../column-values.js';
import { namesAlong } from '../file-path.js';
import { createBackups } from '../files/backups.js';
import { changeFile } from '../files/change-file.js';
import { whenDiskRefuses } from '../files/file-system-fault.js';
import { type Arrived, writeIncoming } from '../files/incoming.js';
import { listFiles } from '../files/list-files.js';
import { nameFile, unnameFile } from '../files/name-file.js';
import { openInside, type Opened, type Place } from '../files/open-inside.js';
import { type HeldLock, holdLock, LOCK_TIMES, type LockTimes } from '../files/owner-lock.js';
import { bytesBelow, factsOf } from '../files/walk.js';

export interface FileStoreOptions {
  /** What all files of one owner may take; 0 for no limit. */
  readonly quotaBytes?: number;
  readonly lockTimes?: LockTimes;
}

/** Private files on disk, one folder for each user; what is ours stands beside them, where no path of theirs leads. */
export function createFileStore(folder: string, options: FileStoreOptions = {}): FileStore {
  return {
    ofOwner(userId) {
      if (!isRowId(userId)) throw new RangeError('A file owner must be the id of a user.');
      const owner = String(userId);
      return filesOf({
        home: join(folder, owner),
        incoming: join(folder, '.incoming'),
        locks: join(folder, '.locks', owner),
        backups: join(folder, '.backups', owner),
        quotaBytes: options.quotaBytes ?? 0,
        lockTimes: options.lockTimes ?? LOCK_TIMES,
      });
    },
  };
}

interface Rooms extends Required<FileStoreOptions> {
  readonly home: string;
  readonly incoming: string;
  readonly locks: string;
  readonly backups: string;
}

function filesOf({ home, incoming, locks, quotaBytes, lockTimes, ...rooms }: Rooms): OwnerFiles {
  const backups = createBackups(rooms.backups, incoming);
  const locked = <T>(work: (held: HeldLock) => Promise<T>, signal?: AbortSignal) =>
    holdLock(locks, lockTimes, work, signal).catch(whenDiskRefuses);

  /** Asked while the lock is held: of two who come at once, the second sees what the first has taken. */
  async function mustFit(added: number): Promise<void> {
    if (quotaBytes === 0 || added <= 0 || (await bytesBelow(home)) + added <= quotaBytes) return;
    throw tooLarge(
      `Your files may take ${String(Math.floor(quotaBytes / 2 ** 20))} MB together; this one does not fit any more. Delete some first.`,
    );
  }

  async function keep(path: string, arrived: Arrived): Promise<FileFacts> {
    try {
      const names = namesAlong(path);
      const normal = names.join('/');
      return await locked(async (held) => {
        await mustFit(arrived.size - ((await factsOf(home, normal))?.size ?? 0));
        await held.confirm();
        await nameFile(home, names, arrived);
        return (await factsOf(home, normal)) ?? missing(names);
      });
    } finally {
      await arrived.discard();
    }
  }

  return {
    async read(path, { maxChars }) {
      const place = { home, names: namesAlong(path) };
      return await using(place, ({ handle, size }) => readBoundedText(handle, size, maxChars));
    },

    async readBytes(path, { maxBytes }) {
      return await using({ home, names: namesAlong(path) }, (file) => wholeOf(file, maxBytes));
    },

    async change(path, edit, { within, maxBytes, signal }) {
      const place = { home, names: namesAlong(path), within: within === '.' ? [] : namesAlong(within) };
      await locked(
        (held) =>
          using(place, async (file) => {
            const before = await wholeOf(file, maxBytes);
            const after = edit(before);
            await mustFit(after.length - before.length);
            const mayWrite = async () => {
              signal.throwIfAborted();
              await held.confirm();
            };
            await changeFile(file, { before, after }, { place, backups, incoming, mayWrite });
          }),
        signal,
      );
    },

    list: (filter, page) => listFiles(home, filter, page),

    async open(path) {
      const names = namesAlong(path);
      const { handle, size, updatedAt } = (await openInside({ home, names })) ?? missing(names);
      return {
        path: names.join('/'),
        size,
        updatedAt,
        bytes: () => handle.createReadStream({ start: 0, end: Math.max(0, size - 1) }),
        close: () => handle.close(),
      };
    },

    async receive(bytes) {
      const arrived = await writeIncoming(incoming, bytes).catch(whenDiskRefuses);
      return { size: arrived.size, keep: (path) => keep(path, arrived), discard: arrived.discard };
    },

    async write(path, bytes) {
      namesAlong(path);
      await keep(path, await writeIncoming(incoming, bytes).catch(whenDiskRefuses));
    },

    async delete(path) {
      const names = namesAlong(path);
      return await locked(async (held) => {
        await held.confirm();
        const wasThere = await unnameFile(home, names);
        if (wasThere) await backups.drop(names.join('/'));
        return wasThere;
      });
    },
  };
}

async function using<T>(place: Place, work: (file: Opened) => Promise<T>): Promise<T> {
  const file = (await openInside(place)) ?? missing(place.names);
  try {
    return await work(file);
  } finally {
    await file.handle.close();
  }
}

async function wholeOf({ handle, size }: Opened, maxBytes: number): Promise<Uint8Array> {
  if (size <= maxBytes) return await readStart(handle, size);
  throw tooLarge(`The file is larger than the ${String(maxBytes)} bytes that can be worked on here.`);
}

/** The same words whether it is missing, a folder or led out: a reader learns nothing of what lies outside. */
function missing(names: readonly string[]): never {
  throw notFound(`File ${names.join('/')}`);
}
