/** Whoever puts the answer together. */
export interface Readers {
  /** What plain events said, one after the other, and the usage that some of them told, as JSON. */
  plain(words: string, usages: readonly string[] | undefined): void;
  /** Text of an event stream: whole events, as long as line feeds end its lines. */
  other(text: string): void;
}

const { PLAIN_EVENT, LETTERS, AFTER_WORDS, UP_TO_USAGE, FROM_USAGE } = plainEvents();
/** Longer than any that brings a word or two. To look at one takes room that grows with it. */
const LONGEST_PLAIN = 100_000;
const EVENT_END = /\n\r?\n/g;
const LONE_CARRIAGE_RETURN = /\r(?!\n|$)/;
/** Of what was searched before, so much may belong to an end that comes now. */
const END_LENGTH = 3;

interface Plain {
  /** The words, as they are written. */
  readonly content: string;
  readonly usage: string | undefined;
  /** Where the next event begins. */
  readonly end: number;
}

/** What an event has around its words. */
interface Around {
  readonly before: string;
  readonly after: string;
  readonly usage: string | undefined;
  /** What `after` begins with, where it goes on with what all of this has cost: the one thing that differs then. */
  readonly upToUsage: string | undefined;
}

/**
 * Nearly every event of a streamed answer brings words, and at most what it has cost so far. Such a one is recognised by
 * its grammar, in one look, and nothing but that is made of it: to parse it takes several times as long. Ids, white space,
 * the order of keys, and keys of a provider's own may differ from event to event. An event that brings anything else, or
 * that is not understood here, goes to the parser, which is the only one to decide what it means.
 *
 * A class: its state is touched for every word of every answer, and lies in one place
 * (docs/decisions/0161-what-a-word-touches.md).
 */
export class PlainEvents {
  readonly #readers: Readers;
  #rest = '';
  /** The end of what waits: to look for it there would put together each time what came in small pieces. */
  #tail = '';
  #byParserAlone = false;
  #last: Around | undefined;

  constructor(readers: Readers) {
    this.#readers = readers;
  }

  /** Takes text as it comes, cut anywhere. Hands on words and everything else in the order in which they came. */
  feed(text: string): void {
    // As nearly every read is: nothing waits, and it ends where an event does.
    if (this.#rest === '' && !this.#byParserAlone && text.endsWith('\n\n') && !text.includes('\r')) {
      this.#takeEvents(text);
      return;
    }
    // Only what is new is searched: a server that sends byte by byte would have us search all of it each time.
    const fresh = this.#tail + text;
    this.#byParserAlone ||= fresh.includes('\r') && LONE_CARRIAGE_RETURN.test(fresh);
    const all = this.#rest + text;
    this.#rest = '';
    if (this.#byParserAlone) this.#readers.other(all);
    else if (fresh.search(EVENT_END) >= 0) this.#takeFrom(all);
    else this.#rest = all;
    // An end that has been found is not one of what comes next.
    this.#tail = fresh.slice(fresh.length - Math.min(END_LENGTH, this.#rest.length));
  }

  /** How much of an event that has not ended yet is kept. */
  waiting(): number {
    return this.#rest.length;
  }

  /** What comes after the last whole event is kept. */
  #takeFrom(text: string): void {
    const events = text.slice(0, lastEnd(text));
    this.#rest = text.slice(events.length);
    this.#takeEvents(events);
  }

  #takeEvents(events: string): void {
    let words = '';
    let usages: string[] | undefined;
    for (let at = 0; at < events.length;) {
      const found = isLong(events, at) ? undefined : (this.#alike(events, at) ?? this.#plainAt(events, at));
      if (found) {
        words += inWords(found.content);
        if (found.usage !== undefined) (usages ??= []).push(found.usage);
        at = found.end;
        continue;
      }
      this.#readers.plain(words, usages);
      words = '';
      usages = undefined;
      const next = nextAfter(events, at);
      this.#readers.other(events.slice(at, next));
      at = next;
    }
    this.#readers.plain(words, usages);
  }

  #plainAt(events: string, at: number): Plain | undefined {
    PLAIN_EVENT.lastIndex = at;
    const found = PLAIN_EVENT.exec(events);
    if (!found) return undefined;
    const [, before = '', content = '', usage] = found;
    const end = PLAIN_EVENT.lastIndex;
    this.#last = around(before, events.slice(at + before.length + content.length, end), usage);
    return { content, usage, end };
  }

  /** What stands before and after the words is looked at where it differs from that of the last one. */
  #alike(events: string, at: number): Plain | undefined {
    const last = this.#last;
    // Compared as a slice: that is several times as fast as `startsWith`.
    if (!last || events.slice(at, at + last.before.length) !== last.before) return undefined;
    const from = at + last.before.length;
    LETTERS.lastIndex = from;
    if (!LETTERS.test(events)) return undefined;
    const to = LETTERS.lastIndex;
    const content = events.slice(from, to);
    if (events.slice(to, to + last.after.length) === last.after) {
      return { content, usage: last.usage, end: to + last.after.length };
    }
    const { before, upToUsage } = last;
    const costsAlone = upToUsage !== undefined && events.slice(to, to + upToUsage.length) === upToUsage;
    const part = costsAlone ? FROM_USAGE : AFTER_WORDS;
    part.lastIndex = costsAlone ? to + upToUsage.length : to;
    const found = part.exec(events);
    if (!found) return undefined;
    const after = events.slice(to, part.lastIndex);
    const usage = found[1];
    this.#last = costsAlone ? { before, after, usage, upToUsage } : around(before, after, usage);
    return { content, usage, end: to + after.length };
  }
}

function around(before: string, after: string, usage: string | undefined): Around {
  if (usage === undefined) return { before, after, usage, upToUsage: undefined };
  UP_TO_USAGE.lastIndex = 0;
  return { before, after, usage, upToUsage: UP_TO_USAGE.exec(after)?.[0] };
}

function isLong(events: string, at: number): boolean {
  return events.length - at > LONGEST_PLAIN && nextAfter(events, at) - at > LONGEST_PLAIN;
}

/** Where the event after this one begins. */
function nextAfter(events: string, at: number): number {
  EVENT_END.lastIndex = at;
  return EVENT_END.test(events) ? EVENT_END.lastIndex : events.length;
}

function lastEnd(text: string): number {
  const short = text.lastIndexOf('\n\n') + 2;
  return text.includes('\r') ? Math.max(short, text.lastIndexOf('\n\r\n') + 3) : short;
}

/** What stands between the quotation marks of a string. */
function inWords(written: string): string {
  return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
}

/**
 * One event, to its end: its groups are all up to the words, the words as they are written, and the usage, which nobody
 * writes before them. And its parts, of which it is nothing but the sequence. The larger they were, the longer it would
 * take to compile them, when the first answer comes.
 */
function plainEvents() {
  const blank = ' *';
  const name = String.raw`"[^"\\\x00-\x1f]*"`;
  const letters = String.raw`[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*)*`;
  const simple = String.raw`"${letters}"|null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`;

  /** Followed by a comma and the next one, or by the end. */
  const member = (named: string, value: string) =>
    String.raw`${named}${blank}:${blank}${value}${blank}(?:,${blank}(?=")|(?=\}))`;
  const object = (members: string) => String.raw`\{${blank}${members}\}`;
  const list = String.raw`\[${blank}(?:(?:${simple})${blank}(?:,${blank}(?!\])|(?=\])))*\]`;
  /** As deep as what providers add of their own. */
  const inner = `(?:${simple}|${list}|${object(`(?:${member(name, `(?:${simple})`)})*`)})`;
  const anything = `(?:${simple}|${list}|${object(`(?:${member(name, inner)})*`)})`;
  const nothing = (...names: string[]) => member(`"(?:${names.join('|')})"`, 'null');
  const others = (...names: string[]) => member(`(?!"(?:${names.join('|')})")${name}`, anything);

  const inDelta = `(?:${nothing('tool_calls')}|${others('content', 'tool_calls')})*`;
  const inChoice = `(?:${member('"index"', '0')}|${nothing('finish_reason')}|${others('index', 'finish_reason', 'delta')})*`;
  const inEvent = `(?:${nothing('error')}|${others('choices', 'usage', 'error')})*`;
  const usage = member('"usage"', String.raw`(?:null|(?=\{)(${anything}))`);

  const next = String.raw`${blank}(?:,${blank}(?=")|(?=\}))`;
  const named = (name: string) => `"${name}"${blank}:${blank}`;
  const upToWords =
    String.raw`data:${blank}\{${blank}${inEvent}${named('choices')}\[${blank}\{${blank}${inChoice}` +
    String.raw`${named('delta')}\{${blank}${inDelta}${named('content')}"`;
  const upToUsage = String.raw`"${next}${inDelta}\}${next}${inChoice}\}${blank}\]${next}${inEvent}`;
  const end = String.raw`\}${blank}\r?\n\r?\n`;
  const afterWords = `${upToUsage}(?:${usage}${inEvent})?${end}`;
  return {
    PLAIN_EVENT: new RegExp(`(${upToWords})(${letters})${afterWords}`, 'y'),
    LETTERS: new RegExp(letters, 'y'),
    AFTER_WORDS: new RegExp(afterWords, 'y'),
    UP_TO_USAGE: new RegExp(upToUsage, 'y'),
    FROM_USAGE: new RegExp(`${usage}${inEvent}${end}`, 'y'),
  };
}
