/** Characters: more than anybody reads in one piece. */
const MOST_CHARS = 200_000;
/** Signs that mean something, in one paragraph: the time to read them grows with their square. */
const MOST_SIGNS = 3_000;
const SIGN = /[*_[\]<$`~@\\!]/g;
/** Deeper than anybody quotes or lists. */
const DEEP = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])[ \t]*){33}|^[ \t]{66,}(?:>|[-*+]|\d{1,9}[.)])[ \t]/m;
const FENCED = /^ {0,3}(`{3,}|~{3,})[^]*?(?:^ {0,3}\1|(?![^]))/gm;

/** Whether a text can only have been written to keep a browser busy. It is shown, but as it is. */
export function exceedsSizeLimit(text: string): boolean {
  if (text.length > MOST_CHARS) return true;
  if (text.length < MOST_SIGNS && !DEEP.test(text)) return false;
  const words = text.replace(FENCED, '');
  if (DEEP.test(words)) return true;
  return words.split(/\n[ \t]*\n/).some((part) => (part.match(SIGN)?.length ?? 0) > MOST_SIGNS);
}
