import { type Fake, startFake, uniqueName } from './fakes/fakes.js';
import type { CourseContents, School } from './fakes/moodle-school.js';
import { createSite, fakeMoodle, Token } from './fakes/moodle.js';

/** One call as the site received it. */
export interface MoodleCall {
  readonly function: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly tokenInBody: boolean;
}

export interface TokenTraits {
  /** Capabilities that its user does not have. */
  readonly lacks?: readonly string[];
  /** An errorcode, or one of the fake's own faults: off, html, broken, redirect, reset, silent, null, odd, huge, endless. */
  readonly fault?: string;
  /** The function the fault is limited to. */
  readonly only?: string;
}

/** Its ledger is kept by token. */
export interface FakeMoodle extends Fake<MoodleCall> {
  /** A token of the site that no other test uses. */
  token(traits?: TokenTraits): Promise<string>;
  /** Changes how a token is treated. */
  treat(token: string, traits: TokenTraits): Promise<void>;
  add(more: Partial<School>): Promise<void>;
  /** Puts a course there, or other contents into it. */
  fill(courseId: number, contents: CourseContents): void;
}

export async function startFakeMoodle(): Promise<FakeMoodle> {
  const site = createSite();
  const fake = await startFake<MoodleCall>(fakeMoodle(site));
  const treat = (token: string, traits: TokenTraits) => {
    site.tokens.set(token, Token.parse(traits));
    return Promise.resolve();
  };
  return {
    ...fake,
    treat,
    async token(traits = {}) {
      const token = uniqueName('canary+token');
      await treat(token, traits);
      return token;
    },
    fill(courseId, contents) {
      const { school } = site;
      site.school = { ...school, contents: new Map([...school.contents, [courseId, contents]]) };
    },
    add({ students = [], courses = [], grades = [], events = [] }) {
      const { school } = site;
      site.school = {
        ...school,
        students: [...school.students, ...students],
        courses: [...school.courses, ...courses],
        grades: [...school.grades, ...grades],
        events: [...school.events, ...events],
      };
      return Promise.resolve();
    },
  };
}
