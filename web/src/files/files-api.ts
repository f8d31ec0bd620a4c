import type { Page } from '../../../src/http/contract/common.ts';
import type { Folder, StoredFile } from '../../../src/http/contract/resources.ts';
import type { Api, UploadOptions } from '../api/api.ts';

export type FileEntry = StoredFile | Folder;

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

export interface FileQuery {
  readonly folder: string;
  /** Looks in all folders below, too. */
  readonly q?: string | undefined;
  readonly cursor?: string | undefined;
}

const ROOT = '/lamb/v1/files';

export type FilesApi = ReturnType<typeof createFilesApi>;

export function createFilesApi(api: Api) {
  const at = (path: string) => [ROOT, ...path.split('/').map(encodeURIComponent)].join('/');

  return {
    list: (query: FileQuery, signal?: AbortSignal) =>
      api.get<Page<FileEntry>>(ROOT, {
        query: { ...query, shallow: 'true' },
        ...(signal ? { signal } : {}),
      }),
    /** The file of this name in a folder, if there is one. */
    find: async (folder: string, name: string) => {
      const path = inFolder(folder, name).normalize('NFC');
      const { data } = await api.get<Page<StoredFile>>(ROOT, { query: { folder, q: name, limit: 200 } });
      return data.find((file) => file.path === path);
    },
    upload: (path: string, file: File, options: UploadOptions) =>
      api.upload<StoredFile>(ROOT, [file], { ...options, fields: { path } }),
    download: (path: string) => api.download(at(path)),
    remove: (path: string) => api.send('DELETE', at(path), undefined, { keepalive: true }),
  };
}
