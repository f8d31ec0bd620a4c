import type { Page, PageRequest, Timestamp } from './base/ids.js';
import type { OpenBytes } from './blobs.js';
import type { OwnFiles } from './runs/run-context.js';

const LONGEST_PATH = 1_024;
/** What the usual file systems allow. */
const LONGEST_NAME_BYTES = 255;

/** What keeps a path from naming a file of a private store, to follow "The file path"; undefined when nothing does. */
export function filePathFault(path: string): string | undefined {
  return (
    pathFault(path) ??
    path
      .split('/')
      .map(nameFault)
      .find((fault) => fault !== undefined)
  );
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > LONGEST_PATH) return `is longer than ${String(LONGEST_PATH)} characters`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return 'contains a control character';
  if (/\p{Cs}/u.test(path)) return 'is not valid Unicode';
  if (path.includes('\\')) return 'contains a backslash; folders are separated by "/"';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute; it must be relative';
  return undefined;
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'contains an empty name';
  if (name === '.' || name === '..') return `contains "${name}"`;
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES)
    return `contains a name longer than ${String(LONGEST_NAME_BYTES)} bytes`;
  return undefined;
}

export interface FileFacts {
  readonly path: string;
  readonly size: number;
  readonly updatedAt: Timestamp;
}

/** A folder, which is there for as long as there are files below it. */
export interface FolderFacts {
  readonly path: string;
  /** All that lie below it. */
  readonly files: number;
}

export interface FileFilter {
  /** Only what lies below this folder. */
  readonly folder?: string | undefined;
  /** Only paths that contain this, in whatever case. */
  readonly q?: string | undefined;
}

/** A file opened to be sent. */
export interface OpenFile extends FileFacts, OpenBytes {}

/** A file that has arrived whole and has no name yet. */
export interface IncomingFile {
  readonly size: number;
  /** Gives it its name, or refuses; in both cases nothing else is left of it. */
  keep(path: string): Promise<FileFacts>;
  discard(): Promise<void>;
}

/** Everything an owner may do with their files; a tool sees the part that is `OwnFiles`. */
export interface OwnerFiles extends OwnFiles {
  /** Sorted by path. */
  list(filter: FileFilter, page: PageRequest): Promise<Page<FileFacts>>;
  /** What lies directly in a folder (all of theirs when none is given), sorted by path. */
  browse(folder: string | undefined, page: PageRequest): Promise<Page<FileFacts | FolderFacts>>;
  open(path: string): Promise<OpenFile>;
  receive(bytes: AsyncIterable<Uint8Array>): Promise<IncomingFile>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** With its backups. False when there is no such file. */
  delete(path: string): Promise<boolean>;
}

export interface FileStore {
  ofOwner(userId: number): OwnerFiles;
  /** Takes away bytes that nobody has given a name to for long. How many there were. */
  sweep(): Promise<number>;
}
