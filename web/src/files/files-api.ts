import type { Api, UploadOptions } from '../api/api.ts';
import type { Page } from '../api/shapes.ts';
import { inFolder } from './places.ts';

export interface StoredFile {
  readonly path: string;
  readonly size: number;
  readonly type: string;
  readonly updated_at: string;
}

export interface Folder {
  readonly path: string;
  readonly type: 'folder';
  /** All that lie below it. */
  readonly files: number;
}

export type FileEntry = StoredFile | Folder;

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
      api.upload<StoredFile>(ROOT, file, { ...options, fields: { path } }),
    download: (path: string) => api.download(at(path)),
    remove: (path: string) => api.send('DELETE', at(path), undefined, { keepalive: true }),
  };
}
