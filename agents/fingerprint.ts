import { createHash } from 'node:crypto';
import type { Message } from '../src/core/message.js';
import { textOf } from '../src/core/message.js';
import type { Fingerprint } from '../src/core/run-record.js';

const PREFIX = 16;

/** Length and hash, so that a trace can be compared without holding what was said. */
export function fingerprint(text: string): Fingerprint {
  return { chars: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, PREFIX) };
}

export function fingerprintOf(messages: readonly Message[]): Fingerprint {
  const hash = createHash('sha256');
  let chars = 0;
  for (const message of messages) {
    const text = textOf(message.content);
    chars += text.length;
    hash.update(message.role).update('\0').update(text).update('\0');
  }
  return { chars, sha256: hash.digest('hex').slice(0, PREFIX) };
}
