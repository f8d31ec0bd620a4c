/** What the fake Moodle knows. Ids are Moodle's own and the same for everybody who asks. */

export interface Student {
  readonly id: number;
  readonly email: string;
  readonly courses: readonly number[];
  readonly suspended?: boolean;
  /** Somebody whom every visitor of a course sees as its contact. */
  readonly teaches?: boolean;
}

export interface Course {
  readonly id: number;
  readonly shortname: string;
  readonly fullname: string;
  readonly summary?: string;
  /** Forced separate groups: who is in none sees nobody there. */
  readonly separateGroups?: boolean;
  readonly assignments?: readonly { readonly cmid: number; readonly name: string; readonly intro?: string }[];
}

/** A section of a course with what can be read in it; what else Moodle says of each goes into `more`. */
export interface CourseContents {
  readonly sections: readonly {
    readonly more?: object;
    readonly modules: readonly {
      readonly id: number;
      readonly name: string;
      readonly modname: string;
      readonly more?: object;
      readonly files: readonly CourseFile[];
    }[];
  }[];
}

export interface CourseFile {
  readonly filename: string;
  readonly text: string;
  readonly timemodified?: number;
  /** What answers instead of the file. */
  readonly fault?: 'refused' | 'redirect' | 'missing';
  readonly more?: object;
}

export interface Grade {
  readonly userid: number;
  readonly courseid: number;
  readonly itemname: string | null;
  readonly itemtype?: string;
  /** The type of the activity, of an item that belongs to one. */
  readonly itemmodule?: string;
  readonly cmid?: number;
  readonly graderaw: number | null;
  readonly feedback?: string;
  readonly gradeishidden?: boolean;
}

export interface Event {
  readonly userid: number;
  readonly courseid: number;
  readonly cmid: number;
  readonly name: string;
  readonly modulename?: string;
  readonly overdue?: boolean;
}

export interface School {
  readonly students: readonly Student[];
  readonly courses: readonly Course[];
  readonly grades: readonly Grade[];
  readonly events: readonly Event[];
  readonly contents: ReadonlyMap<number, CourseContents>;
}

/** Friday the 1st of January 2100, midnight UTC. */
export const DUE = 4_102_444_800;

/** The account that the tokens belong to: nobody's data must ever be its. */
export const TOKEN_USER: Student = { id: 3, email: 'wsuser@moodle.test', courses: [902] };

/** Somebody whom nobody who chats may ever ask about. */
export const VICTIM: Student = { id: 5, email: 'victim@moodle.test', courses: [901] };

export const SCHOOL: School = {
  contents: new Map(),
  students: [TOKEN_USER, VICTIM, { id: 6, email: 'other@moodle.test', courses: [901] }],
  courses: [
    {
      id: 901,
      shortname: 'SECRET1',
      fullname: 'Course of the victim',
      assignments: [{ cmid: 9011, name: 'Work of the victim' }],
    },
    { id: 902, shortname: 'STAFF', fullname: 'Course of the token' },
  ],
  grades: [
    {
      userid: 5,
      courseid: 901,
      itemname: 'Work of the victim',
      graderaw: 13,
      feedback: 'Feedback of the victim',
    },
    { userid: 6, courseid: 901, itemname: 'Work of another', graderaw: 14 },
    { userid: 3, courseid: 902, itemname: 'Work of the token', graderaw: 15 },
  ],
  events: [
    { userid: 5, courseid: 901, cmid: 9011, name: 'Deadline of the victim' },
    { userid: 3, courseid: 902, cmid: 9021, name: 'Deadline of the token' },
  ],
};
