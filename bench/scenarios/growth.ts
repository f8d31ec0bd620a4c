import { type Behaviour, CHAT } from '../behaviour.js';
import type { Bench, Competitor, Figures, Message, Scenario } from '../bench.js';
import { OURS, RULES } from '../contenders.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';

const SHORT_CHAT: Behaviour = { ...CHAT, words: 20, tools: 1 };
const MORE_MESSAGES = 200;
const MORE_TOOLS = 100;

/** What one more message of history costs, and one more tool on offer: the slope between few and many. */
export const growth: Scenario = {
  name: 'growth',
  async run(bench) {
    const able = bench.running.filter(({ contender }) => contender.runsTools);
    await warmUp(bench, able, { ...SHORT_CHAT, tools: 1 + MORE_TOOLS });
    const few = { behaviour: SHORT_CHAT };
    const long = { behaviour: SHORT_CHAT, messages: conversation(MORE_MESSAGES + 1) };
    const equipped = { behaviour: { ...SHORT_CHAT, tools: 1 + MORE_TOOLS } };
    return {
      messageUs: await slope(bench, able, { few, many: long, more: MORE_MESSAGES }),
      toolUs: await slope(bench, able, { few, many: equipped, more: MORE_TOOLS }),
    };
  },
};

type Asked = Parameters<typeof cpuPerRequest>[2];

interface Steps {
  readonly few: Asked;
  readonly many: Asked;
  /** How many more. */
  readonly more: number;
}

function slope(bench: Bench, able: readonly Competitor[], { few, many, more }: Steps): Promise<Figures> {
  const measure = async (competitor: Competitor) => {
    const before = await cpuPerRequest(bench, competitor, few);
    const after = await cpuPerRequest(bench, competitor, many);
    return (after - before) / more / 1000;
  };
  return inTurn(bench, able, measure, [OURS, RULES]);
}

/** People and models in turn, in sentences of usual length; an odd number ends with a question. */
function conversation(length: number): Message[] {
  return Array.from({ length }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `This is message ${String(i)} of a conversation about photosynthesis, in a sentence of usual length.`,
  }));
}
