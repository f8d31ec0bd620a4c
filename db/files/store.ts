import { join } from 'node:path';
import type { FileFacts, FileStore, OwnerFiles } from '../../src/core/file-store.js';
import { isRowId } from '../query/values.js';
import { createBackups } from './backups.js';
import { changeFile } from './change-file.js';
import { namesAlong } from './file-path.js';
import { whenDiskRefuses } from './file-system-fault.js';
import { type Arrived, writeIncoming } from './incoming.js';
import { type HeldLock, holdLock, LOCK_TIMES, type LockTimes } from './owner-lock.js';
import { nameFile, unnameFile } from './paths.js';
import { mustFit } from './quota.js';
import { missing, readFiles, using, wholeOf } from './read.js';
import { factsOf } from './walk.js';

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
      const rooms = {
        home: join(folder, owner),
        incoming: join(folder, '.incoming'),
        locks: join(folder, '.locks', owner),
        backups: join(folder, '.backups', owner),
        quotaBytes: options.quotaBytes ?? 0,
        lockTimes: options.lockTimes ?? LOCK_TIMES,
      };
      return { ...readFiles(rooms.home), ...arrivals(rooms), ...changes(rooms) };
    },
  };
}

interface Rooms extends Required<FileStoreOptions> {
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
  const { home, incoming, quotaBytes } = rooms;

  async function keep(path: string, arrived: Arrived): Promise<FileFacts> {
    try {
      const names = namesAlong(path);
      const normal = names.join('/');
      return await locked(rooms, async (held) => {
        await mustFit(home, quotaBytes, arrived.size - ((await factsOf(home, normal))?.size ?? 0));
        await held.confirm();
        await nameFile(home, names, arrived);
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
