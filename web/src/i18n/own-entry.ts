/** What a dictionary has for a word of the service's: anybody may have written the word. */
export function ownEntry<Word>(
  words: Readonly<Record<string, Word>>,
  key: string | undefined,
): Word | undefined {
  return key !== undefined && Object.hasOwn(words, key) ? words[key] : undefined;
}
