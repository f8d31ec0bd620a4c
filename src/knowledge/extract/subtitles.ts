import { extensionOf, type ReadFormat } from './format.js';
import { isCalledOtherwise } from './refusals.js';
import { charsetIn, cleanLine, cleanText, decodeText, escapeBlocks } from './text.js';

/** So much of what is said stands under one time, and up to so much more until its sentence is over. */
const SECONDS_A_PART = 60;
const SECONDS_TO_WAIT = 20;

/** What is said, as text under the times at which it is said: a passage is found with the minute it stands in. */
export const readSubtitles: ReadFormat = ({ file }) => {
  const text = cleanText(decodeText(file.bytes, charsetIn(file.mediaType)));
  const isVtt = /^\s*WEBVTT/.test(text);
  const cues = cuesIn(text);
  if (cues.length === 0 && !isVtt) throw isCalledOtherwise(extensionOf(file.filename), 'text without times');
  const pages = [{ page: undefined, markdown: partsOf(cues).map(asMarkdown).join('\n\n') }];
  return Promise.resolve({
    format: isVtt ? 'vtt' : 'srt',
    title: undefined,
    pages,
    pageCount: undefined,
    faults: [],
  });
};

interface Cue {
  /** In seconds. */
  readonly start: number;
  readonly lines: readonly Line[];
}

interface Line {
  readonly speaker: string;
  readonly text: string;
}

const TIMES = /^\s*((?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3})\s*-->\s*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}/;

const BEFORE_TIMES = /\n(?=(?:[ \t]*\d+[ \t]*\n)?[ \t]*(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->)/g;

/** Blocks without times are notes, styles and the like. */
function cuesIn(text: string): Cue[] {
  const cues: Cue[] = [];
  let shown: ReadonlySet<string> = new Set();
  // A line with times ends what came before it, also where no blank line does; its number goes with it.
  const parted = text.replace(BEFORE_TIMES, '\n\n');
  for (const block of parted.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0) continue;
    const said = linesOf(lines.slice(at + 1));
    // Captions that roll show each line again while the next one comes.
    const fresh = said.filter((line) => !shown.has(line.text));
    shown = new Set(said.map((line) => line.text));
    if (fresh.length > 0)
      cues.push({ start: secondsOf(TIMES.exec(lines[at] ?? '')?.[1] ?? ''), lines: fresh });
  }
  return cues;
}

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** Who speaks is marked once, and goes for what follows in the same cue. */
function linesOf(lines: readonly string[]): Line[] {
  let speaker = '';
  return lines
    .map((line) => {
      speaker = cleanLine(/<v(?:\.[^\s>]*)?\s+([^>]+)>/i.exec(line)?.[1] ?? speaker);
      return { speaker, text: plain(line) };
    })
    .filter(({ text }) => text !== '');
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
  quot: '"',
  apos: "'",
};

/** Without marks for looks: `<i>`, `<c.yellow>`, `<00:01:02.000>`, `{\an8}`. */
function plain(line: string): string {
  const text = line
    .replace(/<\/?[a-z0-9][^<>]{0,200}>/gi, '')
    .replace(/\{\\[^{}]{0,200}\}/g, '')
    .replace(/&(?:([a-z]{2,4})|#(\d{1,6}|x[\da-f]{1,5}));/gi, (entity, name?: string, number?: string) =>
      name === undefined ? String.fromCodePoint(Number(`0${number ?? ''}`)) : (ENTITIES[name] ?? entity),
    );
  return cleanLine(text);
}

interface Part {
  readonly start: number;
  readonly cues: Cue[];
}

/** A new one about every minute, where a sentence ends if one does. */
function partsOf(cues: readonly Cue[]): Part[] {
  const parts: Part[] = [];
  for (const cue of cues) {
    const open = parts.at(-1);
    const since = cue.start - (open?.start ?? 0);
    const isOver = /[.!?…。！？]["'”’»)\]]*$/.test(open?.cues.at(-1)?.lines.at(-1)?.text ?? '');
    const isLong = since >= SECONDS_A_PART + (isOver ? 0 : SECONDS_TO_WAIT);
    // One that runs backwards begins anew: several recordings in one file.
    if (!open || isLong || since < 0) parts.push({ start: cue.start, cues: [cue] });
    else open.cues.push(cue);
  }
  return parts;
}

function asMarkdown({ start, cues }: Part): string {
  const paragraphs: { readonly speaker: string; text: string }[] = [];
  for (const { speaker, text } of cues.flatMap(({ lines }) => lines)) {
    const last = paragraphs.at(-1);
    if (last?.speaker === speaker) last.text += ` ${text}`;
    else paragraphs.push({ speaker, text });
  }
  const said = paragraphs.map(({ speaker, text }) =>
    escapeBlocks(speaker === '' ? text : `${speaker}: ${text}`),
  );
  return [`## ${clock(start)}`, ...said].join('\n\n');
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
