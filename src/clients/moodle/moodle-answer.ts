import { isRecord, own } from '../../core/base/json.js';
import { tooLarge, upstreamFailed } from '../../core/errors.js';
import { movedAway, type Refusal, refusalFor, webServicesOff } from './moodle-refusals.js';

/** What came back: a reply that is yet to be understood, or a refusal with Moodle's name for it. */
export type MoodleAnswer =
  { readonly reply: unknown } | { readonly refusal: Refusal; readonly errorcode: string };

const MOST_BYTES = 5 * 1024 * 1024;
/** What else stands there is not Moodle's, and not for the log. */
const ERRORCODE = /^[a-z][a-z0-9_]{0,63}$/i;

export async function readAnswer(response: Response): Promise<MoodleAnswer> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    return { refusal: movedAway(), errorcode: `HTTP ${String(status)}` };
  }
  const text = await textOf(response);
  if (status === 403 && text.trim() === '') return { refusal: webServicesOff(), errorcode: 'HTTP 403' };
  const reply = json(text);
  // Moodle refuses with HTTP 200; what the refusal says beside its code is not passed on.
  const errorcode = isRecord(reply) ? (own(reply, 'errorcode') ?? own(reply, 'exception')) : undefined;
  if (errorcode !== undefined) {
    const code = typeof errorcode === 'string' && ERRORCODE.test(errorcode) ? errorcode : 'unknown';
    return { refusal: refusalFor(code), errorcode: code };
  }
  if (status !== 200) throw upstreamFailed('Moodle');
  return { reply };
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop also lets go of the connection.
    if (size > MOST_BYTES) throw tooLarge('Moodle sent more than can be taken.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw upstreamFailed('Moodle');
  }
}
