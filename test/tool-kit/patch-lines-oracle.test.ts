import { expect } from 'chai';
import fc from 'fast-check';
import { type LineChange, patchLines } from '../../src/tool-kit/patch-lines.js';

const PATCHES = 2_000;

const ending = fc.constantFrom('\n', '\r\n', '\r');
const words = fc.constantFrom('', 'a', 'b', 'ab', ' a', 'é', '😀', '\u2028', '{x}', '$&');
const file = fc
  .tuple(
    fc.constantFrom('', '', '\uFEFF'),
    fc.array(fc.tuple(words, ending), { maxLength: 7 }),
    fc.constantFrom('', '', 'last'),
    fc.option(ending),
  )
  .map(([bom, lines, last, only]) => bom + lines.map(([text, end]) => text + (only ?? end)).join('') + last);
const content = fc.array(fc.tuple(words, ending), { maxLength: 3 }).chain((lines) =>
  fc.boolean().map((whole) => {
    const text = lines.map(([line, end]) => line + end).join('');
    return whole ? text : text.replace(/(\r\n|\n|\r)$/, '');
  }),
);
const mostly = fc.integer({ min: 0, max: 19 }).map((n) => n > 0);
const wish = fc.record({
  start: fc.integer({ min: 0, max: 8 }),
  size: fc.integer({ min: -1, max: 3 }),
  new_content: content,
  fits: mostly,
  honest: mostly,
  style: ending,
  closed: fc.boolean(),
});
const patch = fc.tuple(file, fc.array(wish, { minLength: 1, maxLength: 4 })).map(([text, wishes]) => ({
  text,
  changes: wishes.map(({ start, size, new_content, fits, honest, style, closed }): LineChange => {
    const lines = rawLines(text);
    const line_start = fits ? (start % (lines.length + 1)) + 1 : start;
    const there = lines.slice(line_start - 1, line_start - 1 + Math.max(0, size));
    const old = there.map(([line]) => line).join(style) + (closed && there.length > 0 ? style : '');
    const line_end = line_start - 1 + (fits ? there.length : size);
    return { line_start, line_end, old_content: honest ? old : `${old}?`, new_content };
  }),
}));

describe('patches at random', () => {
  it(`agree with an oracle that walks the file line by line, ${String(PATCHES)} times`, function () {
    this.timeout(60_000);
    let accepted = 0;
    const property = fc.property(patch, ({ text, changes }) => {
      const outcome = patchLines(text, changes);
      const expected = oracle(text, changes);
      if (expected !== undefined) accepted++;
      const actual = outcome.ok ? outcome.text : undefined;
      if (actual !== expected) expect(actual).to.equal(expected);
    });

    // A failure is reported with the seed that brings it back.
    fc.assert(property, { numRuns: PATCHES });

    expect(accepted).to.be.within(PATCHES / 5, PATCHES * 0.95);
  });

  it('leave a text as it was when they put back what they took', () => {
    const property = fc.property(file, fc.nat(7), fc.nat(3), (text, first, count) => {
      const there = rawLines(text).slice(first, first + count);
      if (there.length === 0) return;
      const same = there.map(([line, end]) => line + end).join('');
      const all = {
        line_start: first + 1,
        line_end: first + there.length,
        old_content: same,
        new_content: same,
      };
      // The last line without a break at its end, when empty, is no line at all.
      if (there.at(-1)?.[0] === '' && there.at(-1)?.[1] === '') return;
      expect(patchLines(text, [all])).to.deep.equal({ ok: true, text });
    });

    fc.assert(property, { numRuns: 500 });
  });
});

type RawLine = readonly [text: string, ending: string];

function rawLines(text: string): RawLine[] {
  const lines: RawLine[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (let i = start; i < text.length; i++) {
    const sign = text[i]!;
    if (sign !== '\n' && sign !== '\r') continue;
    const length = sign === '\r' && text[i + 1] === '\n' ? 2 : 1;
    lines.push([text.slice(start, i), text.slice(i, i + length)]);
    start = i + length;
    i = start - 1;
  }
  return start < text.length ? [...lines, [text.slice(start), '']] : lines;
}

/** Undefined for a patch that must be refused. */
function oracle(text: string, changes: readonly LineChange[]): string | undefined {
  const lines = rawLines(text);
  const covers = (change: LineChange, line: number) => change.line_start <= line && line <= change.line_end;
  const isInsert = (change: LineChange) => change.line_end === change.line_start - 1;
  for (const [i, change] of changes.entries()) {
    const { line_start, line_end, old_content } = change;
    if (
      line_start < 1 ||
      line_end < line_start - 1 ||
      line_end > lines.length ||
      line_start > lines.length + 1
    )
      return;
    const there = lines.slice(line_start - 1, line_end).map(([line]) => line);
    const spellings = isInsert(change) ? [''] : [there.join('\n'), `${there.join('\n')}\n`];
    if (!spellings.includes(old_content.split(/\r\n|\n|\r/).join('\n'))) return;
    for (const other of changes.slice(i + 1)) {
      for (let line = 1; line <= lines.length; line++)
        if (covers(change, line) && covers(other, line)) return;
      const [inserted, ranged] = isInsert(change) ? [change, other] : [other, change];
      if (
        isInsert(inserted) &&
        covers(ranged, inserted.line_start) &&
        ranged.line_start < inserted.line_start
      )
        return;
    }
  }

  const result: [string, string | undefined][] = [];
  const added: RawLine[] = [];
  const put = (content: string, ending: (i: number) => string | undefined) => {
    for (const [i, line] of rawLines(content).entries()) {
      result.push([line[0], ending(i)]);
      added.push(line);
    }
  };
  for (let line = 1; line <= lines.length + 1; line++) {
    for (const change of changes) {
      if (isInsert(change) && change.line_start === line) put(change.new_content, () => undefined);
    }
    const change = changes.find((each) => covers(each, line));
    if (change?.line_start === line) {
      put(change.new_content, (i) => (line + i <= change.line_end ? lines[line + i - 1]?.[1] : undefined));
    } else if (!change && line <= lines.length) result.push([...lines[line - 1]!]);
  }

  let last = lines.find(([, end]) => end)?.[1] ?? added.find(([, end]) => end)?.[1] ?? '\n';
  let whole = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  for (const [line, end] of result) whole += line + (last = end ? end : last);
  const closing = lines.length > 0 ? lines.at(-1)![1] : added.at(-1)?.[1];
  return closing === '' && result.length > 0 ? whole.slice(0, whole.length - last.length) : whole;
}
