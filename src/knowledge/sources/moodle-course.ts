import { createMoodleClient, RefusedByMoodle } from '../../clients/moodle/client.js';
import type { CourseModule, CourseSection } from '../../clients/moodle/replies.js';
import { safeLabel } from '../../core/base/text.js';
import type { AppError } from '../../core/errors.js';
import type { SourceFaultCode } from '../../core/knowledge/source-faults.js';
import type { SourceSettings } from '../../core/knowledge/source.js';
import type { Logger } from '../../core/log.js';
import { isTextDocument } from '../extract/format.js';
import { failureOf, refusal } from './faults.js';
import type { Brought, SourceItem, SourceReader, WantedItem } from './reader.js';
import { asked } from './requests.js';

interface CourseDeps {
  readonly token: string;
  readonly fetch: typeof fetch;
  readonly log: Logger;
}

type Course = Extract<SourceSettings, { kind: 'moodle' }>;

const CALL_MS = 60_000;
const FILES_PATH = '/webservice/pluginfile.php/';

/** A file of a course, with the address that it is to be had at with the token. */
interface CourseFile extends SourceItem {
  readonly fileUrl: string;
}

/** Files and pages of a course, as far as everybody in it sees them. */
export function moodleReader({ siteUrl, courseId }: Course, deps: CourseDeps): SourceReader {
  const { token, fetch, log } = deps;
  const call = createMoodleClient({ settings: { siteUrl, token }, fetch, timeoutMs: CALL_MS, log });
  const addresses = new Map<string, string>();

  return {
    async list(signal) {
      const sections = await call('core_course_get_contents', { courseid: courseId }, signal).catch(
        (fault: unknown) => {
          throw fault instanceof RefusedByMoodle ? inTeachersWords(fault, courseId) : fault;
        },
      );
      const { files, skipped } = visibleFiles(sections, siteUrl);
      for (const { key, fileUrl } of files) addresses.set(key, fileUrl);
      return { items: files.map(({ fileUrl: _, ...item }) => item), skipped };
    },

    async *bring(wanted, signal) {
      for (const item of wanted)
        yield await file(item, addresses.get(item.key) ?? '', { token, fetch, signal });
    },
  };
}

/** Hidden, or shown to some alone: an assistant would tell it to all. */
function isForAll({ visible, uservisible, availability, availabilityinfo }: CourseSection | CourseModule) {
  return visible !== 0 && uservisible !== false && !availabilityinfo && !hasConditions(availability);
}

/** Moodle keeps them as a tree in JSON; one without branches restricts nothing. */
function hasConditions(availability: string | null | undefined): boolean {
  if (!availability) return false;
  try {
    const tree = JSON.parse(availability) as { readonly c?: unknown } | null;
    return tree !== null && !(Array.isArray(tree.c) && tree.c.length === 0);
  } catch {
    return true;
  }
}

function visibleFiles(sections: readonly CourseSection[], siteUrl: string) {
  const files = new Map<string, CourseFile>();
  let skipped = 0;
  for (const section of sections)
    for (const module of section.modules) {
      const isSeen = isForAll(section) && isForAll(module);
      for (const content of module.contents ?? []) {
        mustBeAt(siteUrl, content);
        const item = isSeen ? fileOf(module, content, siteUrl) : undefined;
        if (item && isTextDocument(item.name)) files.set(item.key, item);
        else skipped += 1;
      }
    }
  return { files: [...files.values()], skipped };
}

/** A site with two addresses hands its files out at one of them. */
function mustBeAt(siteUrl: string, { fileurl }: Content): void {
  const at = fileurl?.indexOf(FILES_PATH) ?? -1;
  if (!fileurl || at < 0 || fileurl.startsWith(siteUrl + FILES_PATH)) return;
  const other = safeLabel(fileurl.slice(0, at));
  throw refusal('moodle_address', `This Moodle calls itself ${other}. Enter that as its address.`, other);
}

type Content = NonNullable<CourseModule['contents']>[number];

/** Only what this site itself hands out: the token goes nowhere else. */
function fileOf(module: CourseModule, content: Content, siteUrl: string): CourseFile | undefined {
  const { type, filename, filepath, fileurl, timemodified, filesize } = content;
  if (type !== 'file' || !fileurl?.startsWith(siteUrl + FILES_PATH)) return undefined;
  const isPage = filename === 'index.html' && module.modname !== 'resource' && module.modname !== 'folder';
  return {
    key: `${String(module.id)}${filepath ?? '/'}${filename}`,
    name: isPage ? `${pageTitle(module, content)}.html` : filename,
    version: `${String(timemodified ?? '')} ${String(filesize ?? '')}`,
    url: module.url ?? undefined,
    fileUrl: fileurl,
  };
}

/** Chapters of a book have titles of their own. */
function pageTitle({ name, modname }: CourseModule, { content }: Content): string {
  return modname === 'book' && content ? `${name}: ${content}` : name;
}

/** The token is in the body: addresses end up in logs. A redirect is not followed, as it would take the token along. */
async function file(
  item: WantedItem,
  url: string,
  { token, fetch, signal }: Pick<CourseDeps, 'token' | 'fetch'> & { readonly signal: AbortSignal },
): Promise<Brought> {
  try {
    const body = new URLSearchParams({ token });
    const response = await asked(() => fetch(url, { method: 'POST', body, redirect: 'manual', signal }));
    if (response.status === 404) return { item, outcome: 'gone' };
    // Moodle words its refusals as JSON, with status 200; no document of a course is that.
    const isRefusal = /^application\/json/i.test(response.headers.get('content-type') ?? '');
    if (response.status !== 200 || !response.body || isRefusal) {
      await response.body?.cancel();
      throw refusal('moodle_file_refused', 'Moodle did not hand it out.');
    }
    const { name, version } = item;
    return {
      item,
      outcome: 'brought',
      name,
      version,
      bytes: response.body as unknown as AsyncIterable<Uint8Array>,
    };
  } catch (fault) {
    signal.throwIfAborted();
    return { item, outcome: 'failed', fault: failureOf(fault) };
  }
}

/** Whoever reads this has made the token, or asks who has. */
function inTeachersWords({ errorcode, message }: RefusedByMoodle, courseId: number): AppError {
  switch (errorcode) {
    case 'invalidtoken':
      return refusal(
        'moodle_token',
        'Moodle does not accept the token: it is mistyped, has expired or was deleted. Make a new one in Moodle and enter it here.',
      );
    case 'accessexception':
      return refusal(
        'moodle_function',
        'The token may not read courses: its web service in Moodle needs the function core_course_get_contents, and its user the right to use REST.',
      );
    case 'invalidrecord':
    case 'invalidrecordunknown':
      return refusal(
        'moodle_no_course',
        `A course with the number ${String(courseId)} in this Moodle was not found.`,
        courseId,
      );
    case 'requireloginerror':
    case 'errorcoursecontextnotvalid':
    case 'nopermissions':
    case 'notingroup':
      return refusal(
        'moodle_course_closed',
        `Moodle does not show course ${String(courseId)} to whom the token belongs to. Enrol them in it, or use the token of somebody who teaches it.`,
        courseId,
      );
    default:
      return refusal(
        codeOf(errorcode),
        message.replace(/ An administrator finds the reason in the log\.$/, ''),
      );
  }
}

/** Of what is said to teachers as it is to whoever is chatting. */
function codeOf(errorcode: string): SourceFaultCode {
  if (errorcode.startsWith('HTTP 3')) return 'moodle_moved';
  switch (errorcode) {
    case 'wsaccessusersuspended':
    case 'wsaccessuserdeleted':
    case 'wsaccessuserexpired':
    case 'wsaccessusernologin':
      return 'moodle_account_off';
    case 'nopermission':
    case 'nopermissiontoviewgrades':
      return 'moodle_refuses';
    case 'sitemaintenance':
      return 'moodle_maintained';
    case 'HTTP 403':
      return 'moodle_services_off';
    default:
      return 'no_answer';
  }
}
