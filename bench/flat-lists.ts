import type { LargeDatabase } from './large-database.js';
import type { Sizes } from './large-rows.js';

/** Every list of the HTTP API, and for whom it is asked. */

export type Who = 'system admin' | 'org admin' | 'busy' | 'quiet';

export interface List {
  readonly path: string;
  readonly callers: readonly Who[];
  /** A cursor this far into the list, from 0 (its newest) to 1; absent where there are no pages. */
  readonly cursorAt?: (part: number) => string;
}

const ADMINS: readonly Who[] = ['system admin', 'org admin'];
const ALL: readonly Who[] = [...ADMINS, 'busy', 'quiet'];

const cursor = (position: readonly unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url');
const byNumber = (size: number) => (part: number) => cursor([Math.max(4, Math.round(size * (1 - part)))]);

/** Rows are so many seconds apart, in months of 28 days: see `timeAt` in large-rows.ts. */
const byTime = (size: number) => (part: number) => {
  const seconds = Math.max(120, Math.round(size * (1 - part) * 29));
  const of = (unit: number, wrap: number) => String(Math.floor(seconds / unit) % wrap).padStart(2, '0');
  const [month, day] = [28 * 86_400, 86_400].map((unit, i) =>
    String(1 + (Math.floor(seconds / unit) % (i === 0 ? 12 : 28))).padStart(2, '0'),
  );
  const year = 2024 + Math.floor(seconds / (86_400 * 336));
  const date = `${String(year)}-${String(month)}-${String(day)}`;
  return cursor([`${date}T${of(3600, 24)}:${of(60, 60)}:${of(1, 60)}.000Z`, 'z']);
};

const SEARCHES = ['q=77', 'q=course%2077', 'q=nothing%20has%20this'];

export function listsOf(large: LargeDatabase, sizes: Sizes): readonly List[] {
  const numbered = (path: string, callers: readonly Who[], size: number): List => ({
    ...{ path, callers },
    cursorAt: byNumber(size),
  });
  const timed = (path: string, callers: readonly Who[], size: number): List => ({
    ...{ path, callers },
    cursorAt: byTime(size),
  });
  const with_ = (path: string, queries: readonly string[]) => [path, ...queries.map((q) => `${path}?${q}`)];
  const one = `/lamb/v1/assistants/${String(large.assistantId)}`;

  const assistantQueries = [
    ...['type=classic', 'type=orchestrator', 'published=true', 'published=false', 'deleted=true'],
    ...[`owner=${large.busyEmail}`, 'owner=nobody@large.example', ...SEARCHES, 'q=a'],
    'type=multi_tool&published=true&q=77',
  ];
  return [
    ...with_('/lamb/v1/assistants', assistantQueries).map((path) => numbered(path, ALL, sizes.assistants)),
    { path: '/v1/models', callers: ALL },
    timed('/lamb/v1/conversations', ALL, sizes.conversations),
    { path: `/lamb/v1/conversations/${large.longConversation}`, callers: ['busy'] },
    ...with_('/lamb/v1/runs', ['status=failed', `assistant_id=${String(large.assistantId)}`]).map((path) =>
      timed(path, ALL, sizes.runs),
    ),
    { path: '/lamb/v1/setup', callers: ALL },
    ...with_('/lamb/v1/users', SEARCHES).map((path) => numbered(path, ADMINS, sizes.users)),
    numbered('/lamb/v1/users?organization_id=1', ['system admin'], sizes.users),
    ...with_('/lamb/v1/organizations', SEARCHES).map((path) => numbered(path, ADMINS, sizes.organizations)),
    numbered('/lamb/v1/api-keys', ALL, sizes.apiKeys),
    ...with_('/lamb/v1/rubrics', SEARCHES).map((path) => timed(path, ALL, sizes.rubrics)),
    ...with_('/lamb/v1/prompt-templates', SEARCHES).map((path) =>
      numbered(path, ['system admin', 'org admin', 'busy', 'quiet'], sizes.promptTemplates),
    ),
    numbered(`${one}/versions`, ['system admin', 'org admin', 'busy'], sizes.versions),
    numbered(`${one}/shares`, ['system admin', 'org admin', 'busy'], sizes.users),
    { path: '/lamb/v1/files', callers: ['busy', 'quiet'] },
    { path: '/lamb/v1/files?q=nothing', callers: ['busy'] },
  ];
}
