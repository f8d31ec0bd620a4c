import { moodleServiceUrl, type MoodleSettings } from '../../core/clients/moodle.js';
import { AppError, forbidden, timedOut, upstreamFailed } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { createDeadline } from '../../core/runs/deadline.js';
import { type MoodleAnswer, readAnswer } from './moodle-answer.js';
import { RefusedByMoodle } from './moodle-refusals.js';
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
