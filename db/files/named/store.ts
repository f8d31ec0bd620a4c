import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { type BlobStore, type OpenBytes, storageAway } from '../../../src/core/blobs.js';
import type { FileFacts, FileStore, OwnerFiles } from '../../../src/core/files.js';
import { type Spooled, spool } from '../../blobs/spool.js';
import { isRowId } from '../../query/values.js';
import { boundedText, bytesOfText } from '../bounded-text.js';
import { whenDiskRefuses } from '../open-inside.js';
import { filesBusy, LOCK_TIMES } from '../owner-lock.js';
import { browseFiles, type FileTree, listFiles } from '../pages.js';
import { namesAlong } from '../paths.js';
import { missing, mustBeWorkable } from '../read.js';
import { deleteDoomed, doomUnnamed, registerBlob, sweepBlobs } from './blob-rows.js';
import { createNames, type NameRow, type Names, type Naming } from './names.js';

export interface NamedFileStoreOptions {
  readonly blobs: BlobStore;
  /** Where files lie on their way. */
  readonly incoming: string;
  /** What all files of one owner may take; 0 for no limit. */
  readonly quotaBytes?: number;
  readonly waitMs?: number;
}

interface Rooms {
  readonly db: Knex;
  readonly ownerId: number;
  readonly names: Names;
  readonly blobs: BlobStore;
  readonly incoming: string;
  readonly waitMs: number;
}

/** A file that is replaced again and again while it is opened is looked for so often. */
const MOST_TRIES = 10;
const SHORTEST_PAUSE_MS = 5;
const PAUSE_SPREAD_MS = 20;

/** Private files whose names are in the database and whose bytes are blobs, for processes on different machines. */
export function createNamedFileStore(
  db: Knex,
  { blobs, incoming, quotaBytes = 0, waitMs = LOCK_TIMES.waitMs }: NamedFileStoreOptions,
): FileStore {
  return {
    ofOwner(ownerId) {
      if (!isRowId(ownerId)) throw new RangeError('A file owner must be the id of a user.');
      const names = createNames(db, ownerId, { quotaBytes, waitMs });
      const rooms = { db, ownerId, names, blobs, incoming, waitMs };
      return { ...readings(rooms), ...arrivals(rooms), ...changes(rooms) };
    },
    sweep: () => sweepBlobs(db, blobs),
  };
}

function readings(rooms: Rooms): Pick<OwnerFiles, 'read' | 'readBytes' | 'list' | 'browse' | 'open'> {
  return {
    async read(path, { maxChars }) {
      const { row, open } = await found(rooms, namesAlong(path), (size) => bytesOfText(size, maxChars));
      return boundedText(await wholeOf(open), row.size, maxChars);
    },

    async readBytes(path, { maxBytes }) {
      const { open } = await found(rooms, namesAlong(path), workable(maxBytes));
      return await wholeOf(open);
    },

    list: async (filter, page) => listFiles(treeOf(rooms.names), filter, page),

    browse: async (folder, page) => browseFiles(treeOf(rooms.names), folder, page),

    async open(path) {
      const { row, open } = await found(rooms, namesAlong(path));
      return { ...open, path: row.path, size: row.size, updatedAt: row.updated_at };
    },
  };
}

/** Files that come from outside: written to this machine first, sent and named when they are whole. */
function arrivals(rooms: Rooms): Pick<OwnerFiles, 'receive' | 'write'> {
  const keep = async (path: string, arrived: Spooled) => {
    try {
      const names = namesAlong(path);
      await rooms.names.mustBeFree({ names, size: arrived.size });
      return (await store(rooms, arrived, { names })) ?? missing(names);
    } finally {
      await arrived.discard();
    }
  };
  const arrive = (bytes: Uint8Array | AsyncIterable<Uint8Array>) =>
    spool(rooms.incoming, bytes).catch(whenDiskRefuses);

  return {
    async receive(bytes) {
      const arrived = await arrive(bytes);
      return { size: arrived.size, keep: (path) => keep(path, arrived), discard: arrived.discard };
    },

    async write(path, bytes) {
      namesAlong(path);
      await keep(path, await arrive(bytes));
    },
  };
}

/** What is done to files that are there. */
function changes(rooms: Rooms): Pick<OwnerFiles, 'change' | 'delete'> {
  return {
    async change(path, edit, { within, maxBytes, signal }) {
      const names = namesAlong(path);
      const folder = within === '.' ? [] : namesAlong(within);
      const isInside = names.length > folder.length && folder.every((name, at) => name === names[at]);
      if (!isInside) missing(names);
      const lastTry = performance.now() + rooms.waitMs;
      while (!(await changeOnce(rooms, names, { edit, maxBytes, signal }))) {
        if (performance.now() > lastTry) throw filesBusy();
        await pause(SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
      }
    },

    async delete(path) {
      const doomed = await rooms.names.unname(namesAlong(path).join('/'));
      if (doomed) await deleteDoomed(rooms.blobs, doomed);
      return doomed !== undefined;
    },
  };
}

interface Change {
  readonly edit: (bytes: Uint8Array) => Uint8Array;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** False when somebody else has changed the file since it was read: then it is to be read anew. */
async function changeOnce(
  rooms: Rooms,
  names: readonly string[],
  { edit, maxBytes, signal }: Change,
): Promise<boolean> {
  const mayWrite = () => {
    signal.throwIfAborted();
  };
  mayWrite();
  const { row, open } = await found(rooms, names, workable(maxBytes));
  const before = await wholeOf(open);
  const after = edit(before);
  if (Buffer.compare(before, after) === 0) return true;
  await rooms.names.mustBeFree({ names, size: after.length });
  mayWrite();
  const arrived = await spool(rooms.incoming, after).catch(whenDiskRefuses);
  try {
    return (await store(rooms, arrived, { names, instead: row.blob, mayWrite })) !== undefined;
  } finally {
    await arrived.discard();
  }
}

/** Registered, put, named, in this order; when that comes to no end, nothing is left of it. */
async function store(
  { db, ownerId, names, blobs }: Rooms,
  arrived: Spooled,
  naming: Pick<Naming, 'names' | 'instead' | 'mayWrite'>,
): Promise<FileFacts | undefined> {
  const blob = await registerBlob(db, ownerId, arrived);
  const giveUp = async () => {
    // A commit whose answer was lost may have named it; what is not named goes, and if not now, with the next sweep.
    const isDoomed = await doomUnnamed(db, blob).catch(() => false);
    if (isDoomed) await deleteDoomed(blobs, [blob]);
  };
  try {
    await blobs.put(blob, arrived, { isNew: true });
    const named = await names.name({ ...naming, blob, size: arrived.size });
    if (named) await deleteDoomed(blobs, named.doomed);
    else await giveUp();
    return named?.facts;
  } catch (fault) {
    await giveUp();
    throw fault;
  }
}

interface Found {
  readonly row: NameRow;
  readonly open: OpenBytes;
}

/** A file with the bytes that are its own, or with so many of them as `wanted` says of its size. */
async function found(
  { names, blobs }: Pick<Rooms, 'names' | 'blobs'>,
  path: readonly string[],
  wanted?: (size: number) => number,
): Promise<Found> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const row = (await names.find(path.join('/'))) ?? missing(path);
    const maxBytes = wanted?.(row.size);
    if (maxBytes === 0) return { row, open: NOTHING };
    const isPart = maxBytes !== undefined && maxBytes < row.size;
    const open = await blobs.open(row.blob, isPart ? { maxBytes } : {});
    // Its bytes are gone when it was replaced or deleted since we looked.
    if (open) return { row, open };
  }
  throw storageAway(new Error('The bytes of a file are missing.'));
}

/** Of a range of no bytes a server makes a fault. */
const NOTHING: OpenBytes = { size: 0, bytes: () => Readable.from([]), close: () => Promise.resolve() };

function workable(maxBytes: number): (size: number) => number {
  return (size) => {
    mustBeWorkable(size, maxBytes);
    return size;
  };
}

function wholeOf(open: OpenBytes): Promise<Uint8Array> {
  return buffer(open.bytes());
}

function treeOf(names: Names): FileTree {
  const known = new Map<string, FileFacts>();
  return {
    async *paths(folder, after) {
      for (const { path, size, updated_at } of await names.below(folder))
        if (path > after) known.set(path, { path, size, updatedAt: updated_at });
      yield* [...known.keys()].sort((a, b) => (a < b ? -1 : 1));
    },
    facts: (path) => Promise.resolve(known.get(path)),
  };
}
