import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Knex } from 'knex';
import { openBlobs } from '../../../db/blobs/open.js';
import { createNamedFileStore } from '../../../db/files/named/store.js';
import { createFileStore, type FileStoreOptions } from '../../../db/files/store.js';
import { s3PlaceIn } from '../../../src/core/blobs.js';
import type { FileStore, OwnerFiles } from '../../../src/core/files.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { S3_CREDENTIALS } from '../../support/fakes/s3.js';
import { type FakeS3, startFakeS3 } from '../../support/s3-server.js';
import { aUser, storesOn } from '../fixtures.js';

/** A store of files with one owner who has none yet. */
export interface FileRoom {
  files(options?: FileStoreOptions): OwnerFiles;
  store(options?: FileStoreOptions): FileStore;
  /** Somebody else, who has none either. */
  another(): Promise<number>;
  /** Somebody whose account was erased. */
  gone(): Promise<number>;
  /** How many files there are the bytes of, whosever they are. */
  stored(): Promise<number>;
  /** What a file was before it was changed, the oldest first. */
  backups(path: string): Promise<readonly string[]>;
  /** What lies on its way. */
  incoming(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Runs a suite on the files of a disk, and on files in object storage with their names in either database. */
export function describeOnEachFileStore(
  title: string,
  define: (room: () => Promise<FileRoom>) => void,
): void {
  describe(`${title} (on disk)`, () => {
    define(roomOnDisk);
  });
  describeOnEachEngine(`${title} (in object storage)`, (open) => {
    let s3: FakeS3;
    before(async () => {
      s3 = await startFakeS3();
    });
    after(() => s3.stop());
    define(async () => roomInStorage(await open(), s3));
  });
}

async function roomOnDisk(): Promise<FileRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-files-'));
  const GONE = 99;
  const isOwnerThere = (id: number) => Promise.resolve(id !== GONE);
  const store = (options?: FileStoreOptions) => createFileStore(folder, { isOwnerThere, ...options });
  let owners = 7;
  return {
    store,
    files: (options) => store(options).ofOwner(7),
    another: () => Promise.resolve(++owners),
    gone: () => Promise.resolve(GONE),
    async stored() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile() && !entry.parentPath.includes('.locks')).length;
    },
    async backups() {
      const [own] = await readdir(join(folder, '.backups', '7')).catch(() => []);
      if (own === undefined) return [];
      const below = join(folder, '.backups', '7', own);
      const names = (await readdir(below)).filter((name) => name !== 'path').sort();
      return Promise.all(names.map((name) => readFile(join(below, name), 'utf8')));
    },
    incoming: () => readdir(join(folder, '.incoming')).catch(() => []),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

let rooms = 0;

export async function roomInStorage(db: Knex, s3: FakeS3): Promise<FileRoom & { readonly owner: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-files-'));
  const place = s3PlaceIn(s3.blobsUrl(`room-${String(++rooms)}`), { credentials: S3_CREDENTIALS });
  const incoming = join(folder, '.incoming');
  const blobs = openBlobs(place)('files', { folder, incoming });
  const { id: owner } = await aUser(storesOn(db));
  const another = async () => (await aUser(storesOn(db))).id;
  const store = ({ quotaBytes = 0, lockTimes }: FileStoreOptions = {}) =>
    createNamedFileStore(db, {
      blobs,
      incoming,
      quotaBytes,
      ...(lockTimes ? { waitMs: lockTimes.waitMs } : {}),
    });
  return {
    owner,
    store,
    files: (options) => store(options).ofOwner(owner),
    another,
    async gone() {
      const id = await another();
      await db('users').where({ id }).del();
      return id;
    },
    async stored() {
      let count = 0;
      for await (const _ of blobs.list()) count += 1;
      return count;
    },
    async backups(path) {
      const kept = db('file_backups').where({ owner_id: owner, path }).orderBy('id');
      const keys = (await kept.pluck('blob')) as string[];
      return Promise.all(
        keys.map(async (key) => (await buffer((await blobs.open(key))!.bytes())).toString()),
      );
    },
    incoming: () => readdir(incoming).catch(() => []),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
