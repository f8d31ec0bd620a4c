import { plainText, safeLabel } from '../../core/base/text.js';
import {
  type CourseAssignments,
  type CourseGrades,
  courseKeptBack,
  type LaunchedCourse,
  type MoodleCourse,
  type MoodleDeadline,
  type MoodleGrade,
  type MoodleRecords,
} from '../../core/clients/moodle.js';
import { forbidden } from '../../core/errors.js';
import type { CallMoodle } from './client.js';
import type { Reply } from './replies.js';

interface Site {
  readonly siteUrl: string;
  readonly call: CallMoodle;
  readonly signal: AbortSignal;
  /** The course that a launch of this very site named. */
  readonly launched?: Launched | undefined;
}

export interface Launched {
  readonly courseId: number;
  /** Its name, once it is found not to be shown; noted for those who can do something about it. */
  keptBack(): Promise<string>;
}

const LONGEST_TEXT = 600;
/** Things that are overdue stay on the list for a while. */
const LOOK_BACK_SECONDS = 14 * 24 * 3600;
/** The most that Moodle gives at once. */
const MOST_EVENTS = 50;

/** What one person may see. Everything starts from their own courses: the site's token could read all of them. */
export function recordsOf(userId: number, site: Site): MoodleRecords {
  const courses = () => coursesOf(userId, site);
  const keptBack: MoodleRecords['keptBack'] = (shown) => keptBackFrom(shown, site);
  /** The same words for a course that does not exist. */
  const own = async (courseId: number | undefined): Promise<readonly MoodleCourse[]> => {
    const shown = await courses();
    if (courseId === undefined) return shown;
    const chosen = shown.filter(({ id }) => id === courseId);
    if (chosen.length > 0) return chosen;
    const launched = courseId === site.launched?.courseId ? await keptBack(shown) : undefined;
    throw forbidden(
      launched ? courseKeptBack(launched) : `Course ${String(courseId)} is not one of your courses.`,
    );
  };
  return {
    courses,
    keptBack,
    assignments: async (courseId) => assignmentsIn(await own(courseId), site),
    grades: async (courseId) => {
      const chosen = await own(courseId);
      return await Promise.all(chosen.map((course) => gradesIn(course, userId, site)));
    },
    deadlines: async (courseId) => {
      if (courseId !== undefined) await own(courseId);
      return await deadlinesOf(userId, courseId, site);
    },
  };
}

async function keptBackFrom(
  shown: readonly Pick<MoodleCourse, 'id'>[],
  { launched }: Site,
): Promise<LaunchedCourse | undefined> {
  if (!launched || shown.some(({ id }) => id === launched.courseId)) return undefined;
  return { id: launched.courseId, name: safeLabel(plainText(await launched.keptBack(), LONGEST_TEXT)) };
}

async function coursesOf(userId: number, { siteUrl, call, signal }: Site): Promise<readonly MoodleCourse[]> {
  const courses = await call('core_enrol_get_users_courses', { userid: userId }, signal);
  return courses.map(({ id, shortname, fullname, summary, startdate, enddate }) => ({
    id,
    name: safeLabel(plainText(fullname, LONGEST_TEXT)),
    shortName: safeLabel(plainText(shortname, LONGEST_TEXT)),
    summary: plainText(summary ?? '', LONGEST_TEXT),
    url: `${siteUrl}/course/view.php?id=${String(id)}`,
    startsAt: momentIn(startdate),
    endsAt: momentIn(enddate),
  }));
}

async function assignmentsIn(
  courses: readonly MoodleCourse[],
  { siteUrl, call, signal }: Site,
): Promise<readonly CourseAssignments[]> {
  if (courses.length === 0) return [];
  // Without the last one, courses that the token's user is not enrolled in would be left out.
  const wanted = { courseids: courses.map(({ id }) => id), includenotenrolledcourses: 1 };
  const found = new Map(
    (await call('mod_assign_get_assignments', wanted, signal)).courses.map((course) => [course.id, course]),
  );
  return courses.map((course) => ({
    course,
    shown: found.has(course.id),
    assignments: (found.get(course.id)?.assignments ?? []).map(
      ({ cmid, name, intro, duedate, cutoffdate }) => ({
        name: safeLabel(plainText(name, LONGEST_TEXT)),
        text: plainText(intro ?? '', LONGEST_TEXT),
        url: activityUrl(siteUrl, 'assign', cmid),
        dueAt: momentIn(duedate),
        closesAt: momentIn(cutoffdate),
      }),
    ),
  }));
}

/** Both are always named: without a user Moodle would tell of everybody. */
async function gradesIn(course: MoodleCourse, userId: number, { call, signal }: Site): Promise<CourseGrades> {
  const wanted = { courseid: course.id, userid: userId };
  const { usergrades } = await call('gradereport_user_get_grade_items', wanted, signal);
  const items = usergrades.filter(({ userid }) => userid === userId).flatMap(({ gradeitems }) => gradeitems);
  return { course, grades: visibleGrades(items) };
}

/** The user is always named: without one Moodle would tell of the token's own. */
async function deadlinesOf(
  userId: number,
  courseId: number | undefined,
  { siteUrl, call, signal }: Site,
): Promise<readonly MoodleDeadline[]> {
  const timesortfrom = Math.floor(Date.now() / 1000) - LOOK_BACK_SECONDS;
  const wanted = { timesortfrom, limitnum: MOST_EVENTS, userid: userId };
  const { events } = await call('core_calendar_get_action_events_by_timesort', wanted, signal);
  return events
    .filter(({ course }) => courseId === undefined || course?.id === courseId)
    .map((event) => deadlineOf(event, siteUrl))
    .sort((a, b) => a.dueAt - b.dueAt);
}

type Event = Reply<'core_calendar_get_action_events_by_timesort'>['events'][number];

function deadlineOf(
  { name, modulename, instance, timesort, overdue, course }: Event,
  siteUrl: string,
): MoodleDeadline {
  return {
    name: safeLabel(plainText(name, LONGEST_TEXT)),
    courseName: course ? safeLabel(plainText(course.fullname, LONGEST_TEXT)) : undefined,
    url: modulename && instance ? activityUrl(siteUrl, modulename, instance) : undefined,
    dueAt: timesort,
    overdue: overdue === true,
  };
}

/** Made here: an address that Moodle sends may lead anywhere. */
function activityUrl(siteUrl: string, module: string, courseModule: number): string {
  return `${siteUrl}/mod/${encodeURIComponent(module)}/view.php?id=${String(courseModule)}`;
}

/** Moodle says 0 for no time. */
function momentIn(seconds: number | null | undefined): number | undefined {
  return seconds === null || seconds === undefined || seconds <= 0 ? undefined : seconds;
}

type GradeItem = Reply<'gradereport_user_get_grade_items'>['usergrades'][number]['gradeitems'][number];

const LONGEST_NAME = 600;
const LONGEST_FEEDBACK = 2_000;

/**
 * What the person sees in their own report. The site's token may see more: a grade that is hidden from them is left
 * out, and so are totals that would give it away.
 */
function visibleGrades(items: readonly GradeItem[]): readonly MoodleGrade[] {
  const someHidden = items.some(isHidden);
  return items.filter((item) => !isHidden(item) && !(someHidden && isTotal(item))).map(gradeOf);
}

const isHidden = ({ gradeishidden }: GradeItem) => gradeishidden === true;
const isTotal = ({ itemtype }: GradeItem) => itemtype === 'course' || itemtype === 'category';

function gradeOf(item: GradeItem): MoodleGrade {
  const { itemname, itemtype, graderaw, gradeformatted, grademax, percentageformatted, feedback } = item;
  const isGraded = graderaw !== null && graderaw !== undefined;
  const name = safeLabel(plainText(itemname ?? '', LONGEST_NAME));
  const unnamed = itemtype === 'course' ? 'Course total' : 'Unnamed';
  return {
    name: name === '' ? unnamed : name,
    grade: isGraded ? safeLabel(plainText(gradeformatted ?? String(graderaw), LONGEST_NAME)) : undefined,
    best: grademax ?? undefined,
    percentage: isGraded ? safeLabel(plainText(percentageformatted ?? '', LONGEST_NAME)) : undefined,
    feedback: plainText(feedback ?? '', LONGEST_FEEDBACK),
  };
}
