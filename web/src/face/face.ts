import type { Avatar, Face } from '../../../src/http/contract/assistants.ts';

export type { Avatar, Face };

/** Who is shown. */
export interface Shown {
  readonly id: number;
  readonly name: string;
  readonly avatar: Avatar;
}

/** Whom somebody is about to talk to. */
export type Presented = Shown & Pick<Face, 'greeting' | 'starters'>;

/** In the order they are offered in. The service knows the same names. */
export const AVATAR_COLORS = [
  ...['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'],
] as const satisfies readonly string[];

/** Where nobody has chosen: the same for an assistant wherever it is seen, and not for all of them. */
const colorOf = (id: number): string => AVATAR_COLORS[1 + (id % (AVATAR_COLORS.length - 1))] ?? 'gray';

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** The first letter or sign of a text, whole. */
export const firstOf = (text: string): string => [...segments.segment(text.trim())][0]?.segment ?? '';

/** What stands in the place of a picture. */
export function signOf({ id, name, avatar }: Shown): { readonly sign: string; readonly color: string } {
  return avatar && 'emoji' in avatar
    ? { sign: avatar.emoji, color: avatar.color }
    : { sign: firstOf(name).toLocaleUpperCase(), color: colorOf(id) };
}

export interface Tint {
  /** A class of styles/tints.css. */
  readonly name: string;
  /** Where somebody has chosen one that has no name. */
  readonly color: string | undefined;
}

export function tintOf(of: Shown): Tint {
  const { color } = signOf(of);
  const isNamed = AVATAR_COLORS.some((name) => name === color);
  return { name: `tint-${isNamed ? color : 'gray'}`, color: isNamed ? undefined : color };
}

export const pictureIn = (avatar: Avatar): string | undefined =>
  avatar && 'picture' in avatar ? avatar.picture : undefined;
