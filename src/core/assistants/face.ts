/** How an assistant presents itself, to whoever may see it. No run reads any of it. */
export interface AssistantFace {
  /** Markdown; empty for none. */
  readonly greeting: string;
  /** Questions to begin with. */
  readonly starters: readonly string[];
  readonly avatar: Avatar | null;
  readonly tags: readonly string[];
}

export type Avatar = EmojiAvatar | PictureAvatar;

export interface EmojiAvatar {
  readonly emoji: string;
  /** One of `AVATAR_COLORS`, or `#rrggbb`. */
  readonly color: string;
}

export interface PictureAvatar {
  /** The id of an attachment. */
  readonly picture: string;
}

export const BLANK_FACE: AssistantFace = { greeting: '', starters: [], avatar: null, tags: [] };

export const FACE_LIMITS = { greeting: 1_000, starters: 6, starter: 200, tags: 10, tag: 50 } as const;

/** The names that pages have a colour for which fits their theme. */
export const AVATAR_COLORS = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'purple',
  'pink',
] as const;

export const MOST_AVATAR_BYTES = 256 * 1024;
export const AVATAR_MEDIA_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** The id of the attachment that an avatar shows; undefined when it shows none. */
export function pictureOf(avatar: Avatar | null | undefined): string | undefined {
  return avatar && 'picture' in avatar ? avatar.picture : undefined;
}

/** A sign with its joiners and variants, two letters of a flag, or a key: one that no version of Unicode has to know yet. */
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}{2}$|[#*0-9]\uFE0F?\u20E3$)/u;
const LONGEST_EMOJI = 40;

export function isOneEmoji(text: string): boolean {
  if (text.length > LONGEST_EMOJI || !EMOJI.test(text)) return false;
  return [...new Intl.Segmenter('en').segment(text)].length === 1;
}
