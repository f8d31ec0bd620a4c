import type { CheerioAPI } from 'cheerio';

type Node = ReturnType<CheerioAPI>[0];

/** How the parts of a formula are written in a line, by what they are called in MathML and in Office. */
const WRITTEN: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  frac: ([above = '', below = '']) => `${grouped(above)}/${grouped(below)}`,
  sup: ([base = '', up = '']) => `${base}^${grouped(up)}`,
  sub: ([base = '', down = '']) => `${base}_${grouped(down)}`,
  subsup: ([base = '', down = '', up = '']) => `${base}_${grouped(down)}^${grouped(up)}`,
  sqrt: (parts) => `√${grouped(parts.join(''))}`,
  root: ([base = '', degree = '']) => `${degree}√${grouped(base)}`,
  table: (rows) => `[${rows.join('; ')}]`,
  tr: (cells) => cells.join(', '),
};
const KINDS: ReadonlyMap<string, string> = new Map([
  ...['frac', 'sup', 'sub', 'subsup', 'sqrt', 'root', 'table', 'tr'].map(
    (kind) => [`m${kind}`, kind] as const,
  ),
  ...([
    ['munder', 'sub'],
    ['mover', 'sup'],
    ['munderover', 'subsup'],
  ] as const),
  ...([
    ['m:f', 'frac'],
    ['m:sSup', 'sup'],
    ['m:sSub', 'sub'],
    ['m:sSubSup', 'subsup'],
  ] as const),
  ...([
    ['m:limLow', 'sub'],
    ['m:limUpp', 'sup'],
    ['m:m', 'table'],
    ['m:eqArr', 'table'],
    ['m:mr', 'tr'],
  ] as const),
]);

/** Puts in the place of every formula what it says in a line: `a/(b+c)`, `r^2`. */
export function writeFormulas(
  $: CheerioAPI,
  selector: string,
  asElement: (text: string) => ReturnType<CheerioAPI> | string,
): void {
  for (const formula of $(selector).toArray())
    $(formula).replaceWith(asElement(lineOf($, formula).replace(/\s+/g, ' ')));
}

function lineOf($: CheerioAPI, node: Node | undefined): string {
  if (!node) return '';
  if (!('children' in node)) return 'data' in node ? node.data : '';
  const name = 'name' in node ? node.name : '';
  const children = node.children as Node[];
  const isPart = (child: Node) => 'name' in child && !child.name.endsWith('Pr');
  const named = (part: string) =>
    lineOf(
      $,
      children.find((child) => 'name' in child && child.name === part),
    );
  const setting = (part: string) => $(node).children().children(`m\\:${part}`).attr('m:val');
  if (name === 'm:rad') return WRITTEN['root']?.([named('m:e'), named('m:deg')]) ?? '';
  if (name === 'm:nary')
    return `${WRITTEN['subsup']?.([setting('chr') ?? '∫', named('m:sub'), named('m:sup')]) ?? ''} ${named('m:e')}`;
  if (name === 'm:d') {
    const inside = children.filter((child) => 'name' in child && child.name === 'm:e');
    const parts = inside.map((child) => lineOf($, child));
    return `${setting('begChr') ?? '('}${parts.join(setting('sepChr') ?? '|')}${setting('endChr') ?? ')'}`;
  }
  const write = WRITTEN[KINDS.get(name) ?? ''];
  const parts = children.filter((child) => (write ? isPart(child) : !('name' in child) || isPart(child)));
  const lines = parts.map((child) => lineOf($, child));
  return write ? write(lines) : lines.join('');
}

function grouped(text: string): string {
  const line = text.trim();
  return /^[\p{L}\p{M}\d.,]*$/u.test(line) ? line : `(${line})`;
}
