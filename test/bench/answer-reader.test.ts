import { expect } from 'chai';
import { CHAT, modelName, rightAnswer } from '../../bench/behaviour.js';
import { createAnswerReader } from '../../bench/load/answer-reader.js';
import { chunksFor } from '../../bench/model-answers.js';

const SHORT = { ...CHAT, words: 5 };

const framesOf = (behaviour: typeof SHORT, messages: object[] = []) =>
  chunksFor({ model: modelName(behaviour), messages: messages as never }, 'chatcmpl-1');

function faultOf(pieces: readonly string[]): string | undefined {
  const reader = createAnswerReader();
  pieces.forEach((piece) => reader.read(piece));
  return reader.faultAgainst(rightAnswer(SHORT));
}

describe('what the benchmark takes for an answer', () => {
  it('is the whole of what the model said, however it was sliced', () => {
    const stream = framesOf(SHORT).join('');

    expect(faultOf([stream])).to.equal(undefined);
    expect(faultOf(Array.from(stream))).to.equal(undefined);
  });

  it('may carry several words in one frame', () => {
    const frame = { choices: [{ delta: { content: rightAnswer(SHORT) } }] };

    expect(faultOf([`data: ${JSON.stringify(frame)}\n\ndata: [DONE]\n\n`])).to.equal(undefined);
  });

  it('lacks no word and no end', () => {
    const frames = framesOf(SHORT);

    expect(faultOf(frames.filter((frame) => !frame.includes('word3')))).to.match(/not what the model said/);
    expect(faultOf(frames.slice(0, -1))).to.match(/without \[DONE\]/);
  });

  it('has its words in order', () => {
    const frames = framesOf(SHORT);
    const third = frames.findIndex((frame) => frame.includes('word3'));
    const swapped = frames.with(third, frames[third + 1]!).with(third + 1, frames[third]!);

    expect(faultOf(swapped)).to.match(/not what the model said/);
  });

  it('holds no error', () => {
    const error = 'data: {"error":{"message":"no"}}\n\n';

    expect(faultOf([error, ...framesOf(SHORT)])).to.match(/told an error/);
  });

  it('is made with the results of the tools, each under the id of its own call', () => {
    const behaviour = { ...SHORT, calls: 2, tools: 1 };
    const answerTo = (contents: readonly string[]) => {
      const messages = contents.map((content, call) => ({
        role: 'tool',
        tool_call_id: `call_1_key${String(call)}`,
        content,
      }));
      const reader = createAnswerReader();
      reader.read(framesOf(behaviour, messages).join(''));
      return reader.faultAgainst(rightAnswer(behaviour));
    };

    expect(answerTo(['value-of-key0', 'value-of-key1'])).to.equal(undefined);
    expect(answerTo(['value-of-key1', 'value-of-key0'])).to.match(/not what the model said/);
    expect(answerTo(['value-of-key0'])).to.match(/not what the model said/);
  });
});
