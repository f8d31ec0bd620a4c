import type { Call } from './case.js';

/** Reads `cd(folder='a')`, in which the collection writes the calls of conversations. */
export function readPythonCall(text: string): Call {
  const reader = createReader(text);
  const name = reader.take(/[\w.]+/y);
  reader.take(/\(/y);
  const args: Record<string, unknown> = {};
  while (!reader.sees(')')) {
    const key = reader.take(/\w+(?=\s*=)/y);
    reader.take(/=/y);
    args[key] = reader.value();
    if (!reader.sees(')')) reader.take(/,/y);
  }
  return { name, arguments: args };
}

const WORDS: Readonly<Record<string, unknown>> = { True: true, False: false, None: null };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function createReader(text: string) {
  let at = 0;
  const skipBlanks = () => {
    while (/\s/.test(text.charAt(at))) at++;
  };
  const take = (pattern: RegExp): string => {
    skipBlanks();
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) throw new Error(`"${text}" cannot be read at ${String(at)}.`);
    at += found.length;
    return found;
  };
  const sees = (character: string) => {
    skipBlanks();
    return text.charAt(at) === character;
  };
  const several = (open: RegExp, close: string, each: () => void) => {
    take(open);
    while (!sees(close)) {
      each();
      if (!sees(close)) take(/,/y);
    }
    at++;
  };
  const value = (): unknown => {
    if (sees("'") || sees('"')) return unquoted(take(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy));
    if (sees('{')) {
      const entries: [string, unknown][] = [];
      several(/\{/y, '}', () => {
        const key = String(value());
        take(/:/y);
        entries.push([key, value()]);
      });
      return Object.fromEntries(entries);
    }
    if (sees('[') || sees('(')) {
      const items: unknown[] = [];
      several(/[[(]/y, sees('[') ? ']' : ')', () => items.push(value()));
      return items;
    }
    const word = take(/-?[\w.+]+/y);
    return word in WORDS ? WORDS[word] : Number(word);
  };
  return { take, sees, value };
}

const unquoted = (text: string) =>
  text.slice(1, -1).replace(/\\(.)/gs, (_all, letter: string) => ESCAPES[letter] ?? letter);
