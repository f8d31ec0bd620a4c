import type { StoredMessage } from '../../../src/http/contract/chat.ts';
import { textIn } from './content.ts';

type Kept = Pick<StoredMessage, 'role' | 'content'>;

interface Shown {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/**
 * How many of the kept messages are those that are shown before a question. Not all that is shown was kept: a
 * question that was refused, an answer that failed before its first word.
 */
export function countSavedBefore(shown: readonly Shown[], kept: readonly Kept[]): number {
  let count = 0;
  for (const message of shown) {
    const found = kept[count];
    if (found && isSame(message, found)) count += 1;
  }
  return count;
}

/** Of an answer that was broken off, more may have been kept than was seen. */
function isSame({ role, text }: Shown, kept: Kept): boolean {
  const words = textIn(kept.content);
  return role === kept.role && (role === 'user' ? words === text : words.startsWith(text) && text !== '');
}
