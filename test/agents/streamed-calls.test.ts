import { expect } from 'chai';
import fc from 'fast-check';
import { createLangChainReply, type Piece } from '../../agents/models/langchain.js';
import { createOllamaReader } from '../../agents/models/ollama.js';
import { ReplyReader } from '../../agents/models/openai.js';
import type { ToolCall } from '../../src/core/message.js';

interface Fragment {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const chunk = (fragments: readonly Fragment[], index = 0) => ({
  choices: [{ index, delta: { tool_calls: fragments } }],
});
const END = event({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
const bytes = (text: string) => new TextEncoder().encode(text);

function read(stream: string, { byParserAlone = false, slice = Infinity } = {}) {
  const reader = new ReplyReader({ byParserAlone });
  const all = bytes(stream);
  let text = '';
  for (let at = 0; at < all.length; at += Math.min(slice, all.length))
    text += reader.read(all.subarray(at, at + Math.min(slice, all.length)));
  return { ...reader.finish(0), text };
}

/** The same pieces as LangChain hands them on. */
function readPieces(groups: readonly (readonly Fragment[])[]): readonly ToolCall[] {
  const reply = createLangChainReply('added');
  for (const group of groups) {
    const tool_call_chunks = group.map(({ index, id, function: said }) => ({
      ...{ type: 'tool_call_chunk' as const, index, id, name: said?.name, args: said?.arguments },
    }));
    reply.read({ content: '', tool_call_chunks, additional_kwargs: {} } as unknown as Piece);
  }
  reply.read({ content: '', tool_call_chunks: [], additional_kwargs: {} }, { finish_reason: 'stop' });
  return reply.finish(0).toolCalls;
}

/** How a provider marks the pieces of a call, the first one and those after it. */
const MARKS: Readonly<Record<string, (n: number, isFirst: boolean) => Fragment>> = {
  'an index, and an id with the first': (n, isFirst) => ({
    index: n,
    ...(isFirst ? { id: `id ${String(n)}` } : {}),
  }),
  'an index and an id each': (n) => ({ index: n, id: `id ${String(n)}` }),
  'an index and no id': (n) => ({ index: n }),
  'an id and no index': (n) => ({ id: `id ${String(n)}` }),
  'an id, and one index for all': (n) => ({ index: 0, id: `id ${String(n)}` }),
};

const aCall = fc.record({
  name: fc.constantFrom('f', 'g', 'query_knowledge_base'),
  arguments: fc
    .dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 8 }))
    .map((one) => JSON.stringify(one)),
  cuts: fc.array(fc.nat(60), { maxLength: 4 }),
});

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, i) => text.slice(places[i], end));
}

/** Any order that keeps each call's own, and some pieces in one event. */
function mixed(calls: readonly (readonly Fragment[])[], turns: readonly number[]): Fragment[][] {
  const queues = calls.map((pieces) => [...pieces]);
  const groups: Fragment[][] = [];
  for (let i = 0; queues.some((queue) => queue.length > 0); i++) {
    const turn = turns[i % turns.length] ?? 0;
    const waiting = queues.filter((queue) => queue.length > 0);
    const next = waiting[turn % waiting.length]?.shift();
    if (!next) continue;
    const last = groups.at(-1);
    if (last && turn % 3 === 0) last.push(next);
    else groups.push([next]);
  }
  return groups;
}

const told = (calls: readonly ToolCall[]) => calls.map((call) => [call.name, call.arguments]);

describe('streamed calls', () => {
  for (const [what, marksOf] of Object.entries(MARKS)) {
    it(`with ${what} come out the same however they are cut and mixed`, () => {
      fc.assert(
        fc.property(
          fc.array(aCall, { minLength: 1, maxLength: 5 }),
          fc.array(fc.nat(50), { minLength: 1, maxLength: 30 }),
          fc.integer({ min: 1, max: 200 }),
          (calls, turns, slice) => {
            const pieces = calls.map((call, n) =>
              piecesOf(call.arguments, call.cuts).map((part, i) => ({
                ...marksOf(n, i === 0),
                function: { arguments: part, ...(i === 0 ? { name: call.name } : {}) },
              })),
            );
            const groups = mixed(pieces, turns);
            const stream = groups.map((group) => event(chunk(group))).join('') + END;
            const meant = calls.map((call) => [call.name, call.arguments]);

            for (const came of [
              read(stream, { slice }).toolCalls,
              read(stream, { byParserAlone: true }).toolCalls,
              readPieces(groups),
            ])
              expect(told(came)).to.have.deep.members(meant);
          },
        ),
      );
    });
  }

  it('without index or id are calls of their own when they have names', () => {
    const whole = (name: string) => ({ function: { name, arguments: `{"of":"${name}"}` } });

    for (const groups of [[[whole('a'), whole('b')]], [[whole('a')], [whole('b')]]]) {
      const { toolCalls } = read(groups.map((group) => event(chunk(group))).join('') + END);
      expect(told(toolCalls)).to.deep.equal([
        ['a', '{"of":"a"}'],
        ['b', '{"of":"b"}'],
      ]);
    }
  });

  it('that repeat an index without ids are told apart by their names', () => {
    const whole = (name: string) => ({ index: 0, function: { name, arguments: `{"of":"${name}"}` } });

    const { toolCalls } = read(event(chunk([whole('a'), whole('b')])) + END);

    expect(told(toolCalls)).to.deep.equal([
      ['a', '{"of":"a"}'],
      ['b', '{"of":"b"}'],
    ]);
  });

  it('take a piece that carries nothing while there is only one it can belong to', () => {
    const opening = event(chunk([{ id: 'x', function: { name: 'a', arguments: '' } }]));
    const rest = ['{"of"', ':"a"}'].map((part) => event(chunk([{ function: { arguments: part } }])));

    expect(told(read(opening + rest.join('') + END).toolCalls)).to.deep.equal([['a', '{"of":"a"}']]);
  });

  it('are given up on, and none of them is run, when a piece could belong to several', () => {
    const openings = ['a', 'b'].map((id) => event(chunk([{ id, function: { name: id, arguments: '' } }])));
    const stray = event(chunk([{ function: { arguments: '{"of":"a"}' } }]));

    expect(() => read(openings.join('') + stray + END))
      .to.throw('cannot be told apart')
      .with.property('code', 'upstream_incomplete');
  });

  it('of another choice are not taken, nor are its words', () => {
    const other = {
      tool_calls: [{ index: 0, id: 'x', function: { name: 'evil', arguments: '{}' } }],
      content: 'no',
    };
    const streams = [
      event({ choices: [{ index: 1, delta: other }] }),
      event({
        choices: [
          { index: 0, delta: { content: 'yes' } },
          { index: 1, delta: other },
        ],
      }),
      event({
        choices: [
          { index: 1, delta: other },
          { index: 0, delta: { content: 'yes' } },
        ],
      }),
      event({ choices: [{ delta: { content: 'yes' } }, { delta: other }] }),
    ];

    for (const [i, stream] of streams.entries()) {
      const { toolCalls, text } = read(stream + END);
      expect(toolCalls).to.deep.equal([]);
      expect(text).to.equal(i === 0 ? '' : 'yes');
    }
  });

  it('and words after [DONE] are not passed on', () => {
    const word = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
    const late =
      word(' late') + word(' and later') + event(chunk([{ index: 0, id: 'x', function: { name: 'evil' } }]));

    for (const byParserAlone of [false, true])
      for (const slice of [1, 7, Infinity]) {
        const { text, toolCalls } = read(word('one') + word(' two') + event('[DONE]') + late, {
          ...{ byParserAlone, slice },
        });
        expect([text, toolCalls]).to.deep.equal(['one two', []]);
      }
  });

  it('and words after the last line of Ollama are not passed on', () => {
    const line = (message: object, done = false) =>
      `${JSON.stringify({ message, done, done_reason: 'stop' })}\n`;
    const evil = { content: ' late', tool_calls: [{ function: { name: 'evil', arguments: {} } }] };
    const reader = createOllamaReader();

    const said = [...reader.read(bytes(line({ content: 'one' }) + line({ content: '' }, true) + line(evil)))];

    expect(said).to.deep.equal(['one']);
    expect(reader.finish(0)).to.deep.include({ toolCalls: [] });
  });
});
