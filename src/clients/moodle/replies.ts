import { z } from 'zod';

/** What of Moodle's replies is read. Everything else in them, pictures and addresses among it, is dropped here. */

const Id = z.number().int().positive();
/** As far as a date reaches. */
const Moment = z.number().int().nonnegative().max(8_640_000_000_000);
const Seconds = Moment.nullish();
const Text = z.string().nullish();

const Users = z.array(z.object({ id: Id, email: z.string().optional(), suspended: z.boolean().nullish() }));

const Courses = z.array(
  z.object({
    id: Id,
    shortname: z.string(),
    fullname: z.string(),
    summary: Text,
    startdate: Seconds,
    enddate: Seconds,
  }),
);

const GradeItem = z.object({
  itemname: Text,
  itemtype: z.string(),
  /** The type of the activity, of an item that belongs to one. */
  itemmodule: Text,
  graderaw: z.number().nullish(),
  gradeformatted: Text,
  grademax: z.number().nullish(),
  percentageformatted: Text,
  feedback: Text,
  gradeishidden: z.boolean().nullish(),
});
const Grades = z.object({ usergrades: z.array(z.object({ userid: Id, gradeitems: z.array(GradeItem) })) });

const Assignments = z.object({
  courses: z.array(
    z.object({
      id: Id,
      assignments: z.array(
        z.object({
          cmid: Id,
          name: z.string(),
          intro: Text,
          duedate: Seconds,
          cutoffdate: Seconds,
          grade: z.number().nullish().catch(undefined),
        }),
      ),
    }),
  ),
});

const Events = z.object({
  events: z.array(
    z.object({
      name: z.string(),
      modulename: Text,
      /** The course module here, not the instance within the module. */
      instance: z.number().nullish(),
      timesort: Moment,
      overdue: z.boolean().nullish(),
      course: z.object({ id: Id, fullname: z.string() }).nullish(),
    }),
  ),
});

const Visibility = {
  visible: z.number().nullish(),
  uservisible: z.boolean().nullish(),
  /** JSON, for those who may change it; its words for everybody whom it concerns. */
  availability: Text,
  availabilityinfo: Text,
};
const CourseFile = z.object({
  type: z.string(),
  filename: z.string(),
  filepath: Text,
  filesize: z.number().nullish(),
  fileurl: Text,
  timemodified: Seconds,
  /** Of a book's chapter: its title. */
  content: Text,
});
const Module = z.object({
  id: Id,
  name: z.string(),
  modname: z.string(),
  url: Text,
  ...Visibility,
  contents: z.array(CourseFile).nullish(),
});
const Section = z.object({ ...Visibility, modules: z.array(Module) });
export type CourseModule = z.output<typeof Module>;
export type CourseSection = z.output<typeof Section>;

/** The functions that may be called at all: they read, and their replies are understood. */
export const REPLIES = {
  core_user_get_users_by_field: Users,
  core_enrol_get_users_courses: Courses,
  gradereport_user_get_grade_items: Grades,
  mod_assign_get_assignments: Assignments,
  core_calendar_get_action_events_by_timesort: Events,
  core_course_get_contents: z.array(Section),
} as const;

export type ReadFunction = keyof typeof REPLIES;
export type Reply<F extends ReadFunction> = z.output<(typeof REPLIES)[F]>;
