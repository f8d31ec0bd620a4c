import { z } from 'zod';
import { faultOfAddress, oneLine } from '../core/base/text.js';
import type { LaunchFacts } from '../core/lti/launch.js';

const LONGEST_NAME = 200;
const LONGEST_ADDRESS = 2_000;
const MOST_CUSTOM = 100;
const LONGEST_CUSTOM_NAME = 200;
const LONGEST_CUSTOM = 4_000;

/** As a platform names people, courses and links: compared letter by letter. */
export const Id = z
  .string()
  .max(255)
  .refine((text) => text.trim() !== '' && !/\p{Cc}/u.test(text));

/** OpenID Connect allows a subject no more than this. */
export const Subject = Id.refine((text) => /^[\x20-\x7e]+$/.test(text));

type Words = string | null | undefined;

/** The first that says something, on one line. */
export function nameFrom(...candidates: readonly Words[]): string {
  const said = candidates.find((text) => text !== null && text !== undefined && text.trim() !== '');
  return oneLine(said ?? '', LONGEST_NAME);
}

/** An http address as it was written, or nothing: what is optional and odd is left out. */
export function addressFrom(text: Words): string | undefined {
  if (text === null || text === undefined || text.length > LONGEST_ADDRESS) return undefined;
  return faultOfAddress(text) === undefined ? text : undefined;
}

export function localeFrom(text: Words): string | undefined {
  return typeof text === 'string' && /^[a-z]{2,3}([-_][a-z0-9]{1,8}){0,3}$/i.test(text) ? text : undefined;
}

export function openedInFrom(target: Words): LaunchFacts['openedIn'] {
  if (target === 'iframe' || target === 'frame') return 'iframe';
  return target === 'window' ? 'window' : undefined;
}

export function courseFrom(id: Words, ...titles: readonly Words[]): LaunchFacts['course'] {
  const known = Id.safeParse(id);
  return known.success ? { id: known.data, title: nameFrom(...titles) } : undefined;
}

/** Texts alone: Moodle sends null for what it could not fill in. */
export function customFrom(entries: Iterable<readonly [string, unknown]>): Readonly<Record<string, string>> {
  const texts = [...entries].filter(
    (entry): entry is readonly [string, string] =>
      typeof entry[1] === 'string' &&
      entry[1].length <= LONGEST_CUSTOM &&
      entry[0].length <= LONGEST_CUSTOM_NAME,
  );
  return Object.fromEntries(texts.slice(0, MOST_CUSTOM));
}
