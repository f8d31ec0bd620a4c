export type JsonPath = readonly (string | number)[];

/**
 * Replaces values in the text of valid JSON and leaves every other character as it is. `rewrite` gets each text,
 * number and word as it is written, and where it stands; undefined keeps it.
 */
export function rewriteJson(
  json: string,
  rewrite: (path: JsonPath, raw: string) => string | undefined,
): string {
  const trail = createTrail();
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end } of tokensOf(json)) {
    const raw = json.slice(start, end);
    const written = trail.pass(raw) === 'value' ? rewrite(trail.path, raw) : undefined;
    if (written === undefined) continue;
    parts.push(json.slice(copied, start), written);
    copied = end;
  }
  return parts.join('') + json.slice(copied);
}

/** Where one stands in a text of which one token after the other is passed. */
function createTrail() {
  const path: (string | number)[] = [];
  const isList: boolean[] = [];
  let expectsKey = false;

  const pass = (token: string): 'value' | 'other' => {
    const here = path.length - 1;
    if (token === '{' || token === '[') {
      isList.push(token === '[');
      path.push(token === '[' ? 0 : '');
      expectsKey = token === '{';
    } else if (token === '}' || token === ']') {
      isList.pop();
      path.pop();
      expectsKey = false;
    } else if (token === ',') {
      if (isList.at(-1)) path[here] = Number(path[here]) + 1;
      else expectsKey = true;
    } else if (expectsKey) {
      path[here] = JSON.parse(token) as string;
      expectsKey = false;
    } else if (token !== ':') {
      return 'value';
    }
    return 'other';
  };
  return { path, pass };
}

const PUNCTUATION = new Set('{}[],:');
const BLANK = /\s/;

/** Walks by hand: a pattern for texts of any length would exhaust the stack. */
function* tokensOf(json: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let at = 0; at < json.length;) {
    const start = at;
    const first = json.charAt(at++);
    if (BLANK.test(first)) continue;
    if (first === '"') {
      while (json.charAt(at) !== '"') at += json.charAt(at) === '\\' ? 2 : 1;
      at++;
    } else if (!PUNCTUATION.has(first)) {
      while (at < json.length && !PUNCTUATION.has(json.charAt(at)) && !BLANK.test(json.charAt(at))) at++;
    }
    yield { start, end: at };
  }
}
