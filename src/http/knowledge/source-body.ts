import { z } from 'zod';
import { moodleSite } from '../../core/clients/moodle.js';
import { badRequest } from '../../core/errors.js';
import type { Schedule, Source, SourceRun, SourceSettings } from '../../core/knowledge/source.js';
import type * as wire from '../contract/knowledge.js';
import { PageQuery } from '../middleware/query.js';

const SCHEDULES = ['off', 'hourly', 'daily', 'weekly'] as const satisfies readonly Schedule[];
const LONGEST_URL = 2_000;

const isHttp = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);
const Address = z
  .string()
  .trim()
  .max(LONGEST_URL)
  .refine(isHttp, 'must be an http:// or https:// URL')
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === '' && password === '', 'must not hold a password')
  .transform((url) => {
    url.hash = '';
    return url;
  });
const Line = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200)
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), 'must be one line');
const Files = z.array(Line).max(20).default([]);
const Branch = Line.refine((name) => !/[\s~^:?*[\\]|\.\.|^\/|\/$/.test(name), 'must be the name of a branch');
const Folder = Line.transform((path) => path.replace(/^\/+|\/+$/g, '')).refine(
  (path) => !path.split('/').some((part) => part === '' || part === '..'),
  'must be a folder in the repository',
);

const MoodleBody = z
  .strictObject({
    site_url: Address.optional(),
    course_id: z.number().int().positive().max(2_147_483_647),
    use_organization_token: z.boolean().default(false),
  })
  .refine(({ site_url, use_organization_token }) => use_organization_token || site_url !== undefined, {
    message: 'is needed: the address of the Moodle site',
    path: ['site_url'],
  });
const WebBody = z.strictObject({ url: Address, sitemap: z.boolean().default(false) });
const GitBody = z.strictObject({
  url: Address,
  branch: Branch.optional(),
  folder: Folder.optional(),
  files: Files,
});
const FolderBody = z.strictObject({ path: z.string().min(1).max(1_000), files: Files });

const Token = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(2_000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable characters without blanks');

const Common = { name: Line.optional(), schedule: z.enum(SCHEDULES).optional(), token: Token.optional() };

export const NewSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('moodle'), ...Common, settings: MoodleBody }),
  z.strictObject({ kind: z.literal('web'), ...Common, settings: WebBody }),
  z.strictObject({ kind: z.literal('git'), ...Common, settings: GitBody }),
  z.strictObject({ kind: z.literal('folder'), ...Common, settings: FolderBody }),
]);
export type NewSource = z.output<typeof NewSource>;

/** With what stays as it was filled in, a change is read as if it were new. */
export const SourceChange = z.strictObject({
  ...Common,
  /** Null takes it away. */
  token: Token.nullable().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
});

export const Deletion = z.object({ documents: z.enum(['keep', 'remove']).default('keep') });
export const RunList = PageQuery;

/** As it is kept; the organisation's own Moodle is where the organisation says it is. */
export function settingsIn(body: NewSource, organizationMoodle: string | undefined): SourceSettings {
  switch (body.kind) {
    case 'moodle': {
      const { site_url, course_id: courseId, use_organization_token: byOrganization } = body.settings;
      const given = site_url && moodleSite(site_url.href);
      if (byOrganization && given !== undefined && given !== organizationMoodle)
        throw badRequest('This is not the Moodle that the organisation has set up.', 'settings.site_url');
      const siteUrl = byOrganization ? organizationMoodle : given;
      return { kind: 'moodle', siteUrl: siteUrl ?? '', courseId, byOrganization };
    }
    case 'web':
      return { kind: 'web', url: body.settings.url.href, sitemap: body.settings.sitemap };
    case 'git': {
      const { url, ...rest } = body.settings;
      return { kind: 'git', url: url.origin + url.pathname.replace(/\/+$/, ''), ...rest };
    }
    case 'folder':
      return { kind: 'folder', ...body.settings };
  }
}

export function showSettings(settings: SourceSettings): wire.SourceSettings {
  switch (settings.kind) {
    case 'moodle': {
      const { siteUrl, courseId, byOrganization } = settings;
      return { site_url: siteUrl, course_id: courseId, use_organization_token: byOrganization };
    }
    case 'web':
      return { url: settings.url, sitemap: settings.sitemap };
    case 'git': {
      const { url, branch, folder, files } = settings;
      return {
        ...{ url, files },
        ...(branch === undefined ? {} : { branch }),
        ...(folder === undefined ? {} : { folder }),
      };
    }
    case 'folder':
      return { path: settings.path, files: settings.files };
  }
}

/** What it is called by those who have not named it. */
export function usualName(settings: SourceSettings): string {
  switch (settings.kind) {
    case 'moodle':
      return `${new URL(settings.siteUrl).host}, ${String(settings.courseId)}`;
    case 'web':
      return new URL(settings.url).host;
    case 'git':
      return settings.url
        .split('/')
        .slice(-2)
        .join('/')
        .replace(/\.git$/, '');
    case 'folder':
      return settings.path.split(/[/\\]/).findLast((part) => part !== '') ?? settings.path;
  }
}

export function showSource(source: Source): wire.Source {
  const { id, name, settings, token, schedule, lastRun, nextRunAt } = source;
  return {
    ...{ id, kind: settings.kind, name, settings: showSettings(settings) },
    has_token: token !== undefined,
    schedule,
    state: stateOf(source),
    last_run: lastRun ? showRun(lastRun) : null,
    next_run_at: nextRunAt ?? null,
    created_at: source.createdAt,
    updated_at: source.updatedAt,
  };
}

function stateOf({ lastRun, nextRunAt }: Source): wire.Source['state'] {
  if (lastRun?.status === 'running') return 'running';
  return nextRunAt !== undefined && Date.parse(nextRunAt) <= Date.now() ? 'waiting' : 'idle';
}

export function showRun({ id, status, error, total, done, outcome, ...times }: SourceRun): wire.SourceRun {
  return {
    ...{ id, status, error: error?.message, error_code: error?.code },
    ...(error?.values && { error_values: error.values }),
    ...{ total, done, ...outcome },
    started_at: times.startedAt,
    ended_at: times.endedAt ?? null,
  };
}
