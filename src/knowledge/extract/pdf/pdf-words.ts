/** How a word that is cut at a line end was written: known from how the rest of the document writes it. */
export type JoinLines = (before: string, after: string) => string;

const CUT = /(\p{L}+)[-\u2010\u00AD]$/u;

export function createJoin(lines: Iterable<string>): JoinLines {
  const words = new Set<string>();
  for (const line of lines) {
    for (const [word] of line.matchAll(/\p{L}+(?:[-\u2010]\p{L}+)*/gu)) words.add(word.toLowerCase());
  }

  return (before, after) => {
    const start = CUT.exec(before)?.[1];
    const end = /^\p{Ll}\p{L}*/u.exec(after)?.[0];
    if (start === undefined || end === undefined) {
      // A hyphen before a capital or a digit belongs there: "Moodle-Kurs", "COVID-19".
      return /[^\s-][-\u2010]$/u.test(before) && /^[\p{L}\d]/u.test(after)
        ? before + after
        : `${before} ${after}`;
    }
    // The first half of two words that share their end: "Haupt- und Nebenfach".
    if (/^(?:und|oder|bzw|and|or|e|ed|et|ou|o|u|y)$/u.test(end)) return `${before} ${after}`;
    const parted = `${start}-${end}`.toLowerCase();
    const isParted = words.has(parted) && !words.has((start + end).toLowerCase());
    return (isParted ? before : before.slice(0, -1)) + after;
  };
}
