import { z } from 'zod';
import {
  type AssistantFace,
  AVATAR_COLORS,
  BLANK_FACE,
  FACE_LIMITS,
  isOneEmoji,
} from '../../core/assistants/face.js';
import type * as wire from '../contract/assistants.js';

/** How an assistant presents itself, as the API takes and shows it. */

const isColor = (text: string): boolean =>
  AVATAR_COLORS.some((name) => name === text) || /^#[0-9a-f]{6}$/i.test(text);

const Color = z
  .string()
  .refine(isColor, `must be one of ${AVATAR_COLORS.join(', ')}, or a colour like #1d6f5f`)
  .default('gray');

const EmojiAvatar = z.strictObject({
  emoji: z.string().trim().refine(isOneEmoji, 'must be one emoji'),
  color: Color,
});

const PictureAvatar = z.strictObject({
  picture: z.string().min(1).max(100).describe('The id of an attachment.'),
});

const Starter = z.string().trim().min(1).max(FACE_LIMITS.starter);
const Tag = z
  .string()
  .trim()
  .min(1)
  .max(FACE_LIMITS.tag)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line');

/** Whatever their case: nobody tells such tags apart. */
const isListedOnce = (tags: readonly string[]) =>
  new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length;

export const FaceFields = {
  greeting: z.string().max(FACE_LIMITS.greeting).describe('Markdown.'),
  starters: z.array(Starter).max(FACE_LIMITS.starters).describe('Questions to begin with.'),
  avatar: z.union([EmojiAvatar, PictureAvatar]).nullable(),
  tags: z.array(Tag).max(FACE_LIMITS.tags).refine(isListedOnce, 'must not name a tag twice'),
};

type GivenFace = { readonly [Field in keyof AssistantFace]?: AssistantFace[Field] | undefined };

/** What a body leaves out stays as it is. */
export function changedFace(given: GivenFace, before: AssistantFace = BLANK_FACE): AssistantFace {
  return {
    greeting: given.greeting ?? before.greeting,
    starters: given.starters ?? before.starters,
    avatar: given.avatar === undefined ? before.avatar : given.avatar,
    tags: given.tags ?? before.tags,
  };
}

export function showFace({ greeting, starters, avatar, tags }: AssistantFace): wire.Face {
  return { greeting, starters, avatar, tags };
}
