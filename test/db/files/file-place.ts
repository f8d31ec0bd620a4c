import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFileStore, type FileStoreOptions } from '../../../db/files/store.js';
import { AppError } from '../../../src/core/errors.js';
import type { OwnerFiles } from '../../../src/core/files.js';

export const OWNER = 7;

/** A file store in a folder of its own, with something worth protecting beside it. */
export interface FilePlace {
  readonly folder: string;
  /** The owner's own folder. */
  readonly home: string;
  /** Holds "secret.txt". */
  readonly outside: string;
  files(options?: FileStoreOptions): OwnerFiles;
  remove(): Promise<void>;
}

export async function aFilePlace(): Promise<FilePlace> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'bellwether-files-')));
  const folder = join(base, 'files');
  const home = join(folder, String(OWNER));
  const outside = join(base, 'outside');
  await mkdir(home, { recursive: true });
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret');
  return {
    folder,
    home,
    outside,
    files: (options) => createFileStore(folder, options).ofOwner(OWNER),
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

export async function refusal(attempt: Promise<unknown>): Promise<AppError> {
  const error: unknown = await attempt.then(
    () => expect.fail('was allowed'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof AppError) return error;
  throw error;
}

export const bytes = (text: string): Uint8Array => Buffer.from(text);

/** For `change`: what a tool sends along when nothing is special. */
export const anywhere = { within: '.', maxBytes: 1_000_000, signal: new AbortController().signal };
