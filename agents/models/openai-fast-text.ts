/**
 * Most of a streamed answer is the same event over and over, with other words in it. Once one such event has been read
 * in full, the next ones are recognised by what stands around their words, and only the words are taken out. Whatever
 * does not look exactly like that goes to the parser, which is the only one to decide what it means.
 */
export interface TextShortcut {
  /** Takes text as it comes, cut anywhere. Hands on words and everything else in the order in which they came. */
  feed(text: string): void;
  /** An event that the parser has read in full: the next ones may look like it. */
  remember(data: string, words: string): void;
  /** How much of an event that has not ended yet is kept. */
  waiting(): number;
}

export interface Readers {
  /** Words that stood in events like the one learnt. */
  words(text: string): void;
  /** Text of an event stream; while nothing but line feeds ends its lines, whole events. */
  other(text: string): void;
  /** Whether an event tells its words and nothing else, and if so which. */
  wordsOf(data: string): string | undefined;
}

/** What stands before and after the words, to the end of the event. */
interface Template {
  readonly before: string;
  readonly after: string;
  readonly between: string;
}

const FIELD = 'data: ';
const END = '\n\n';
/** A server whose events all differ would make us learn for nothing. */
const MOST_ATTEMPTS = 20;
const CONTENT = /"content"\s*:\s*"((?:[^"\\]|\\.)*)"/g;
const BACKSLASH = 0x5c;
/** Words without these mean the same inside and outside a JSON string. */
// eslint-disable-next-line no-control-regex -- they may not stand in a JSON string
const SPECIAL = /["\\\u0000-\u001f]/;

export function createTextShortcut({ words, other, wordsOf }: Readers): TextShortcut {
  let template: Template | undefined;
  let attempts = 0;
  let rest = '';
  let isLineOver = false;
  let byParserAlone = false;

  function takeEvents(events: string): void {
    let at = 0;
    let ruledOut: Template | undefined;
    while (at < events.length) {
      // What is handed to the parser may teach us another one meanwhile.
      const known = template;
      if (known && known !== ruledOut && events.startsWith(known.before, at)) {
        const end = events.lastIndexOf(known.after);
        if (end >= at + known.before.length) {
          takeAlike(events.slice(at + known.before.length, end), known);
          at = end + known.after.length;
          continue;
        }
        // None further on either: to look again at each event would take the square of their number.
        ruledOut = known;
      }
      const end = events.indexOf(END, at);
      // Of three line feeds the last one is left over: an empty line more.
      const next = end === -1 ? events.length : end + END.length;
      other(events.slice(at, next));
      at = next;
    }
  }

  /** From the first words to the last; between two of them stands what was learnt, or some other event. */
  function takeAlike(text: string, { before, after, between }: Template): void {
    let at = 0;
    let all = '';
    while (at <= text.length) {
      const end = endOfWords(text, at);
      const said = unescaped(text.slice(at, end));
      // Compared as a slice: that is several times as fast as `startsWith`.
      const isAlike = end === text.length || text.slice(end, end + between.length) === between;
      if (said === undefined || !isAlike) break;
      all += said;
      at = end + between.length;
    }
    words(all);
    if (at > text.length) return;
    for (const piece of text.slice(at).split(between)) {
      const said = unescaped(piece);
      if (said === undefined) other(before + piece + after);
      else words(said);
    }
  }

  return {
    feed(text) {
      byParserAlone ||= text.includes('\r');
      if (byParserAlone) {
        other(rest + text);
        rest = '';
        return;
      }
      // Only what is new is searched: a server that sends byte by byte would have us search all of it each time.
      if (!text.includes(END) && !(isLineOver && text.startsWith('\n'))) {
        rest += text;
        if (text !== '') isLineOver = text.endsWith('\n');
        return;
      }
      const all = rest + text;
      const end = all.lastIndexOf(END) + END.length;
      rest = all.slice(end);
      isLineOver = rest.endsWith('\n');
      takeEvents(all.slice(0, end));
    },

    remember(data, words) {
      if (attempts === MOST_ATTEMPTS) return;
      attempts += 1;
      template = templateOf(data, words, wordsOf) ?? template;
    },

    waiting: () => rest.length,
  };
}

/** Found by trying: with other words in that place, the event must say those words. */
function templateOf(data: string, words: string, wordsOf: Readers['wordsOf']): Template | undefined {
  const others = `${words}.`;
  for (const match of data.matchAll(CONTENT)) {
    const end = match.index + match[0].length - 1;
    const start = end - (match[1] ?? '').length;
    const tried = data.slice(0, start) + JSON.stringify(others).slice(1, -1) + data.slice(end);
    if (wordsOf(tried) !== others) continue;
    const before = FIELD + data.slice(0, start);
    const after = data.slice(end) + END;
    return { before, after, between: after + before };
  }
  return undefined;
}

/** The next quotation mark that looks like one, not like part of the words. */
function endOfWords(text: string, at: number): number {
  let end = text.indexOf('"', at);
  while (end > at && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Undefined for what is not the inside of one JSON string. */
function unescaped(text: string): string | undefined {
  if (!SPECIAL.test(text)) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
