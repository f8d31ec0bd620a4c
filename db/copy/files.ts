import { join, resolve } from 'node:path';
import type { Knex } from 'knex';
import type { BlobStore, OpenBytes, S3Place } from '../../src/core/blobs.js';
import { badRequest } from '../../src/core/errors.js';
import { openBlobs } from '../blobs/open.js';
import { spool, type Spooled } from '../blobs/spool.js';
import { tidyIncoming } from '../files/incoming.js';
import { createFolderShelf } from './folder-shelf.js';
import { digestOf, type Shelf } from './shelf.js';
import { createStorageShelf } from './storage-shelf.js';

/** Where the bytes of an installation are: in its data folder, or in object storage. */
export type BlobPlace =
  | { readonly kind: 'folder'; readonly dataDir: string }
  | { readonly kind: 's3'; readonly place: S3Place; readonly incoming: string };

export interface CopiedFiles {
  /** Those that are the same on both sides now. */
  readonly verified: number;
  readonly copied: number;
}

export const NO_FILES: CopiedFiles = { verified: 0, copied: 0 };

export function isSamePlace(one: BlobPlace, other: BlobPlace): boolean {
  if (one.kind === 'folder' || other.kind === 'folder')
    return (
      one.kind === 'folder' && other.kind === 'folder' && resolve(one.dataDir) === resolve(other.dataDir)
    );
  const [a, b] = [one.place, other.place];
  return a.bucket === b.bucket && a.prefix === b.prefix && a.endpoint === b.endpoint;
}

interface CopyingFiles {
  readonly source: Knex;
  readonly target: Knex;
  readonly blobs: { readonly from: BlobPlace; readonly to: BlobPlace };
  readonly signal: AbortSignal;
  onProgress(progress: { readonly title: string; readonly done: number; readonly total: number }): void;
  warn(sentence: string): void;
}

/** As it is told to whoever copies. */
export const nameOfPlace = (place: BlobPlace): string =>
  place.kind === 'folder' ? place.dataDir : `s3://${place.place.bucket}/${place.place.prefix}`;

/** What is there already with the same bytes is left alone, and nothing is ever replaced. */
export async function copyFiles({
  source,
  target,
  blobs,
  signal,
  onProgress,
  warn,
}: CopyingFiles): Promise<CopiedFiles> {
  const [from, to] = [shelvesIn(blobs.from, source), shelvesIn(blobs.to, target)];
  const kinds = [
    { title: 'private files', items: itemsOfFiles(from.files, to.files), incoming: to.incoming.files },
    {
      ...{ title: 'documents', items: itemsById('document', from.documents, to.documents) },
      incoming: to.incoming.documents,
    },
    {
      ...{ title: 'attachments', items: itemsById('attachment', from.attachments, to.attachments) },
      incoming: to.incoming.attachments,
    },
  ];
  let [verified, copied] = [0, 0];
  for (const { title, items, incoming } of kinds) {
    await tidyIncoming(incoming);
    let [total, done] = [0, 0];
    for await (const _ of items()) total += 1;
    for await (const item of items()) {
      signal.throwIfAborted();
      if (await copyItem(item, incoming)) copied += 1;
      onProgress({ title: `copying ${title}`, done: (done += 1), total });
    }
    verified += total;
  }
  const lost = await countWithoutOriginal(source, from.documents);
  if (lost > 0)
    warn(
      `${String(lost)} documents have no original at ${nameOfPlace(blobs.from)}. They can be found, and not be fetched or read anew. If it is the wrong place, name the right one with --from-blobs and run it again.`,
    );
  return { verified, copied };
}

/** A folder has its names in itself. Where the database has some, their bytes are in object storage. */
export async function mustHoldFiles(place: BlobPlace, source: Knex): Promise<void> {
  if (place.kind === 's3' || !(await source('files').first('path'))) return;
  throw badRequest(
    'The private files of the source are in object storage. Say where: --from-blobs s3://bucket/prefix?…',
  );
}

async function countWithoutOriginal(source: Knex, originals: BlobStore): Promise<number> {
  const missing = new Set(await source('documents').pluck<string[]>('id'));
  for await (const { key } of originals.list()) missing.delete(key);
  return missing.size;
}

interface Item {
  readonly name: string;
  open(): Promise<OpenBytes | undefined>;
  digest(): Promise<string | undefined>;
  keep(bytes: Spooled): Promise<void>;
}

/** Whether it was not there before. Afterwards the bytes that lie there are read once more. */
async function copyItem(item: Item, incoming: string): Promise<boolean> {
  const there = await item.digest();
  const open = await item.open();
  if (!open)
    throw badRequest(
      `The bytes of ${item.name} are missing in the source. "npm run doctor" at the source says more.`,
    );
  const bytes = await spool(incoming, open.bytes(), { isTidy: true });
  try {
    if (there === undefined) await item.keep(bytes);
    const kept = there ?? (await item.digest());
    if (kept !== bytes.sha256)
      throw badRequest(
        `${item.name} has other bytes in the target than in the source. Nothing was changed there.`,
      );
    return there === undefined;
  } finally {
    await bytes.discard();
  }
}

type Items = () => AsyncIterable<Item>;

const itemsOfFiles = (from: Shelf, to: Shelf): Items =>
  async function* () {
    for await (const file of from.list())
      yield {
        name: `the file ${file.path} of user ${String(file.ownerId)}`,
        open: file.open,
        digest: () => to.digestOf(file),
        keep: (bytes) => to.keep(file, bytes),
      };
  };

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const itemsById = (kind: string, from: BlobStore, to: BlobStore): Items =>
  async function* () {
    for await (const { key } of from.list())
      if (ID.test(key))
        yield {
          name: `the ${kind} ${key}`,
          open: () => from.open(key),
          digest: async () => digestOf(await to.open(key)),
          keep: (bytes) => to.put(key, bytes),
        };
  };

function shelvesIn(place: BlobPlace, db: Knex) {
  if (place.kind === 'folder') {
    const [files, documents, attachments] = ['files', 'documents', 'attachments'].map((folder) =>
      join(place.dataDir, folder),
    ) as [string, string, string];
    // Beside where they go, on the same disk, as the service has them.
    const incoming = {
      files: join(files, '.incoming'),
      documents: join(documents, 'incoming'),
      attachments: join(attachments, 'incoming'),
    };
    const open = openBlobs(undefined);
    return {
      incoming,
      files: createFolderShelf(files),
      documents: open('documents', { folder: documents, incoming: incoming.documents }),
      attachments: open('attachments', { folder: attachments, incoming: incoming.attachments }),
    };
  }
  const { incoming } = place;
  const open = openBlobs(place.place);
  return {
    incoming: { files: incoming, documents: incoming, attachments: incoming },
    files: createStorageShelf(db, open('files', { folder: '', incoming })),
    documents: open('documents', { folder: '', incoming }),
    attachments: open('attachments', { folder: '', incoming }),
  };
}
