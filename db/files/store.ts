import { dirname, join } from 'node:path';
import { accountGone, conflict, tooLarge } from '../../src/core/errors.js';
import type { FileFacts, FileStore, OwnerFiles } from '../../src/core/files.js';
import { isRowId } from '../query/values.js';
import { type Backups, createBackups } from './backups.js';
import { type Arrived, syncFolder, writeIncoming } from './incoming.js';
import { bytesBelow, factsOf } from './list.js';
import { type Opened, type Place, realPlace, whenDiskRefuses, whenUnreachable } from './open-inside.js';
import { type HeldLock, holdLock, LOCK_TIMES, type LockTimes } from './owner-lock.js';
import { nameFile, namesAlong, unnameFile } from './paths.js';
import { missing, readFiles, using, wholeOf } from './read.js';

export interface FileStoreOptions {
  /** What all files of one owner may take; 0 for no limit. */
  readonly quotaBytes?: number;
  readonly lockTimes?: LockTimes;
  /** Whether the account of an owner is there; always, when absent. */
  readonly isOwnerThere?: (userId: number) => Promise<boolean>;
}

/** Private files on disk, one folder for each user; what is ours stands beside them, where no path of theirs leads. */
export function createFileStore(folder: string, options: FileStoreOptions = {}): FileStore {
  return {
    ofOwner(userId) {
      if (!isRowId(userId)) throw new RangeError('A file owner must be the id of a user.');
      const owner = String(userId);
      const rooms = {
        home: join(folder, owner),
        incoming: join(folder, '.incoming'),
        locks: join(folder, '.locks', owner),
        backups: join(folder, '.backups', owner),
        quotaBytes: options.quotaBytes ?? 0,
        lockTimes: options.lockTimes ?? LOCK_TIMES,
        isOwnerThere: () => options.isOwnerThere?.(userId) ?? Promise.resolve(true),
      };
      return { ...readFiles(rooms.home), ...arrivals(rooms), ...changes(rooms) };
    },
    // Whoever writes the next file has tidied up by then.
    sweep: () => Promise.resolve(0),
  };
}

interface Rooms extends Required<Omit<FileStoreOptions, 'isOwnerThere'>> {
  readonly isOwnerThere: () => Promise<boolean>;
  readonly home: string;
  readonly incoming: string;
  readonly locks: string;
  readonly backups: string;
}

function locked<T>(
  { locks, lockTimes }: Rooms,
  work: (held: HeldLock) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return holdLock(locks, lockTimes, work, signal).catch(whenDiskRefuses);
}

/** Files that come from outside: written first, named when they are whole. */
function arrivals(rooms: Rooms): Pick<OwnerFiles, 'receive' | 'write'> {
  const { home, incoming, quotaBytes, isOwnerThere } = rooms;

  async function keep(path: string, arrived: Arrived): Promise<FileFacts> {
    try {
      const names = namesAlong(path);
      const normal = names.join('/');
      return await locked(rooms, async (held) => {
        await mustFit(home, quotaBytes, arrived.size - ((await factsOf(home, normal))?.size ?? 0));
        await held.confirm();
        await nameFile(home, names, arrived);
        // Asked afterwards: whoever erases an account looks for files once it is gone, and so finds this one or is seen here.
        if (!(await isOwnerThere())) {
          await unnameFile(home, names);
          throw accountGone();
        }
        return (await factsOf(home, normal)) ?? missing(names);
      });
    } finally {
      await arrived.discard();
    }
  }

  return {
    async receive(bytes) {
      const arrived = await writeIncoming(incoming, bytes).catch(whenDiskRefuses);
      return { size: arrived.size, keep: (path) => keep(path, arrived), discard: arrived.discard };
    },

    async write(path, bytes) {
      namesAlong(path);
      await keep(path, await writeIncoming(incoming, bytes).catch(whenDiskRefuses));
    },
  };
}

/** What is done to files that are there. */
function changes(rooms: Rooms): Pick<OwnerFiles, 'change' | 'delete'> {
  const { home, incoming, quotaBytes } = rooms;
  const backups = createBackups(rooms.backups, incoming);

  return {
    async change(path, edit, { within, maxBytes, signal }) {
      const place = { home, names: namesAlong(path), within: within === '.' ? [] : namesAlong(within) };
      const work = (held: HeldLock) =>
        using(place, async (file) => {
          const before = await wholeOf(file, maxBytes);
          const after = edit(before);
          await mustFit(home, quotaBytes, after.length - before.length);
          const mayWrite = async () => {
            signal.throwIfAborted();
            await held.confirm();
          };
          await changeFile(file, { before, after }, { place, backups, incoming, mayWrite });
        });
      await locked(rooms, work, signal);
    },

    async delete(path) {
      const names = namesAlong(path);
      return await locked(rooms, async (held) => {
        await held.confirm();
        const wasThere = await unnameFile(home, names);
        if (wasThere) await backups.drop(names.join('/'));
        return wasThere;
      });
    },
  };
}

/** To be asked while the lock is held: of two who come at once, the second sees what the first has taken. */
async function mustFit(home: string, quotaBytes: number, added: number): Promise<void> {
  if (quotaBytes === 0 || added <= 0 || (await bytesBelow(home)) + added <= quotaBytes) return;
  throw overQuota(quotaBytes);
}

export function overQuota(quotaBytes: number) {
  const megabytes = String(Math.floor(quotaBytes / 2 ** 20));
  return tooLarge(`All your files may take ${megabytes} MB; this does not fit any more. Delete some first.`);
}

export interface Changing {
  readonly place: Place;
  readonly backups: Backups;
  readonly incoming: string;
  /** Throws when nothing must be written any more. Asked at the beginning, and right before what cannot be undone. */
  readonly mayWrite: () => Promise<void>;
}

/** Replaces what was opened by `after`, in the same place and with the same mode; what was there is a backup then. */
async function changeFile(
  { real, mode }: Opened,
  { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
  { place, backups, incoming, mayWrite }: Changing,
): Promise<void> {
  if (Buffer.compare(before, after) === 0) return;
  await mayWrite();
  const arrived = await writeIncoming(incoming, after, { mode });
  try {
    await backups.keep(place.names.join('/'), before);
    await mayWrite();
    // A folder on the way may have become a link since the file was opened.
    if ((await realPlace(place).catch(whenUnreachable)) !== real) {
      throw conflict('The file was moved or removed meanwhile. Nothing was changed.');
    }
    await arrived.moveTo(real);
  } finally {
    await arrived.discard();
  }
  await syncFolder(dirname(real));
}
