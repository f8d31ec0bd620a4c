import type { Source, SourceSettings } from '../../core/knowledge/source.js';
import type { Logger } from '../../core/log.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';
import type { Settings } from '../../core/runs/run-context.js';
import { refusal } from './faults.js';
import { folderReader } from './folder.js';
import { gitReader } from './git/repository.js';
import { moodleReader } from './moodle-course.js';
import type { SourceLimits, SourceReader } from './reader.js';
import { webReader } from './web-pages.js';

export interface ReaderDeps {
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly box: Pick<SecretBox, 'open'>;
  /** To addresses that anybody has named: through the guard. */
  readonly fetch: typeof fetch;
  /** To addresses that an administrator has set. */
  readonly fetchTrusted: typeof fetch;
  /** Folders of this machine that may be read. */
  readonly folders: readonly string[];
  readonly limits: SourceLimits;
  readonly log: Logger;
}

/** How each kind of source is read, with the token that belongs to it. */
export function createReaders(deps: ReaderDeps): (source: Source) => Promise<SourceReader> {
  const { box, fetch, folders, limits } = deps;
  return async (source) => {
    const { settings } = source;
    const token = source.token === undefined ? undefined : box.open(source.token);
    switch (settings.kind) {
      case 'moodle':
        return moodleReader(settings, { ...(await moodleWay(source, settings, token, deps)), log: deps.log });
      case 'web':
        return webReader(settings, { fetch, mostPages: limits.pages });
      case 'git':
        return gitReader(settings, { fetch, token, limitBytes: limits.bytes });
      case 'folder':
        return folderReader(settings, folders);
    }
  };
}

/** The organisation's own Moodle may be inside its network; every other one is gone to through the guard. */
async function moodleWay(
  { organizationId }: Source,
  { siteUrl, byOrganization }: Extract<SourceSettings, { kind: 'moodle' }>,
  token: string | undefined,
  { settingsOf, fetch, fetchTrusted }: ReaderDeps,
) {
  const { moodle } = await settingsOf(organizationId);
  const isOwn = moodle?.siteUrl === siteUrl;
  if (byOrganization && (!moodle || !isOwn))
    throw refusal(
      'moodle_not_set_up',
      'The Moodle of the organisation that this source was made for is not configured. An administrator can set it up.',
    );
  return {
    token: (byOrganization ? moodle?.token : token) ?? '',
    fetch: isOwn ? fetchTrusted : fetch,
  };
}
