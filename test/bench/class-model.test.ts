import { expect } from 'chai';
import {
  type Behaviour,
  behaviourOf,
  modelName,
  rightAnswer,
  valueOf,
  wordsOf,
} from '../../bench/behaviour.js';
import { createAnswerReader } from '../../bench/load/answer-reader.js';
import { chunksFor } from '../../bench/model-answers.js';
import { createTurnLedger, markOf } from '../../bench/model-turns.js';

const GUIDE: Behaviour = {
  ...{ words: 5, everyMs: 0, calls: 2, tool: 'look_up', nextTool: 'look_up_slowly', tools: 2 },
  child: { id: 7, words: 3 },
};
const QUESTION = { role: 'user', content: `${markOf('u1-2')} Why?` };
const TOOLS = ['look_up', 'look_up_slowly', 'call_assistant_7'].map((name) => ({ function: { name } }));

const asked = (...results: readonly { tool_call_id: string; content: string }[]) => ({
  model: modelName(GUIDE),
  messages: [QUESTION, ...results.map((result) => ({ role: 'tool', ...result }))],
  tools: TOOLS,
});

const RESULTS = [
  { tool_call_id: 'call_1_key0', content: valueOf('key0') },
  { tool_call_id: 'call_1_key1', content: valueOf('key1') },
  { tool_call_id: 'call_1_child', content: wordsOf(3) },
];

function faultOf(results: typeof RESULTS): string | undefined {
  const reader = createAnswerReader();
  reader.read(chunksFor(asked(...results), 'chatcmpl-1').join(''));
  return reader.faultAgainst(rightAnswer(GUIDE));
}

describe('the model of an orchestrator in the benchmark', () => {
  it('is told in its name what to do', () => {
    expect(behaviourOf(modelName(GUIDE))).to.deep.equal(GUIDE);
  });

  it('asks for two tools and hands its question on to the other assistant', () => {
    const stream = chunksFor(asked(), 'chatcmpl-1').join('');

    const names = [...stream.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name);
    expect(names).to.deep.equal(['look_up', 'look_up_slowly', 'call_assistant_7']);
    expect(stream).to.include('[question u1-2] Why?');
  });

  it('answers rightly only when every result came back whole', () => {
    expect(faultOf(RESULTS)).to.equal(undefined);
    for (const [i, result] of RESULTS.entries()) {
      expect(faultOf(RESULTS.with(i, { ...result, content: result.content.slice(0, -2) }))).to.match(
        /missing/,
      );
    }
  });

  it('keeps the times of marked questions alone', () => {
    const ledger = createTurnLedger();

    ledger.begin(asked())?.end();
    ledger.begin(asked(...RESULTS));
    const unmarked = ledger.begin({ ...asked(), messages: [{ role: 'user', content: 'Why?' }] });

    expect(ledger.told().map(({ id, step }) => `${id} ${step}`)).to.deep.equal(['u1-2 calls', 'u1-2 answer']);
    expect(ledger.told().map(({ endedAt }) => endedAt !== undefined)).to.deep.equal([true, false]);
    expect(unmarked).to.equal(undefined);
  });
});
