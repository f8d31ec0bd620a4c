import { type Course, type CourseFile, DUE, type School, type Student, TOKEN_USER } from './moodle-school.js';

/** Form fields without what every call has. */
export type Fields = Readonly<Record<string, string>>;

/** Thrown as Moodle throws: the reply is still HTTP 200. */
export const moodleFault = (errorcode: string, exception: string, message: string) => ({
  exception,
  errorcode,
  message,
});

export const FAULTS = {
  token: moodleFault('invalidtoken', 'core\\exception\\moodle_exception', 'Invalid token - token not found'),
  parameter: moodleFault(
    'invalidparameter',
    'core\\exception\\invalid_parameter_exception',
    'Invalid parameter value detected',
  ),
  access: moodleFault('accessexception', 'webservice_access_exception', 'Access control exception'),
  record: moodleFault('invalidrecord', 'dml_missing_record_exception', "Can't find data record in database."),
  group: moodleFault('notingroup', 'core\\exception\\moodle_exception', 'Not in a group'),
  permission: moodleFault('nopermission', 'core\\exception\\moodle_exception', 'No permission'),
};

interface Asked {
  readonly school: School;
  /** Its own address. */
  readonly site: string;
  readonly fields: Fields;
  /** Capabilities that the token's user lacks. */
  readonly lacks: readonly string[];
}

interface WebFunction {
  readonly fields: RegExp;
  answer(asked: Asked): unknown;
}

/** A site's token reads everybody: whoever is asked about is told of. */
export const FUNCTIONS: Readonly<Record<string, WebFunction>> = {
  core_user_get_users_by_field: {
    fields: /^(field|values\[\d+\])$/,
    answer: ({ school, fields, lacks }) => {
      if (fields['field'] !== 'email') return FAULTS.parameter;
      if (lacks.includes('moodle/site:viewuseridentity')) return [];
      const wanted = valuesOf(fields, 'values').map((value) => value.toLowerCase());
      return school.students.filter(({ email }) => wanted.includes(email.toLowerCase())).map(userReply);
    },
  },
  core_enrol_get_users_courses: {
    fields: /^(userid|returnusercount)$/,
    answer: usersCourses,
  },
  gradereport_user_get_grade_items: {
    fields: /^(courseid|userid|groupid)$/,
    answer: gradeItems,
  },
  mod_assign_get_assignments: {
    fields: /^(courseids\[\d+\]|capabilities\[\d+\]|includenotenrolledcourses)$/,
    answer: assignments,
  },
  core_calendar_get_action_events_by_timesort: {
    fields: /^(timesortfrom|timesortto|aftereventid|limitnum|limittononsuspendedevents|userid)$/,
    answer: actionEvents,
  },
  core_course_get_contents: {
    fields: /^(courseid|options\[\d+\]\[(name|value)\])$/,
    answer: courseContents,
  },
};

const FILES = '/webservice/pluginfile.php';

function courseContents({ school, fields, site }: Asked): unknown {
  const contents = school.contents.get(Number(fields['courseid']));
  if (!contents) return FAULTS.record;
  return contents.sections.map(({ more, modules }, n) => ({
    ...{ id: n + 1, name: `Topic ${String(n)}`, section: n, summary: '', visible: 1, uservisible: true },
    ...more,
    modules: modules.map(({ files, more: ofModule, ...module }) => ({
      ...{ ...module, instance: 1, visible: 1, uservisible: true, visibleoncoursepage: 1 },
      url: `${site}/mod/${module.modname}/view.php?id=${String(module.id)}`,
      ...ofModule,
      contents: files.map(({ filename, text, timemodified = 1_700_000_000, more: ofFile }) => ({
        ...{ type: 'file', filename, filepath: '/', filesize: text.length, timemodified, author: null },
        fileurl: `${site}${FILES}/${String(module.id)}/mod_${module.modname}/content/${encodeURIComponent(filename)}?forcedownload=1`,
        ...ofFile,
      })),
    })),
  }));
}

/** What `webservice/pluginfile.php` hands out. */
export function courseFile({ contents }: School, path: string): CourseFile | undefined {
  const [, module = '', name = ''] = /pluginfile\.php\/(\d+)\/[^/]+\/content\/(.+)$/.exec(path) ?? [];
  return [...contents.values()]
    .flatMap(({ sections }) => sections.flatMap(({ modules }) => modules))
    .find(({ id }) => String(id) === module)
    ?.files.find(({ filename }) => filename === decodeURIComponent(name));
}

/** Known to Moodle, and in no service of ours. */
export const FOREIGN = ['core_user_update_users', 'core_grades_update_grades', 'core_user_get_users'];

/** Whose profile the token's user may not see, their courses are left out one by one, without a word. */
function usersCourses({ school, fields, lacks }: Asked): unknown {
  const person = school.students.find(({ id }) => String(id) === fields['userid']);
  if (fields['userid'] === undefined) return FAULTS.parameter;
  const isSeen =
    person?.teaches === true || person?.id === TOKEN_USER.id || !lacks.includes('moodle/user:viewdetails');
  const isShown = (course: Course) =>
    isSeen && person?.courses.includes(course.id) && !isKeptApart(course, lacks);
  return school.courses.filter(isShown).map(courseReply);
}

const isKeptApart = ({ separateGroups = false }: Course, lacks: readonly string[]) =>
  separateGroups && lacks.includes('moodle/site:accessallgroups');

function gradeItems({ school, fields, lacks }: Asked): unknown {
  const course = school.courses.find(({ id }) => String(id) === fields['courseid']);
  if (!course) return FAULTS.record;
  if (isKeptApart(course, lacks)) return FAULTS.group;
  const everybody = school.students.filter(({ courses }) => courses.includes(course.id)).map(({ id }) => id);
  // Somebody who is not enrolled is answered for all the same.
  const wanted = fields['userid'] === undefined ? everybody : [Number(fields['userid'])];
  return {
    usergrades: wanted.map((userid) => ({
      courseid: course.id,
      userid,
      userfullname: 'Somebody',
      gradeitems: school.grades
        .filter((grade) => grade.courseid === course.id && grade.userid === userid)
        // What the token's user may not look at is left out, without a word.
        .filter(({ itemmodule }) => itemmodule === undefined || !lacks.includes(`mod/${itemmodule}:view`))
        .map(
          ({
            itemname,
            itemtype = 'mod',
            itemmodule,
            cmid,
            graderaw,
            feedback = '',
            gradeishidden = false,
          }) => ({
            ...{ itemname, itemtype, itemmodule, cmid, graderaw, feedback, gradeishidden, grademax: 100 },
            gradeformatted: graderaw === null ? '-' : graderaw.toFixed(2),
            percentageformatted: graderaw === null ? '-' : `${graderaw.toFixed(2)} %`,
            rangeformatted: '0&ndash;100',
          }),
        ),
    })),
    warnings: [],
  };
}

function assignments({ school, fields, lacks }: Asked): unknown {
  const wanted = valuesOf(fields, 'courseids');
  const isShown = ({ id }: Course) =>
    fields['includenotenrolledcourses'] === '1' && !lacks.includes('moodle/course:view')
      ? wanted.includes(String(id))
      : wanted.includes(String(id)) && TOKEN_USER.courses.includes(id);
  const shown = school.courses.filter(isShown);
  const missing = wanted.filter((id) => !shown.some((course) => String(course.id) === id));
  return {
    courses: shown.map((course) => ({
      ...{ id: course.id, fullname: course.fullname, shortname: course.shortname },
      assignments: (course.assignments ?? []).map(({ cmid, name, intro = '' }) => ({
        ...{ id: cmid + 100, cmid, course: course.id, name, intro, grade: 100 },
        ...{ duedate: DUE, cutoffdate: 0 },
      })),
    })),
    warnings: missing.map((id) => ({
      item: 'course',
      itemid: Number(id),
      warningcode: '2',
      message: 'No access',
    })),
  };
}

function actionEvents({ school, fields, lacks }: Asked): unknown {
  const limit = Number(fields['limitnum'] ?? 20);
  if (!(limit >= 1 && limit <= 50)) return FAULTS.parameter;
  const userid = Number(fields['userid'] ?? TOKEN_USER.id);
  if (userid !== TOKEN_USER.id && lacks.includes('moodle/calendar:manageentries')) return FAULTS.permission;
  const found = school.events.filter((event) => event.userid === userid);
  return {
    events: found.map(({ courseid, cmid, name, modulename = 'assign', overdue = false }, i) => ({
      ...{
        id: i + 1,
        name,
        modulename,
        instance: cmid,
        eventtype: 'due',
        timesort: DUE + i,
        overdue,
      },
      course: {
        ...{ id: courseid, fullname: school.courses.find(({ id }) => id === courseid)?.fullname ?? 'Gone' },
        courseimage: `data:image/svg+xml;base64,${'A'.repeat(20_000)}`,
      },
    })),
    firstid: 1,
    lastid: found.length,
  };
}

const userReply = ({ id, email, suspended = false }: Student) => ({
  ...{ id, email, suspended, username: `user${String(id)}`, fullname: 'Somebody', auth: 'manual' },
});

const courseReply = ({ id, shortname, fullname, summary = '' }: Course) => ({
  ...{ id, shortname, fullname, summary, visible: 1, format: 'topics', progress: null, completed: null },
  ...{ enrolledusercount: 3, idnumber: '', startdate: DUE, enddate: 0 },
});

const valuesOf = (fields: Fields, name: string): string[] =>
  Object.entries(fields)
    .filter(([key]) => key.startsWith(`${name}[`))
    .map(([, value]) => value);
