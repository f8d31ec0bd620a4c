/** A Moodle site as one run may read it: for the person it serves, and for nobody else. */
export interface Moodle {
  /** Who that person is there. Throws a refusal when nobody vouches for it: there is no default. */
  userId(): Promise<number>;
  /** What is theirs. Any id but that of `userId` is refused before Moodle is asked, whoever wants it. */
  recordsOf(userId: number, signal: AbortSignal): Promise<MoodleRecords>;
}

/** Without a course: of all their courses. A course that is not theirs is refused, whether it exists or not. */
export interface MoodleRecords {
  courses(): Promise<readonly MoodleCourse[]>;
  /** The course that the person came here from, when it is not among these: Moodle keeps it back, without a word. */
  keptBack(shown: readonly Pick<MoodleCourse, 'id'>[]): Promise<LaunchedCourse | undefined>;
  assignments(courseId?: number): Promise<readonly CourseAssignments[]>;
  grades(courseId?: number): Promise<readonly CourseGrades[]>;
  /** Soonest first. */
  deadlines(courseId?: number): Promise<readonly MoodleDeadline[]>;
}

/** As the platform's launch named it. */
export interface LaunchedCourse {
  readonly id: number;
  /** Empty where the platform did not say. */
  readonly name: string;
}

/** Names are one line; texts are plain, without markup, and cut to a readable length. Times are seconds since 1970. */
export interface MoodleCourse {
  readonly id: number;
  readonly name: string;
  readonly shortName: string;
  readonly summary: string;
  readonly url: string;
  readonly startsAt: number | undefined;
  readonly endsAt: number | undefined;
}

export interface CourseAssignments {
  readonly course: MoodleCourse;
  /** False when Moodle did not show this course's assignments: there may be some. */
  readonly shown: boolean;
  readonly assignments: readonly MoodleAssignment[];
}

export interface MoodleAssignment {
  readonly name: string;
  readonly text: string;
  readonly url: string;
  readonly dueAt: number | undefined;
  readonly closesAt: number | undefined;
}

export interface CourseGrades {
  readonly course: MoodleCourse;
  readonly grades: readonly MoodleGrade[];
}

export interface MoodleGrade {
  readonly name: string;
  /** As Moodle words it; undefined when there is none yet, or none that the person may see. */
  readonly grade: string | undefined;
  readonly best: number | undefined;
  readonly percentage: string | undefined;
  readonly feedback: string;
}

export interface MoodleDeadline {
  readonly name: string;
  readonly courseName: string | undefined;
  readonly url: string | undefined;
  readonly dueAt: number;
  readonly overdue: boolean;
}

export interface MoodleSettings {
  /** Without a slash at its end, and without the web service's own path. */
  readonly siteUrl: string;
  /** Opened when read, which throws when it cannot be. */
  readonly token: string;
  /** Whether a verified e-mail is enough to know who somebody is in Moodle. */
  readonly matchByEmail: boolean;
}

/** Nothing follows from what is not shown: whoever is asked must not say that there is nothing. */
export function courseKeptBack({ id, name }: LaunchedCourse): string {
  const course = [...(name === '' ? [] : [`**${name}**`]), `(course_id ${String(id)})`].join(' ');
  return [
    `Moodle did not show the course that this was opened from, ${course}, so nothing is known of it here;`,
    'it does not follow that there is nothing in it. Probably the account of this service in Moodle lacks a permission.',
    'Say so, and that a teacher can tell an administrator, who can have it checked.',
  ].join(' ');
}

const SERVICE_PATH = '/webservice/rest/server.php';

/** A site's address in its one spelling, given as its root or as its web service; undefined when it is none. */
export function moodleSite(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, origin, pathname } = new URL(address);
  if (!/^https?:$/.test(protocol)) return undefined;
  const path = pathname.endsWith(SERVICE_PATH) ? pathname.slice(0, -SERVICE_PATH.length) : pathname;
  return origin + path.replace(/\/+$/, '');
}

export const moodleServiceUrl = (siteUrl: string): string => siteUrl + SERVICE_PATH;
