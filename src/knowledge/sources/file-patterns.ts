/**
 * Whether the path of a file, with `/` between its parts, fits a pattern: `*` and `?` stand for anything within a part,
 * `**` for any number of parts. A pattern without `/` is about the name alone, in whichever folder.
 */
export function fitsPattern(path: string, pattern: string): boolean {
  const parts = path.toLowerCase().split('/');
  const wanted = pattern.toLowerCase().split('/');
  return wanted.length === 1 ? fits(parts.at(-1) ?? '', wanted[0] ?? '') : fitsParts(parts, wanted);
}

/** Goes back to the last `**` alone, so that no pattern takes long. */
function fitsParts(parts: readonly string[], wanted: readonly string[]): boolean {
  return fitsSequence(parts, wanted, (each) => each === '**', fits);
}

function fits(part: string, wanted: string): boolean {
  return fitsSequence(
    Array.from(part),
    Array.from(wanted),
    (each) => each === '*',
    (letter, each) => each === '?' || letter === each,
  );
}

function fitsSequence(
  given: readonly string[],
  wanted: readonly string[],
  isAny: (each: string) => boolean,
  fitsOne: (one: string, each: string) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let any = -1;
  let from = 0;
  while (at < given.length) {
    const each = wanted[next];
    if (each !== undefined && isAny(each)) {
      any = next++;
      from = at;
    } else if (each !== undefined && fitsOne(given[at] ?? '', each)) {
      at += 1;
      next += 1;
    } else if (any >= 0) {
      next = any + 1;
      at = ++from;
    } else return false;
  }
  return wanted.slice(next).every(isAny);
}

/** Files that one of the patterns fits; all when there are none. */
export function fitsAny(path: string, patterns: readonly string[]): boolean {
  return patterns.length === 0 || patterns.some((pattern) => fitsPattern(path, pattern));
}
