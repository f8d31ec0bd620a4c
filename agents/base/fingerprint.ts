import { hash } from 'node:crypto';
import type { Message } from '../../src/core/message.js';
import { textOf } from '../../src/core/message.js';
import type { Fingerprint } from '../../src/core/runs/record.js';

const PREFIX = 16;

/** Length and hash, so that a trace can be compared without holding what was said. */
export function fingerprint(text: string): Fingerprint {
  return { chars: text.length, sha256: hash('sha256', text).slice(0, PREFIX) };
}

export function fingerprintOf(messages: readonly Message[]): Fingerprint {
  let chars = 0;
  let all = '';
  for (const message of messages) {
    const text = textOf(message.content);
    chars += text.length;
    all += `${message.role}\0${text}\0`;
  }
  return { ...fingerprint(all), chars };
}
