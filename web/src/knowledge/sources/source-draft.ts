import type {
  Schedule,
  Source,
  SourceKind,
  SourceSettings,
} from '../../../../src/http/contract/knowledge.ts';
import { webPageOf } from '../../markdown/addresses.ts';
import type { SourceContent } from './sources-api.ts';

/** A source as its form holds it: every field is text, whatever its kind. */
export interface SourceDraft {
  kind: SourceKind;
  name: string;
  schedule: Schedule;
  /** Of the course, the page or the repository. */
  address: string;
  byOrganization: boolean;
  token: string;
  sitemap: boolean;
  branch: string;
  folder: string;
  /** With commas between them. */
  files: string;
  path: string;
}

export const NEW_SOURCE: SourceDraft = {
  ...{ kind: 'moodle', name: '', schedule: 'daily', address: '', byOrganization: false, token: '' },
  ...{ sitemap: false, branch: '', folder: '', files: '', path: '' },
};

export function draftOf({ kind, name, schedule, settings }: Source): SourceDraft {
  return {
    ...{ ...NEW_SOURCE, kind, name, schedule, address: addressOf(settings) },
    byOrganization: settings.use_organization_token ?? false,
    sitemap: settings.sitemap ?? false,
    branch: settings.branch ?? '',
    folder: settings.folder ?? '',
    files: settings.files?.join(', ') ?? '',
    path: settings.path ?? '',
  };
}

/** As people would type it into their browser. */
export function addressOf({ site_url, course_id, url, path }: SourceSettings): string {
  if (site_url !== undefined) return `${site_url}/course/view.php?id=${String(course_id)}`;
  return url ?? path ?? '';
}

/** Site and number of a course, from the address that a browser shows in it. */
function courseOf(address: string): { site_url: string; course_id: number } | undefined {
  const url = webPageOf(address.trim()) === undefined ? undefined : new URL(address.trim());
  const id = Number(url?.searchParams.get('id'));
  const root = url && /^(.*)\/course\/[a-z]+\.php$/.exec(url.pathname)?.[1];
  if (!url || root === undefined || !Number.isInteger(id) || id < 1) return undefined;
  return { site_url: url.origin + root, course_id: id };
}

export type WrongField = 'address' | 'token' | 'path';

/** The fields that cannot be sent as they are; a source that has a token may keep it. */
export function faultsOf(draft: SourceDraft, hasToken: boolean): readonly WrongField[] {
  const { kind, address, token, byOrganization, path } = draft;
  const isAddress =
    kind === 'moodle' ? courseOf(address) !== undefined : webPageOf(address.trim()) !== undefined;
  const lacksToken = kind === 'moodle' && !byOrganization && !hasToken && token.trim() === '';
  return [
    ...(kind !== 'folder' && !isAddress ? (['address'] as const) : []),
    ...(kind === 'folder' && path.trim() === '' ? (['path'] as const) : []),
    ...(lacksToken ? (['token'] as const) : []),
  ];
}

export function contentOf(draft: SourceDraft): SourceContent {
  const { kind, name, schedule, token, byOrganization } = draft;
  const takesToken = kind === 'git' || (kind === 'moodle' && !byOrganization);
  return {
    ...{ kind, schedule, settings: settingsOf(draft) },
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(takesToken && token.trim() !== '' ? { token: token.trim() } : {}),
  };
}

function settingsOf(draft: SourceDraft): SourceSettings {
  const files = draft.files
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const [url, branch, folder] = [draft.address.trim(), draft.branch.trim(), draft.folder.trim()];
  switch (draft.kind) {
    case 'moodle':
      return { ...courseOf(draft.address), use_organization_token: draft.byOrganization };
    case 'web':
      return { url, sitemap: draft.sitemap };
    case 'git':
      return { url, files, ...(branch === '' ? {} : { branch }), ...(folder === '' ? {} : { folder }) };
    case 'folder':
      return { path: draft.path.trim(), files };
  }
}
