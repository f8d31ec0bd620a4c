/** Some letters in a row. */
interface Letters {
  readonly text: string;
}

/** Scripts that are written from right to left, with the forms that letters have in print. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LEFT_TO_RIGHT = /[\p{L}\p{Nd}]/u;

export type Direction = 'ltr' | 'rtl';

/** Undefined for what has none of its own: blanks, brackets, full stops. */
function directionOf(text: string): Direction | undefined {
  if (RIGHT_TO_LEFT.test(text)) return 'rtl';
  return LEFT_TO_RIGHT.test(text) ? 'ltr' : undefined;
}

/** Of most of the letters. */
export function directionOfMost(runs: readonly Letters[]): Direction {
  const letters = { ltr: 0, rtl: 0 };
  for (const { text } of runs) letters[directionOf(text) ?? 'ltr'] += text.replace(/\P{L}/gu, '').length;
  return letters.rtl > letters.ltr ? 'rtl' : 'ltr';
}

/**
 * What stands on a line from left to right, in the order in which it is read: as the Unicode Bidirectional Algorithm
 * would have laid it out, undone. Inside a run pdf.js has done so already.
 */
export function inReadingOrder<Run extends Letters>(row: readonly Run[]): readonly Run[] {
  const main = directionOfMost(row);
  const groups: Run[][] = [];
  let isApart = false;
  let between: Run[] = [];
  for (const run of row) {
    const direction = directionOf(run.text);
    if (direction === undefined) between.push(run);
    else {
      const isOther = direction !== main;
      // What stands between two runs against the direction of the line belongs to them.
      if (isOther && isApart) groups.at(-1)?.push(...between, run);
      else groups.push(...between.map((one) => [one]), [run]);
      isApart = isOther;
      between = [];
    }
  }
  groups.push(...between.map((one) => [one]));
  return main === 'ltr' ? groups.flatMap(reversed) : groups.reverse().flat().map(mirrored);
}

function reversed<Run>(group: readonly Run[]): readonly Run[] {
  return group.length > 1 ? [...group].reverse() : group;
}

const MIRRORED: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
  '«': '»',
  '»': '«',
};

/** On a line from right to left a bracket opens to the left, and what ends a sentence after a number stands left of it. */
function mirrored<Run extends Letters>(run: Run): Run {
  if (directionOf(run.text) === 'rtl') return run;
  const [, before = '', own = '', after = ''] =
    /^([.,:;!?()[\]{}«»]*)([^]*?)([.,:;!?()[\]{}«»]*)$/.exec(run.text) ?? [];
  const turned = (marks: string) =>
    Array.from(marks)
      .reverse()
      .map((mark) => MIRRORED[mark] ?? mark);
  return { ...run, text: [...turned(after), own, ...turned(before)].join('') };
}

/** Letters in the forms that print gives them, as they are written and looked for. */
export function withoutPrintedForms(text: string): string {
  return text.replace(/[\uFB1D-\uFDFF\uFE70-\uFEFC]+/g, (forms) => forms.normalize('NFKC'));
}
