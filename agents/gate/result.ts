import type { JsonRecord } from '../../src/core/base/json.js';
import { oneLine, safeLabel } from '../../src/core/base/text.js';
import type { NumberedSource, Source, ToolFacts } from '../../src/core/runs/event.js';
import type { CitablePassage, ToolResult } from '../../src/core/tool.js';
import { renumber, type SourceList } from './citations.js';
import type { Success } from './invocation.js';

interface Bounds {
  readonly hide: (text: string) => string;
  readonly maxChars: number;
}

/** A result as it may leave the gate: no secret in it, and no more than the model is given to read. */
export function presentResult(result: ToolResult, { hide, maxChars }: Bounds): Success {
  const { numbered, passages = [], sources = [], data, facts } = result;
  const shown = passages.map(({ text, source }) => ({
    text: hide(checkedText(text)),
    source: presentable(source, hide),
  }));
  const cut = cutTo(maxChars, hide(result.content), shown);
  return {
    ok: true,
    content: cut.content,
    sources: sources.map((source) => presentable(source, hide)),
    ...(numbered ? { numbered: numbered.map((source) => presentableNumbered(source, hide)) } : {}),
    ...(cut.passages.length > 0 ? { passages: cut.passages } : {}),
    ...(data ? { data: presentableData(data, hide) } : {}),
    ...presentableFacts(cut.isCut ? { ...facts, truncated: true } : facts, hide),
  };
}

const MOST_FACTS = 20;
const MOST_NAMES = 50;

/** One line each: a name fits, and what was found does not. */
function presentableFacts(
  facts: ToolFacts | undefined,
  hide: Bounds['hide'],
): { readonly facts?: ToolFacts } {
  if (!facts) return {};
  const name = (value: unknown) => safeLabel(hide(String(value)));
  const shown = Object.entries(facts)
    .slice(0, MOST_FACTS)
    .map(([key, value]: [string, unknown]) => [
      name(key),
      Array.isArray(value)
        ? value.slice(0, MOST_NAMES).map(name)
        : typeof value === 'number' || typeof value === 'boolean'
          ? value
          : name(value),
    ]);
  return { facts: Object.fromEntries(shown) as ToolFacts };
}

const MOST_DATA_CHARS = 1_000_000;

/** Never cut: half of it would be something else. */
function presentableData(data: JsonRecord, hide: Bounds['hide']): JsonRecord {
  const json = JSON.stringify(data);
  if (json.length > MOST_DATA_CHARS) throw new RangeError('The data of a result is too large.');
  return JSON.parse(json, (_key, value: unknown) =>
    typeof value === 'string' ? hide(value) : value,
  ) as JsonRecord;
}

/** Tools from elsewhere are not held to our types; whoever calls this is told by an exception. */
function checkedText(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError('A passage has no text.');
  return text;
}

/** No run finds more sources than this, so what fits with it fits with any number. */
const widestNumber = () => 9999;

/** Passages that do not fit any more are left out, and the last one that does may end early. */
function cutTo(
  max: number,
  content: string,
  passages: readonly CitablePassage[],
): { readonly content: string; readonly passages: readonly CitablePassage[]; readonly isCut: boolean } {
  const total = layOut(content, passages, widestNumber).length;
  if (total <= max) return { content, passages, isCut: false };

  const kept: CitablePassage[] = [];
  let used = openingOf(content, passages);
  for (const passage of passages) {
    const room = max - used - headOf(passage.source, widestNumber).length;
    if (room <= 0) break;
    const text = firstOf(passage.text, room);
    kept.push({ ...passage, text });
    used = max - room + text.length + BETWEEN.length;
  }
  const last = kept.pop();
  if (!last) {
    const text = firstOf(content, max);
    return { content: `${text}${markOf(text.length, total)}`, passages: [], isCut: true };
  }
  const text = `${last.text}${markOf(used - BETWEEN.length, total)}`;
  return { content, passages: [...kept, { ...last, text }], isCut: true };
}

/** How much stands before the first passage. */
function openingOf(content: string, passages: readonly CitablePassage[]): number {
  const first = passages.slice(0, 1).map(({ source }) => ({ source, text: '' }));
  const heads = first.map(({ source }) => headOf(source, widestNumber)).join('');
  return layOut(content, first, widestNumber).length - heads.length;
}

const markOf = (shown: number, total: number) =>
  `\n[cut: ${String(shown)} of ${String(total)} characters shown]`;

function firstOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const lastUnit = text.charCodeAt(max - 1);
  return text.slice(0, lastUnit >= 0xd800 && lastUnit <= 0xdbff ? max - 1 : max);
}

const LONGEST_PATH = 1024;

function presentable(source: Source, hide: Bounds['hide']): Source {
  const { title, url, similarity, corrected, type, id, path, chars } = source;
  return {
    title: safeLabel(hide(title)),
    ...(url !== undefined && /^https?:\/\//i.test(url) ? { url: hide(url) } : {}),
    ...(similarity === undefined ? {} : { similarity }),
    ...(corrected === true ? { corrected } : {}),
    ...(type === undefined ? {} : { type: safeLabel(hide(type)) }),
    ...(id === undefined ? {} : { id: safeLabel(hide(id)) }),
    ...(path === undefined ? {} : { path: oneLine(hide(path), LONGEST_PATH) }),
    ...(chars === undefined ? {} : { chars }),
  };
}

function presentableNumbered(source: NumberedSource, hide: Bounds['hide']): NumberedSource {
  return { ...presentable(source, hide), n: source.n };
}

const BETWEEN = '\n\n';

/** What the model reads of a call that went well. Its sources have their numbers from here on. */
export function readResult({ content, sources, numbered, passages = [] }: Success, run: SourceList): string {
  run.add(sources);
  const said = numbered
    ? renumber(content, new Map(numbered.map((source) => [source.n, run.numberOf(source)])))
    : content;
  return layOut(said, passages, run.numberOf);
}

function layOut(
  content: string,
  passages: readonly CitablePassage[],
  numberOf: (source: Source) => number,
): string {
  const [first] = passages;
  if (!first) return content;
  const blocks = passages.map(({ text, source }) => `${headOf(source, numberOf)}${text}`);
  const parts = [
    `Passages, to be cited by their numbers, like [${String(numberOf(first.source))}]:`,
    ...blocks,
  ];
  return (content === '' ? parts : [content, ...parts]).join(BETWEEN);
}

function headOf(source: Source, numberOf: (source: Source) => number): string {
  return `[${String(numberOf(source))}] ${source.title}\n`;
}
