import type { ConnectionTest, MoodleCheck } from '../http/contract/admin.js';
import type { Platform, PlatformTest } from '../http/contract/lti.js';

/** One thing that doctor looked at. */
export interface Finding {
  readonly what: string;
  /** Each says what is wrong and what to do about it. Empty: it is well. */
  readonly faults: readonly string[];
  readonly note?: string | undefined;
}

export interface Looking {
  /** Also at what lies outside: providers, Moodle, learning platforms. */
  readonly outside: boolean;
  /** Whom Moodle is asked about: their e-mail address there, or their number. */
  readonly moodleUser?: string | undefined;
}

/** What is not set up is no fault; each kind is told once. */
export const NO_PROVIDER: Finding = {
  what: 'providers',
  note: 'none is set up; the demo answers',
  faults: [],
};
export const NO_MOODLE: Finding = { what: 'Moodle', note: 'not set up', faults: [] };
export const NO_PLATFORM: Finding = { what: 'LTI platforms', note: 'none', faults: [] };

/** Whose it is, and where it is set. */
interface Place {
  /** The organisation's name. */
  readonly of: string;
  readonly setIn?: string;
}

const SETTINGS = 'Administration, Settings';
export const pageOf = (tab: string, organization: string): string =>
  `${SETTINGS}, ${tab}, of the organisation ${organization}`;

/** Whether a provider answers; asking for its models costs nothing. */
export function providerFinding(
  title: string,
  { ok, models, message }: Pick<ConnectionTest, 'ok' | 'models' | 'message'>,
  { of, setIn = pageOf('Providers', of) }: Place,
): Finding {
  const note = `${of}${ok ? `, ${String(models?.length ?? 0)} models` : ''}`;
  return { what: `provider ${title}`, note, faults: ok ? [] : [`${message} It is set in ${setIn}.`] };
}

/** What the token's user may see in Moodle, as for one student. */
export function moodleFinding(
  { checks, user_id }: Pick<MoodleCheck, 'checks' | 'user_id'>,
  { of, setIn = pageOf('Moodle', of) }: Place,
): Finding {
  const wrong = checks.filter(({ ok }) => ok === false);
  const faults = wrong.map(({ message, missing }) =>
    missing.length > 0
      ? `${message} Capabilities for the role of the token's user: ${missing.join(', ')}.`
      : message,
  );
  const note = user_id === null ? of : `${of}, as for its user ${String(user_id)}`;
  return { what: 'Moodle', note, faults: faults.length > 0 ? [...faults, `It is set in ${setIn}.`] : [] };
}

/** Of a domain that nobody can have (RFC 2606): for asking Moodle when nobody is known to ask about. */
export const NOBODY = 'nobody@example.com';

/** Where nobody is known to ask about. */
export const moodleAnswers = (of: string): Finding => ({
  what: 'Moodle',
  note: `${of}, answers; what it shows of students was not looked at, since none has come from it: name one with --moodle-user`,
  faults: [],
});

/** Everything that launches and grades of a platform depend on. */
export function platformFinding(
  { name }: Pick<Platform, 'name'>,
  { checks }: Pick<PlatformTest, 'checks'>,
  of: string,
): Finding {
  const faults = checks.flatMap(({ ok, message }) => (ok === false ? [message] : []));
  const place = 'It is set in Administration, LTI platforms.';
  return { what: `LTI platform ${name}`, note: of, faults: faults.length > 0 ? [...faults, place] : [] };
}

export const platformOff = ({ name }: Pick<Platform, 'name'>, of: string): Finding => ({
  ...{ what: `LTI platform ${name}`, note: `${of}, switched off`, faults: [] },
});
