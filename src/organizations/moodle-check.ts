import { type CallMoodle, RefusedByMoodle } from '../clients/moodle/client.js';
import type { ReadFunction, Reply } from '../clients/moodle/replies.js';
import { AppError } from '../core/errors.js';
import { type CheckedPart, type Finding, found, type MoodleFinding } from './moodle-findings.js';

/** Whom Moodle is asked about, and what is known of them without it. */
export interface CheckedPerson {
  readonly userId?: number | undefined;
  readonly email?: string | undefined;
  /** Courses that launches of theirs named: they are in them, whatever Moodle shows. */
  readonly courses: readonly { readonly id: number; readonly hasColumn: boolean }[];
}

export interface MoodleCheck {
  readonly ok: boolean;
  /** Who they are there; undefined where they were not found. */
  readonly userId: number | undefined;
  readonly findings: readonly MoodleFinding[];
}

interface Asking {
  readonly call: CallMoodle;
  readonly signal: AbortSignal;
}

/** Each costs a request. */
const MOST_COURSES = 5;
/** Types of activity that are graded where they have a date; the others may well not be. */
const GRADED = ['quiz', 'lti', 'lesson', 'workshop', 'scorm', 'h5pactivity'];
/** What a token's user lacks, or its service; everything else concerns the connection as a whole. */
const LACKING = new Set([
  ...['accessexception', 'nopermission', 'nopermissions', 'nopermissiontoviewgrades', 'notingroup'],
  ...['requireloginerror', 'errorcoursecontextnotvalid', 'invalidrecord'],
]);

/** Asks Moodle what the tools ask, as for one student, and says what its token's user lacks. Never throws for Moodle's faults. */
export async function checkMoodle(person: CheckedPerson, asking: Asking): Promise<MoodleCheck> {
  const findings: MoodleFinding[] = [];
  let userId: number | undefined;
  try {
    const who = await whoIs(person, asking);
    findings.push(who.finding);
    userId = who.userId;
    if (userId !== undefined) findings.push(...(await recordsOf(userId, person, asking)));
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    return { ok: false, userId, findings: [found('connection', whyNot(fault))] };
  }
  const all = [found('connection', 'answers'), ...findings];
  return { ok: all.every(({ ok }) => ok !== false), userId, findings: all };
}

/** By Moodle's own name for it, where it gave one. */
function whyNot(fault: AppError): Finding {
  const errorcode = fault instanceof RefusedByMoodle ? fault.errorcode : '';
  if (errorcode === 'invalidtoken') return 'token_refused';
  if (errorcode === 'sitemaintenance') return 'maintenance';
  if (errorcode.startsWith('wsaccessuser')) return 'account_off';
  if (errorcode === 'HTTP 403') return 'services_off';
  return errorcode.startsWith('HTTP 3') ? 'moved' : 'unreachable';
}

async function whoIs({ userId, email = '' }: CheckedPerson, asking: Asking) {
  if (userId !== undefined) return { userId, finding: found('person', 'given') };
  const asked = { field: 'email', values: [email.toLowerCase()] };
  const users = await attempt('core_user_get_users_by_field', asked, asking);
  if ('refusal' in users) return { userId: undefined, finding: refused('person', users.refusal) };
  const same = users.reply.filter(
    (user) => user.email?.toLowerCase() === email.toLowerCase() && user.suspended !== true,
  );
  const [only, ...others] = same;
  if (!only) return { userId: undefined, finding: found('person', 'not_found') };
  if (others.length > 0) return { userId: undefined, finding: found('person', 'several') };
  return { userId: only.id, finding: found('person', 'found') };
}

async function recordsOf(userId: number, person: CheckedPerson, asking: Asking): Promise<MoodleFinding[]> {
  const listed = await attempt('core_enrol_get_users_courses', { userid: userId }, asking);
  const shown = 'reply' in listed ? listed.reply.map(({ id }) => id) : [];
  const keptBack = person.courses.map(({ id }) => id).filter((id) => !shown.includes(id));
  const looked = [...new Set([...shown, ...keptBack])].slice(0, MOST_COURSES);

  const due = await deadlinesOf(userId, asking);
  const assignments = await assignmentsIn(looked, asking);
  const grades = await gradesIn(
    looked,
    { userId, person, due: due.types, graded: assignments.graded },
    asking,
  );
  const courses =
    'refusal' in listed
      ? refused('courses', listed.refusal)
      : courseFinding({ shown, keptBack, areGrouped: grades.areGrouped });
  return [courses, assignments.finding, grades.finding, due.finding];
}

interface ListedCourses {
  readonly shown: readonly number[];
  readonly keptBack: readonly number[];
  /** Moodle said of one of them that it is divided into groups. */
  readonly areGrouped: boolean;
}

function courseFinding({ shown, keptBack, areGrouped }: ListedCourses): MoodleFinding {
  if (shown.length > 0 && keptBack.length === 0) return found('courses', 'shown');
  if (areGrouped || shown.length > 0) return found('courses', 'some_missing');
  return found('courses', keptBack.length > 0 ? 'all_missing' : 'none');
}

async function assignmentsIn(courses: readonly number[], asking: Asking) {
  if (courses.length === 0) return { finding: found('assignments', 'unknown'), graded: [] };
  const wanted = { courseids: courses, includenotenrolledcourses: 1 };
  const listed = await attempt('mod_assign_get_assignments', wanted, asking);
  if ('refusal' in listed) return { finding: refused('assignments', listed.refusal), graded: [] };
  const { courses: shown } = listed.reply;
  const graded = shown
    .filter(({ assignments }) => assignments.some(({ grade }) => (grade ?? 0) !== 0))
    .map(({ id }) => id);
  const hidden = courses.filter((id) => !shown.some((course) => course.id === id)).length;
  return {
    finding: hidden > 0 ? found('assignments', 'hidden') : found('assignments', 'shown'),
    graded,
  };
}

interface GradedWork {
  readonly userId: number;
  readonly person: CheckedPerson;
  /** Types of activity with a date, by course. */
  readonly due: readonly CourseType[];
  /** Courses with assignments that are graded. */
  readonly graded: readonly number[];
}

interface CourseType {
  readonly course: number;
  readonly type: string;
}

/** Moodle leaves out, without a word, what its token's user may not look at: found out by what else is known of it. */
async function gradesIn(courses: readonly number[], work: GradedWork, asking: Asking) {
  const expected: CourseType[] = [
    ...work.due.filter(({ type }) => GRADED.includes(type)),
    ...work.graded.map((course) => ({ course, type: 'assign' })),
    ...work.person.courses
      .filter(({ hasColumn }) => hasColumn)
      .map(({ id }) => ({ course: id, type: 'lti' })),
  ];
  const leftOut = new Set<string>();
  let refusal: RefusedByMoodle | undefined;
  let areGrouped = false;
  for (const course of courses) {
    const wanted = { courseid: course, userid: work.userId };
    const listed = await attempt('gradereport_user_get_grade_items', wanted, asking);
    if ('refusal' in listed) {
      refusal = listed.refusal;
      areGrouped ||= refusal.errorcode === 'notingroup';
      continue;
    }
    const types = listed.reply.usergrades.flatMap(({ gradeitems }) =>
      gradeitems.map((item) => item.itemmodule),
    );
    for (const { type } of expected.filter((one) => one.course === course))
      if (!types.includes(type)) leftOut.add(type);
  }
  return { finding: gradeFinding(courses, refusal, [...leftOut]), areGrouped };
}

function gradeFinding(
  courses: readonly number[],
  refusal: RefusedByMoodle | undefined,
  leftOut: readonly string[],
): MoodleFinding {
  if (courses.length === 0) return found('grades', 'unknown');
  if (refusal) return refused('grades', refusal);
  if (leftOut.length === 0) return found('grades', 'shown');
  return found('grades', 'left_out', { missing: leftOut.map((type) => `mod/${type}:view`) });
}

async function deadlinesOf(userId: number, asking: Asking) {
  const wanted = { timesortfrom: Math.floor(Date.now() / 1000), limitnum: 50, userid: userId };
  const listed = await attempt('core_calendar_get_action_events_by_timesort', wanted, asking);
  if ('refusal' in listed) return { finding: refused('deadlines', listed.refusal), types: [] };
  const types = listed.reply.events.flatMap(({ modulename, course }) =>
    modulename && course ? [{ course: course.id, type: modulename }] : [],
  );
  return { finding: found('deadlines', 'shown'), types };
}

type Attempt<F extends ReadFunction> = { readonly reply: Reply<F> } | { readonly refusal: RefusedByMoodle };

async function attempt<F extends ReadFunction>(
  name: F,
  parameters: Parameters<CallMoodle>[1],
  { call, signal }: Asking,
): Promise<Attempt<F>> {
  try {
    return { reply: await call(name, parameters, signal) };
  } catch (fault) {
    if (fault instanceof RefusedByMoodle && LACKING.has(fault.errorcode)) return { refusal: fault };
    throw fault;
  }
}

function refused(part: CheckedPart, { errorcode }: RefusedByMoodle): MoodleFinding {
  if (errorcode === 'notingroup') return found(part, 'separate_groups');
  return found(part, errorcode === 'accessexception' ? 'not_in_service' : 'refused');
}
