const MOST = 10;
const LONGEST = 40;

/** What somebody typed, as the service keeps it. */
export function tagsIn(typed: string): readonly string[] {
  const tags = typed.split(',').map((tag) => tag.replace(/\s+/gu, ' ').trim().toLowerCase());
  return [...new Set(tags)].filter((tag) => tag !== '');
}

export const areTags = (tags: readonly string[]): boolean =>
  tags.length <= MOST && tags.every((tag) => tag.length <= LONGEST);

export const MOST_TAGS = MOST;
