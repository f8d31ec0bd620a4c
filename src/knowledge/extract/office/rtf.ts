import type { ReadFormat } from '../format.js';
import { markdownTable } from '../html-to-markdown.js';
import { breaksOff } from '../part-faults.js';
import { isDamaged } from '../refusals.js';
import { cleanLine, decodeText, escapeBlocks, raised } from '../text.js';
import { rtfTokens, type Token } from './rtf-tokens.js';

const WHAT = 'RTF document';
/** Programs nest a few dozen groups. */
const DEEPEST = 10_000;

/** The text of paragraphs, tables, text boxes and footnotes. Pictures and what is embedded are not read. */
export const readRtf: ReadFormat = ({ file }) => {
  const reader = createReader();
  for (const token of rtfTokens(file.bytes)) {
    reader.read(token);
    if (reader.depth() === 0 && token.kind === 'close') break;
    if (reader.depth() > DEEPEST) throw isDamaged(WHAT);
  }
  const isWhole = reader.depth() === 0;
  const { title, markdown } = reader.end();
  const faults = isWhole ? [] : [breaksOff()];
  const pages = [{ page: undefined, markdown }];
  return Promise.resolve({ format: 'rtf', title, pages, pageCount: undefined, faults });
};

type Destination = 'text' | 'fonts' | 'styles' | 'title' | 'marker' | 'nothing';

/** What the text of a group is for, by the word that says so. Without a word it is what it is around the group. */
const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ...(
    'colortbl filetbl listtable listoverridetable rsidtbl revtbl info generator pict object themedata datastore ' +
    'latentstyles xmlnstbl header headerl headerr headerf footer footerl footerr footerf fldinst bkmkstart bkmkend ' +
    'annotation atnid atnauthor ftnsep ftnsepc aftnsep aftnsepc nonshppict pntxta pntxtb tc xe upr'
  )
    .split(' ')
    .map((word) => [word, 'nothing'] as const),
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['title', 'title'],
  // The sign before an item of a list.
  ['listtext', 'marker'],
  ['pntext', 'marker'],
  // A text box, and the same text once more for programs that know Unicode.
  ['shptxt', 'text'],
  ['ud', 'text'],
]);

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', ' '],
  ['line', ' '],
  ['softline', ' '],
  ['lbr', ' '],
  ['column', ' '],
  ['nestcell', ' '],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['footnote', ' '],
  ['~', ' '],
  ['_', '-'],
]);

/** Encodings by the numbers that fonts have for them, where no page of Windows is called so. */
const CHARSETS: ReadonlyMap<number, string> = new Map([
  [77, 'macintosh'],
  [128, 'shift_jis'],
  [129, 'euc-kr'],
  [134, 'gbk'],
  [136, 'big5'],
  [161, 'windows-1253'],
  [162, 'windows-1254'],
  [163, 'windows-1258'],
  [177, 'windows-1255'],
  [178, 'windows-1256'],
  [186, 'windows-1257'],
  [204, 'windows-1251'],
  [222, 'windows-874'],
  [238, 'windows-1250'],
]);
const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10_000, 'macintosh'],
  [65_001, 'utf-8'],
]);

/** What goes for a group, and ends with it. */
interface Group {
  readonly destination: Destination;
  /** How many characters stand in for one in Unicode, for programs that do not know it. */
  readonly standIns: number;
  readonly isHidden: boolean;
  /** Above the line. */
  readonly isRaised: boolean;
  readonly font: number;
}

function createReader() {
  const stack: Group[] = [];
  let group: Group = { destination: 'text', standIns: 1, isHidden: false, isRaised: false, font: -1 };
  let isIgnorable = false;
  /** Characters that stand in for one that is read already. */
  let skip = 0;
  let pending: Buffer[] = [];
  /** Some programs declare none and write UTF-8. */
  let codePage: string | undefined;
  let title = '';
  const fonts = createFonts();
  const styles = createStyles();
  const blocks = createBlocks(styles.levelOf);

  const put = (text: string) => {
    if (group.destination === 'text' && !group.isHidden) blocks.text(group.isRaised ? raised(text) : text);
    else if (group.destination === 'marker') blocks.item();
    else if (group.destination === 'title') title += text;
    else if (group.destination === 'styles') styles.text(text);
  };
  // Two bytes may be one character, wherever they are cut.
  const flush = () => {
    if (pending.length === 0) return;
    const bytes = Buffer.concat(pending);
    pending = [];
    put(decodeText(bytes, fonts.encodingOf(group.font) ?? codePage));
  };
  const set = (word: string, value = 1) => {
    if (word === 'uc') group = { ...group, standIns: Math.max(0, value) };
    else if (word === 'v' || word === 'deleted') group = { ...group, isHidden: value !== 0 };
    else if (word === 'plain') group = { ...group, isHidden: false, isRaised: false };
    else if (word === 'super') group = { ...group, isRaised: value !== 0 };
    else if (word === 'nosupersub' || word === 'sub') group = { ...group, isRaised: false };
    else if (word === 'ansicpg') codePage = CODE_PAGES.get(value) ?? `windows-${String(value)}`;
    else if (word === 'f') group = { ...group, font: value };
    if (group.destination === 'fonts') fonts.control(word, value);
    if (group.destination === 'styles') styles.control(word, value);
  };
  const control = (word: string, value: number | undefined) => {
    const character = word === 'u' ? String.fromCharCode((value ?? 0) & 0xffff) : CHARACTERS.get(word);
    const destination = DESTINATIONS.get(word) ?? (isIgnorable ? 'nothing' : undefined);
    isIgnorable = word === '*';
    if (character !== undefined) {
      if (skip > 0) skip -= 1;
      else put(character);
      if (word === 'u') skip = group.standIns;
    } else if (destination !== undefined) group = { ...group, destination };
    else {
      set(word, value);
      if (group.destination === 'text') blocks.control(word, value);
    }
  };

  return {
    depth: () => stack.length,
    read(token: Token) {
      if (token.kind === 'bytes') {
        const rest = token.bytes.subarray(skip);
        skip = Math.max(0, skip - token.bytes.length);
        if (rest.length > 0 && group.destination !== 'nothing') pending.push(rest);
        return;
      }
      flush();
      if (token.kind === 'control') {
        control(token.word, token.value);
        return;
      }
      skip = 0;
      isIgnorable = false;
      if (token.kind === 'open') stack.push(group);
      else {
        styles.end();
        group = stack.pop() ?? group;
      }
    },
    end() {
      flush();
      return { title: cleanLine(title) || undefined, markdown: blocks.end() };
    },
  };
}

function createFonts() {
  const encodings = new Map<number, string>();
  let declared = -1;
  return {
    encodingOf: (font: number) => encodings.get(font),
    control(word: string, value: number) {
      if (word === 'f') declared = value;
      const encoding = word === 'fcharset' ? CHARSETS.get(value) : undefined;
      if (encoding !== undefined) encodings.set(declared, encoding);
    },
  };
}

/** As Word calls them in the languages of this service and those around it. */
const HEADING = /^\s*(?:heading|título|títol|izenburua|titre|titolo|überschrift) ?([1-6])\b/i;

function createStyles() {
  const levels = new Map<number, number>();
  let declared: number | undefined;
  let name = '';
  return {
    levelOf: (style: number) => levels.get(style),
    control(word: string, value: number) {
      if (word === 's') declared = value;
    },
    text(text: string) {
      name += text;
    },
    end() {
      const level = HEADING.exec(name)?.[1];
      if (declared !== undefined && level !== undefined) levels.set(declared, Number(level));
      declared = undefined;
      name = '';
    },
  };
}

const LONGEST_HEADING = 200;
const NO_HEADING = 9;

/** Paragraphs, items and tables as Markdown. */
function createBlocks(levelOf: (style: number) => number | undefined) {
  const blocks: { readonly isItem: boolean; readonly markdown: string }[] = [];
  let text = '';
  let level: number | undefined;
  let isItem = false;
  let inTable = false;
  let row: string[] = [];
  let rows: string[][] = [];

  const endTable = () => {
    if (rows.length > 0) blocks.push({ isItem: false, markdown: markdownTable(rows) });
    rows = [];
  };
  const endParagraph = () => {
    if (inTable) {
      text += ' ';
      return;
    }
    endTable();
    const line = cleanLine(text);
    const isHeading = level !== undefined && line.length <= LONGEST_HEADING;
    const plain = isItem ? `- ${line}` : escapeBlocks(line);
    if (line !== '')
      blocks.push({ isItem, markdown: isHeading ? `${'#'.repeat(level ?? 1)} ${line}` : plain });
    text = '';
    isItem = false;
  };
  const actions: Readonly<Record<string, (value?: number) => void>> = {
    par: endParagraph,
    sect: endParagraph,
    page: endParagraph,
    pard() {
      level = undefined;
      inTable = false;
    },
    intbl() {
      inTable = true;
    },
    s(style = 0) {
      level = levelOf(style);
    },
    outlinelevel(value = NO_HEADING) {
      level = value < NO_HEADING ? Math.min(Math.max(value, 0) + 1, 6) : undefined;
    },
    cell() {
      row.push(cleanLine(text));
      text = '';
      isItem = false;
    },
    row() {
      if (row.length > 0) rows.push(row);
      row = [];
    },
  };
  return {
    text(more: string) {
      text += more;
    },
    item() {
      isItem = true;
    },
    control(word: string, value: number | undefined) {
      if (Object.hasOwn(actions, word)) actions[word]?.(value);
    },
    end() {
      inTable = false;
      actions['row']?.();
      endParagraph();
      endTable();
      return blocks.reduce((whole, { isItem: isNext, markdown }, at) => {
        if (at === 0) return markdown;
        return `${whole}${isNext && blocks[at - 1]?.isItem === true ? '\n' : '\n\n'}${markdown}`;
      }, '');
    },
  };
}
