import { z } from 'zod';

/** Who is at the platform's school, what is taught there, and which tools it has. Ids are the platform's own. */

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly given: string;
  readonly family: string;
  readonly email: string;
  readonly idnumber: string;
  /** A tutor is a teacher who may not edit: who is asked for the roster, and who launches, is told differently. */
  readonly role: 'student' | 'teacher' | 'tutor' | 'admin';
  readonly courses: readonly number[];
}

export interface Course {
  readonly id: number;
  readonly label: string;
  readonly title: string;
  readonly idnumber: string;
}

/** The first id is 2, as in Moodle, where 1 is the site itself. */
export const COURSES: readonly Course[] = [
  { id: 2, label: 'BIO101', title: 'Biology 101', idnumber: 'SIS-BIO101' },
  { id: 3, label: 'PHY201', title: 'Physics 201', idnumber: '' },
];

const BOTH = [2, 3];
const BIOLOGY = [2];

const ROWS = [
  [2, 'admin', 'Ada Admin', BOTH],
  [3, 'teacher1', 'Tess Teacher', BOTH],
  [4, 'student1', 'Sam Student', BOTH],
  [5, 'student2', 'Sofia Student', BOTH],
  [6, 'student3', 'Soren Student', BIOLOGY],
  [7, 'student4', 'Sunniva Student', BIOLOGY],
  [8, 'student5', 'Siobhan Student', BIOLOGY],
  [9, 'student6', 'Salvador Student', BIOLOGY],
  [10, 'teacher2', 'Tomeu Teacher', BIOLOGY],
  [11, 'outsider', 'Olga Outsider', []],
  // Whoever takes a name for markup is found out.
  [12, 'tricky', '<b>Bo</b> O\'Hara"><i>', [3]],
  [13, 'tutor1', 'Tove Tutor', BIOLOGY],
] as const;

export const PEOPLE: readonly Person[] = ROWS.map(([id, username, name, courses]) => {
  const [given = '', family = ''] = name.split(' ');
  const role =
    (['teacher', 'tutor', 'admin'] as const).find((duty) => username.startsWith(duty)) ?? 'student';
  const idnumber = role === 'student' ? `S-${String(id - 3).padStart(3, '0')}` : '';
  return { id, username, given, family, email: `${username}@example.test`, idnumber, role, courses };
});

export const personCalled = (username: string): Person => {
  const found = PEOPLE.find((each) => each.username === username);
  if (!found) throw new Error(`Nobody at the school is called ${username}`);
  return found;
};

export const courseOf = (id: number): Course => {
  const found = COURSES.find((each) => each.id === id);
  if (!found) throw new Error(`There is no course ${String(id)}`);
  return found;
};

/** A tool as the site's administrator has set it up. Moodle calls it a type; its id is the deployment's. */
export const ToolTraits = z.object({
  version: z.enum(['1.3', '1.1']).default('1.3'),
  name: z.string().default('Bellwether'),
  /** Where a launch of it goes unless the activity says otherwise. */
  launchUrl: z.string(),
  loginUrl: z.string().default(''),
  redirectUris: z.array(z.string()).default([]),
  contentUrl: z.string().default(''),
  jwksUrl: z.string().default(''),
  clientId: z.string().optional(),
  /** What it says it is, when that is not its own address. */
  issuer: z.string().optional(),
  consumerKey: z.string().default(''),
  secret: z.string().default(''),
  /** `minimum`: no names, no custom values, no roster, no column of the link. */
  privacy: z.enum(['full', 'minimum']).default('full'),
  container: z.enum(['iframe', 'window']).default('iframe'),
  custom: z.record(z.string(), z.string()).default({}),
  grades: z.boolean().default(true),
  roster: z.boolean().default(true),
  /** A picture that browsers load from the tool's own site. */
  icon: z.string().default(''),
  /** In every course's activity chooser, or only as something that is set up. */
  coursevisible: z.union([z.literal(1), z.literal(2)]).default(2),
  /** `always`: every activity gets a column of 100 points, also one that was placed without. */
  acceptGrades: z.enum(['always', 'specified']).default('specified'),
});
export type ToolTraits = z.input<typeof ToolTraits>;

export type Tool = z.output<typeof ToolTraits> & { readonly id: number; readonly clientId: string };

export const ActivityTraits = z.object({
  tool: z.number(),
  course: z.number().default(2),
  title: z.string().default('AI tutor'),
  description: z.string().default(''),
  /** Where it launches to, when not where its tool does. */
  url: z.string().optional(),
  container: z.enum(['iframe', 'window']).optional(),
  custom: z.record(z.string(), z.string()).default({}),
  /** The best grade; none makes it an activity without a grade. */
  grade: z.number().nullable().default(100),
  resourceId: z.string().default(''),
  tag: z.string().default(''),
});
export type ActivityTraits = z.input<typeof ActivityTraits>;

/** A resource link: `id` is the link's, `cmid` what pages of the platform call it, `lineItem` its grade column. */
export type Activity = z.output<typeof ActivityTraits> & {
  readonly id: number;
  readonly cmid: number;
  readonly lineItem: number | null;
};
