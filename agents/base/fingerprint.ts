import { createHash, hash } from 'node:crypto';
import { type Kept, memoizeByGrowth } from '../../src/core/base/memo.js';
import type { Message } from '../../src/core/message.js';
import { textOf } from '../../src/core/message.js';
import type { Fingerprint } from '../../src/core/runs/record.js';

const PREFIX = 16;

/** Length and hash, so that a trace can be compared without holding what was said. */
export function fingerprint(text: string): Fingerprint {
  return { chars: text.length, sha256: hash('sha256', text).slice(0, PREFIX) };
}

/** Of all that was said. Of a conversation that grows only what is new is hashed. */
export function fingerprintOf(messages: readonly Message[], kept: Kept): Fingerprint {
  const { chars, sha256 } = hashed(messages, kept);
  return { chars, sha256: sha256.copy().digest('hex').slice(0, PREFIX) };
}

const hashed = memoizeByGrowth(
  () => ({ chars: 0, sha256: createHash('sha256') }),
  ({ chars, sha256 }, messages: readonly Message[]) => {
    const fresh: string[] = [];
    for (const message of messages) {
      const text = textOf(message.content);
      chars += text.length;
      fresh.push(message.role, text);
    }
    // What comes later is joined to it.
    fresh.push('');
    return { chars, sha256: sha256.update(fresh.join('\0')) };
  },
);
