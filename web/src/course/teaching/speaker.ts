import type { Speaker } from '../../../../src/http/contract/activities.ts';

/** What somebody is called: by name, or by a number in the reader's language. */
export const speakerName = (
  { label, number }: Speaker,
  words: { readonly student: (n: number) => string },
): string => (typeof number === 'number' ? words.student(number) : label);
