import type { FileEntry, Folder } from './files-api.ts';

export const places = {
  folder: (path: string) => (path === '' ? '/files' : `/files?folder=${encodeURIComponent(path)}`),
};

export const isFolder = (entry: FileEntry): entry is Folder => entry.type === 'folder';

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const inFolder = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

export interface Crumb {
  readonly name: string;
  readonly path: string;
}

/** The folders on the way to one, the outermost first. */
export function crumbsOf(folder: string): Crumb[] {
  const names = folder.split('/').filter((name) => name !== '');
  return names.map((name, i) => ({ name, path: names.slice(0, i + 1).join('/') }));
}

/** Of one state of a file: another one uploaded under its name has another key. */
export const keyOf = ({ path, updated_at }: { readonly path: string; readonly updated_at: string }): string =>
  `file ${path} ${updated_at}`;
