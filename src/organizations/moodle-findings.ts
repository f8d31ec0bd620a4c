import type { ReadFunction } from '../clients/moodle/replies.js';

/** What was asked of Moodle, in the order in which it is told. */
export type CheckedPart = 'connection' | 'person' | 'courses' | 'assignments' | 'grades' | 'deadlines';

export type Finding = keyof typeof WORDS;

export interface MoodleFinding {
  readonly name: CheckedPart;
  /** Null where it could not be told. */
  readonly ok: boolean | null;
  readonly finding: Finding;
  /** Capabilities that the token's user seems to lack, the likeliest first. */
  readonly missing: readonly string[];
  /** The function of Moodle's web services that tells it. */
  readonly function: ReadFunction | null;
  readonly message: string;
}

const GOOD: readonly Finding[] = ['answers', 'given', 'found', 'shown'];

const FUNCTIONS: Readonly<Record<CheckedPart, ReadFunction | null>> = {
  connection: null,
  person: 'core_user_get_users_by_field',
  courses: 'core_enrol_get_users_courses',
  assignments: 'mod_assign_get_assignments',
  grades: 'gradereport_user_get_grade_items',
  deadlines: 'core_calendar_get_action_events_by_timesort',
};

const GROUPS = 'moodle/site:accessallgroups';
/** What a plain refusal of each part means. */
const NEEDED: Readonly<Record<CheckedPart, readonly string[]>> = {
  connection: [],
  person: ['moodle/user:viewdetails', 'moodle/site:viewuseridentity'],
  courses: ['moodle/course:view', 'moodle/course:viewparticipants', 'moodle/user:viewdetails'],
  assignments: ['moodle/course:view', 'mod/assign:view'],
  grades: ['moodle/grade:viewall', 'gradereport/user:view', 'moodle/course:view'],
  deadlines: ['moodle/calendar:manageentries'],
};

/** What seems to be missing when something is not shown, though nothing was refused. */
const MISSING: Readonly<Partial<Record<Finding, readonly string[]>>> = {
  not_found: ['moodle/site:viewuseridentity', 'moodle/user:viewdetails'],
  none: ['moodle/user:viewdetails', 'moodle/course:viewparticipants', GROUPS],
  all_missing: ['moodle/user:viewdetails', 'moodle/course:viewparticipants', GROUPS],
  some_missing: [GROUPS],
  separate_groups: [GROUPS],
};

interface Details {
  readonly missing?: readonly string[];
}

export function found(name: CheckedPart, finding: Finding, details: Details = {}): MoodleFinding {
  const isRefusal = finding === 'refused' || finding === 'hidden';
  const missing = details.missing ?? MISSING[finding] ?? (isRefusal ? NEEDED[name] : []);
  return {
    ...{ name, finding, missing, function: FUNCTIONS[name] },
    ok: finding === 'unknown' ? null : GOOD.includes(finding),
    message: [WORDS[finding], ...lackOf(missing)].join(' '),
  };
}

function lackOf(missing: readonly string[]): readonly string[] {
  if (missing.length === 0) return [];
  return [`The token's user seems to lack: ${missing.join(', ')}.`];
}

const WORDS = {
  answers: 'Moodle answers and takes the token.',
  unreachable: 'Moodle could not be reached at this address, or gave an unusable answer.',
  token_refused: 'Moodle does not accept the token: it is wrong, was deleted or has expired.',
  account_off: "The account of the token's user in Moodle is suspended, expired or gone.",
  services_off: 'Web services or the REST protocol are switched off in Moodle.',
  moved: 'The address answers with a redirect, which is not followed: set the address it leads to.',
  maintenance: 'Moodle is in maintenance mode.',
  given: 'Moodle is asked about this person by their number.',
  found: 'Moodle shows one account of this e-mail address.',
  not_found: 'Moodle shows nobody of this e-mail address. Check it first.',
  several: 'Moodle shows several accounts of this e-mail address: they cannot be told apart.',
  shown: 'Moodle shows them.',
  none: 'Moodle shows no course of this person. If they are in one, it is kept back.',
  all_missing: 'Moodle shows no course of this person, though they have come from one.',
  some_missing: 'Moodle keeps back a course that this person has come from.',
  hidden: 'Moodle does not show what is in some of the courses.',
  left_out: 'Moodle leaves out the grades of some types of activity.',
  separate_groups: 'A course has separate groups, and the token’s user is in none of them.',
  refused: 'Moodle refuses.',
  not_in_service:
    "The function is not in the token's service, or its user lacks webservice/rest:use, or its address is not allowed.",
  unknown: 'This cannot be told without a course.',
} as const;
