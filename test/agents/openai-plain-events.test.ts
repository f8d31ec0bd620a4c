import { expect } from 'chai';
import fc from 'fast-check';
import { ReplyReader } from '../../agents/models/openai.js';
import { answerIn, EVENT_SHAPES } from '../../bench/event-shapes.js';
import { anyCharacter } from '../core/any-character.js';

/** One way to write JSON: which white space, which order of keys, and which characters as escapes. */
interface Spelling {
  readonly space: string;
  readonly reversed: boolean;
  readonly escaped: ReadonlySet<string>;
}

const spelling: fc.Arbitrary<Spelling> = fc.record({
  space: fc.constantFrom('', '', '', ' ', '  ', '\t '),
  reversed: fc.boolean(),
  escaped: fc
    .uniqueArray(fc.constantFrom('a', 'é', '😀', '/', 'c'), { maxLength: 2 })
    .map((all) => new Set(all)),
});

function write(value: unknown, how: Spelling): string {
  const { space, reversed } = how;
  if (typeof value === 'string') return writeText(value, how);
  if (Array.isArray(value)) return `[${value.map((item) => space + write(item, how)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, item]) => `${space}${JSON.stringify(key)}${space}:${space}${write(item, how)}`,
  );
  return `{${(reversed ? entries.reverse() : entries).join(',')}${space}}`;
}

function writeText(text: string, { escaped }: Spelling): string {
  const inside = Array.from(text, (character) =>
    escaped.has(character)
      ? Array.from(character, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(
          '',
        )
      : JSON.stringify(character).slice(1, -1),
  );
  return `"${inside.join('')}"`;
}

const chunk = (delta: unknown, more: object = {}, finish_reason: unknown = null) => ({
  ...{ id: 'chatcmpl-1', created: 7, model: 'm', ...more },
  choices: [{ index: 0, delta, finish_reason }],
});

const words = fc.oneof(
  fc.constantFrom('word ', 'a "quoted" one', 'line\nbreak', '\\', 'C:\\new', '"', '}', '😀', 'é', ''),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('"content":"x"', 'data: [DONE]', '\n\ndata: {}\n\n', ',"finish_reason":"stop"'),
);

/** Many events that differ in their words alone, as servers send them. */
const alike = fc
  .tuple(
    fc.array(words, { minLength: 1, maxLength: 12 }),
    spelling,
    fc.constantFrom({}, { usage: null, x: 'y' }),
  )
  .map(([said, how, more]) =>
    said.map((content) => `data: ${write(chunk({ content }, more), how)}\n\n`).join(''),
  );

const bill = (more: object) => ({ usage: { prompt_tokens: 3, completion_tokens: 4, ...more } });
const ordinary = { index: 0, finish_reason: null };

/** Alike but for what each has cost so far; some say more than that, in as many letters. */
const billed = fc
  .tuple(
    fc.array(
      fc.tuple(
        words,
        fc.oneof(
          { weight: 6, arbitrary: fc.constant(ordinary) },
          fc.constantFrom({ ...ordinary, index: 1 }, { ...ordinary, finish_reason: 'ok' }),
        ),
        fc.oneof(
          { weight: 6, arbitrary: fc.nat(99).map((completion_tokens) => bill({ completion_tokens })) },
          fc.constantFrom<object>(
            ...[{ usage: null }, { usage: 'free' }, { usage: 7 }, {}, { ...bill({}), x: 'y' }],
            { ...bill({}), error: { message: 'broken' } },
            { ...bill({}), choices: [] },
            bill({ a: { b: { c: { d: 1 } } } }),
            bill({ name: '"usage":null}' }),
          ),
        ),
      ),
      { minLength: 2, maxLength: 12 },
    ),
    spelling,
  )
  .map(([said, how]) =>
    said
      .map(([content, around, cost]) => ({
        choices: [{ delta: { content }, ...around }],
        model: 'm',
        ...cost,
      }))
      .map((event) => `data: ${write(event, { ...how, reversed: false })}\n\n`)
      .join(''),
  );

const odd = fc
  .tuple(
    fc.constantFrom<object>(
      chunk({ role: 'assistant', content: '' }),
      chunk({}, {}, 'stop'),
      chunk({ content: 'last' }, {}, 'length'),
      chunk({ content: null }),
      chunk({ content: 'with a bill' }, { usage: { prompt_tokens: 3, completion_tokens: 4 } }),
      chunk({
        content: 'calling',
        tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }],
      }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"a":"content"}' } }] }),
      chunk({ tool_calls: 'none' }),
      chunk({ reasoning_content: 'hm', content: 'said' }),
      chunk({ content: ['a', 'list'] }),
      { choices: [{ delta: { content: 'first' } }, { delta: { content: 'second' } }] },
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
      { error: { message: 'broken' }, choices: [{ delta: { content: 'after' } }] },
      { content: 'outside', choices: [{ delta: { content: 'inside' } }] },
    ),
    spelling,
  )
  .map(([event, how]) => `data: ${write(event, how)}\n\n`);

const raw = fc.constantFrom(
  'data: [DONE]\n\n',
  ': a comment\n\n',
  '\n',
  'event: ping\ndata: {"choices":[{"delta":{"content":"named"}}]}\n\n',
  'data:{"choices":[{"delta":{"content":"no space"}}]}\n\n',
  'data: {"choices":\ndata: [{"delta":{"content":"two lines"}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"a","content":"b"}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"twice"},"delta":{"content":"last one counts"}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"ends in a backslash\\"},"finish_reason":null}]}\n\n',
  'data: {"choices":[{"delta":{"content":"bad \\x escape"}}]}\n\n',
  'data: nonsense\n\n',
  'data: {"choices":[{"delta":{"content":"with carriage returns"}}]}\r\n\r\n',
  'data: {"choices":[{"delta":{"content":"old mac"}}]}\r\r',
  'data: {"choices":[{"delta":{"content":"never ends',
);

/** Whole answers as providers write them, with keys in another order and spelt in another way now and then. */
const provided = fc
  .tuple(
    fc.constantFrom(...EVENT_SHAPES),
    fc.array(words, { maxLength: 12 }),
    fc.option(spelling, { freq: 2 }),
  )
  .map(([shape, said, how]) => {
    const events = answerIn(shape, { id: 'chatcmpl-1', words: said.length }, said);
    if (how === null) return events.join('');
    return events
      .map((event) =>
        event.replace(/^data: (\{[^\n]*)/, (_, data: string) => `data: ${write(JSON.parse(data), how)}`),
      )
      .join('');
  });

/** Some servers end their lines in the way of Windows. */
const lineEnds = (text: string) => fc.constantFrom(text, text, text.replaceAll('\n', '\r\n'));

const stream = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: alike },
      { weight: 2, arbitrary: billed },
      { weight: 4, arbitrary: provided },
      { weight: 2, arbitrary: odd },
      raw,
    ),
    { maxLength: 8 },
  )
  .chain((parts) => lineEnds(parts.join('')));

/** What each read brought, and what became of the whole. */
function readAll(pieces: readonly Buffer[], byParserAlone: boolean): readonly unknown[] {
  const reader = new ReplyReader({ byParserAlone });
  const attempt = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (fault) {
      return { thrown: (fault as Error).message };
    }
  };
  return [...pieces.map((piece) => attempt(() => reader.read(piece))), attempt(() => reader.finish(10))];
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, i) => bytes.subarray(start, at[i] ?? bytes.length));
}

/** `PLAIN_EVENT_FUZZ=1000000` looks at so many events; among all other tests some thousands are enough. */
const EVENTS = Number(process.env['PLAIN_EVENT_FUZZ'] ?? 10_000);
/** About, in one stream. */
const EVENTS_A_STREAM = 40;

describe('events that bring words alone', function () {
  this.timeout(3_600_000);

  it('are read exactly as the parser reads them, however they are spelt, mixed with others and cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, places) => {
        const pieces = cut(Buffer.from(text), places);

        expect(readAll(pieces, false)).to.deep.equal(readAll(pieces, true));
      }),
      { numRuns: Math.ceil(EVENTS / EVENTS_A_STREAM) },
    );
  });

  it('are put together however small their pieces are, in time that grows with them and not with their square', () => {
    const reader = new ReplyReader();
    const event = Buffer.from(`data: ${JSON.stringify(chunk({ content: 'x'.repeat(1_500_000) }))}\n\n`);

    let said = 0;
    for (let at = 0; at < event.length; at += 4) said += reader.read(event.subarray(at, at + 4)).length;

    expect(said).to.equal(1_500_000);
  });

  for (const [where, length] of [
    ['in the middle of them', 331],
    ['where they end, and in the middle of the next one', 0],
  ] as const)
    it(`are not parsed either where reads cut them: ${where}`, () => {
      const said = Array.from({ length: 200 }, (_, i) => `word ${String(i)} `);
      const [shape] = EVENT_SHAPES;
      const events = answerIn(shape!, { id: 'chatcmpl-1', words: said.length }, said);
      const all = Buffer.from(events.join(''));
      const ends = events.map((_, i) => Buffer.byteLength(events.slice(0, i + 1).join('')));
      const places =
        length > 0
          ? Array.from({ length: Math.floor(all.length / length) }, (_, i) => i * length)
          : ends.flatMap((end) => [end, end + 1, end + 40]);
      const reader = new ReplyReader();

      const { result, parsed } = countingParses(() =>
        cut(all, places).reduce((words, piece) => words + reader.read(piece), ''),
      );

      expect(result).to.equal(said.join(''));
      expect(parsed).to.be.at.most(events.length - said.length + 1);
    });

  for (const lineEnd of ['\n', '\r\n'])
    for (const shape of EVENT_SHAPES)
      it(`are not parsed, of ${shape.title} with ${JSON.stringify(lineEnd)}: only its first and last ones are`, () => {
        const said = Array.from({ length: 200 }, (_, i) => `word "${String(i)}"\n`);
        const events = answerIn(shape, { id: 'chatcmpl-1', words: said.length }, said);
        const reader = new ReplyReader();

        const { result, parsed } = countingParses(() =>
          reader.read(Buffer.from(events.join('').replaceAll('\n', lineEnd))),
        );

        expect(result).to.equal(said.join(''));
        // And what it has cost by the last one of those that tell it.
        expect(parsed).to.be.at.most(events.length - said.length + 1);
        expect(reader.finish(0).usage).to.include({ completionTokens: said.length });
      });
});

/** How many objects are made of JSON meanwhile. */
function countingParses<T>(work: () => T): { readonly result: T; readonly parsed: number } {
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (text: string, reviver?: (key: string, value: unknown) => unknown): unknown => {
    if (text.startsWith('{')) parsed += 1;
    return parse(text, reviver);
  };
  try {
    return { result: work(), parsed };
  } finally {
    JSON.parse = parse;
  }
}
