import { ownEntry } from './own-entry.ts';

/** Sentences in the place of the service's English ones, by their code; those with values get them in their order. */
export type FaultWords = Readonly<Record<string, string | ((...values: string[]) => string)>>;

/** The service speaks English itself, and often says more: how many, what else it seems to be. */
export const ENGLISH: FaultWords = {};

/** What the service says of a fault. */
export interface ToldFault {
  readonly message: string;
  readonly code?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** In these words where they have any for it; else as the service says it. */
export function inWords(words: FaultWords, { message, code, values = [] }: ToldFault): string {
  const said = ownEntry(words, code) ?? message;
  return typeof said === 'string' ? said : said(...values);
}
