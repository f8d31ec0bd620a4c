import { isRecord, own } from '../../core/base/json.js';
import { moodleServiceUrl, type MoodleSettings } from '../../core/clients/moodle.js';
import {
  AppError,
  forbidden,
  invalidConfiguration,
  timedOut,
  tooLarge,
  unavailable,
  upstreamFailed,
} from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { createDeadline } from '../../core/runs/deadline.js';
import { type ReadFunction, REPLIES, type Reply } from './replies.js';

type FormValues = Readonly<Record<string, string | number | readonly (string | number)[]>>;

/** One function of Moodle's web services: its reply, understood, or an error that may be shown. */
export type CallMoodle = <F extends ReadFunction>(
  name: F,
  parameters: FormValues,
  signal: AbortSignal,
) => Promise<Reply<F>>;

export interface MoodleClientDeps {
  readonly settings: Pick<MoodleSettings, 'siteUrl' | 'token'>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** What the token's user needs for each, for the administrator who reads the log. */
export const CAPABILITIES: Readonly<Record<ReadFunction, string>> = {
  core_user_get_users_by_field: 'moodle/user:viewdetails, moodle/site:viewuseridentity',
  core_enrol_get_users_courses:
    'moodle/course:view, moodle/course:viewparticipants, moodle/user:viewdetails, moodle/site:accessallgroups',
  gradereport_user_get_grade_items:
    'moodle/course:view, gradereport/user:view, moodle/grade:viewall, mod/<type>:view of every graded type of activity, moodle/site:accessallgroups',
  mod_assign_get_assignments: 'moodle/course:view, mod/assign:view',
  core_calendar_get_action_events_by_timesort: 'moodle/calendar:manageentries',
  core_course_get_contents: 'moodle/course:view',
};

/** Speaks to one site with one token, which is in the body of each request and nowhere else. */
export function createMoodleClient(deps: MoodleClientDeps): CallMoodle {
  return async (name, parameters, signal) => {
    if (!Object.hasOwn(REPLIES, name)) throw forbidden('This is not among what is read from Moodle.');
    const facts = { wsfunction: name, capability: CAPABILITIES[name] };
    const answer = await ask(formOf(deps.settings.token, name, parameters), signal, deps).catch(
      (fault: unknown) => {
        if (fault instanceof AppError)
          deps.log.warn({ ...facts, code: fault.code }, 'Moodle could not be read');
        throw fault;
      },
    );
    if ('refusal' in answer) {
      const { refusal, errorcode } = answer;
      deps.log.warn({ ...facts, errorcode, advice: refusal.advice }, 'Moodle refused');
      throw new RefusedByMoodle(refusal.told, errorcode);
    }
    const reply = REPLIES[name].safeParse(answer.reply);
    if (reply.success) return reply.data as Reply<typeof name>;
    deps.log.warn(facts, 'Moodle sent something else than was expected');
    throw upstreamFailed('Moodle');
  };
}

/** A redirect is not followed: the token would go with the body. */
async function ask(
  body: URLSearchParams,
  signal: AbortSignal,
  { settings, fetch, timeoutMs }: MoodleClientDeps,
): Promise<MoodleAnswer> {
  const deadline = createDeadline(signal, timeoutMs);
  try {
    const request = { method: 'POST', body, redirect: 'manual', signal: deadline.signal } as const;
    return await readAnswer(await fetch(moodleServiceUrl(settings.siteUrl), request));
  } catch (fault) {
    signal.throwIfAborted();
    if (deadline.expired()) throw timedOut('Moodle');
    throw fault instanceof AppError ? fault : upstreamFailed('Moodle', fault);
  } finally {
    deadline.dispose();
  }
}

function formOf(token: string, name: string, parameters: FormValues): URLSearchParams {
  const form = new URLSearchParams({ wstoken: token, wsfunction: name, moodlewsrestformat: 'json' });
  for (const [key, value] of Object.entries(parameters)) {
    if (typeof value === 'object')
      value.forEach((item, i) => {
        form.append(`${key}[${String(i)}]`, String(item));
      });
    else form.append(key, String(value));
  }
  return form;
}

/** What came back: a reply that is yet to be understood, or a refusal with Moodle's name for it. */
type MoodleAnswer = { readonly reply: unknown } | { readonly refusal: Refusal; readonly errorcode: string };

const MOST_BYTES = 5 * 1024 * 1024;
/** What else stands there is not Moodle's, and not for the log. */
const ERRORCODE = /^[a-z][a-z0-9_]{0,63}$/i;

async function readAnswer(response: Response): Promise<MoodleAnswer> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return { refusal: movedAway(), errorcode: `HTTP ${String(status)}` };
  }
  const text = await textOf(response);
  if (status === 403 && text.trim() === '') return { refusal: webServicesOff(), errorcode: 'HTTP 403' };
  const reply = json(text);
  // Moodle refuses with HTTP 200; what the refusal says beside its code is not passed on.
  const errorcode = isRecord(reply) ? (own(reply, 'errorcode') ?? own(reply, 'exception')) : undefined;
  if (errorcode !== undefined) {
    const code = typeof errorcode === 'string' && ERRORCODE.test(errorcode) ? errorcode : 'unknown';
    return { refusal: refusalFor(code), errorcode: code };
  }
  if (status !== 200) throw upstreamFailed('Moodle');
  return { reply };
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop also lets go of the connection.
    if (size > MOST_BYTES) throw tooLarge('Moodle sent more than can be taken.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw upstreamFailed('Moodle');
  }
}

/** What Moodle's refusal means: in words for whoever is chatting, and for the log what an administrator can do. */
interface Refusal {
  readonly told: AppError;
  readonly advice: string;
}

/** Thrown: what may be shown, with Moodle's own name for the reason. */
export class RefusedByMoodle extends AppError {
  constructor(
    { message, status, type, code, retryAfterSeconds }: AppError,
    readonly errorcode: string,
  ) {
    super(message, { status, type, code, retryAfterSeconds });
  }
}

const ASK = 'An administrator finds the reason in the log.';

const misconfigured = (message: string, advice: string): Refusal => ({
  told: invalidConfiguration(`${message} ${ASK}`),
  advice,
});

/** By `errorcode`: the names of Moodle's exceptions change between versions, these do not. */
function meaningOf(errorcode: string): Refusal | undefined {
  switch (errorcode) {
    case 'invalidtoken':
      return misconfigured(
        'Moodle does not accept the token of this service.',
        'The token is wrong, was deleted or has expired: make a new one and enter it.',
      );
    case 'accessexception':
      return misconfigured(
        'Moodle does not let this service use a function it needs.',
        "Add the function to the token's web service, allow its user webservice/rest:use, look at the token's IP restriction and expiry.",
      );
    case 'wsaccessusersuspended':
    case 'wsaccessuserdeleted':
    case 'wsaccessuserexpired':
    case 'wsaccessusernologin':
      return misconfigured(
        'Moodle has switched off the account of this service.',
        "The account of the token's user is suspended, expired or gone.",
      );
    case 'nopermission':
    case 'nopermissions':
    case 'nopermissiontoviewgrades':
      return {
        told: forbidden(`Moodle does not let this service read this for you. ${ASK}`),
        advice: "The token's user lacks one of these capabilities.",
      };
    case 'requireloginerror':
    case 'errorcoursecontextnotvalid':
      return {
        told: forbidden(`Moodle does not show this course to this service. ${ASK}`),
        advice: "The token's user may not enter the course: it lacks one of these capabilities there.",
      };
    case 'notingroup':
      return {
        told: forbidden(`Moodle does not show this course to this service. ${ASK}`),
        advice:
          "The course has separate groups, and the token's user is in none of them: it needs moodle/site:accessallgroups.",
      };
    case 'sitemaintenance':
      return {
        told: unavailable('Moodle is being maintained. Try again later.'),
        advice: 'The site is in maintenance mode.',
      };
    default:
      return undefined;
  }
}

/** Anything else is a fault, in Moodle or here, and told as one. */
const refusalFor = (errorcode: string): Refusal =>
  meaningOf(errorcode) ?? {
    told: upstreamFailed('Moodle'),
    advice: 'Moodle could not do what it was asked: its errorcode says why.',
  };

const webServicesOff = (): Refusal =>
  misconfigured(
    "Moodle's web services are switched off.",
    'Enable web services and the REST protocol in Moodle.',
  );

const movedAway = (): Refusal =>
  misconfigured(
    'Moodle is not at the address that is set for it.',
    'The address answers with a redirect, which is not followed: set the address it leads to.',
  );
