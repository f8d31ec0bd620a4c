import type { Route } from '../routing/route.ts';

/** The addresses of the file pages. */
export const places = {
  folder: (path: string) => (path === '' ? '/files' : `/files?folder=${encodeURIComponent(path)}`),
};

export const filesRoutes: readonly Route[] = [
  { path: places.folder(''), page: 'files', load: () => import('./FilesPage.svelte') },
];
