import { type Behaviour, CHAT } from '../behaviour.js';
import type { Bench, Figures, Message, Scenario } from '../bench.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';

const SHORT_CHAT: Behaviour = { ...CHAT, words: 20, tools: 1 };
const MORE_MESSAGES = 200;
const MORE_TOOLS = 100;

/** What one more message of history costs, and one more tool on offer: the slope between few and many. */
export const growth: Scenario = {
  name: 'growth',
  async run(bench) {
    const few = { behaviour: SHORT_CHAT };
    const long = { behaviour: SHORT_CHAT, messages: conversation(MORE_MESSAGES + 1) };
    const equipped = { behaviour: { ...SHORT_CHAT, tools: 1 + MORE_TOOLS } };
    return {
      messageUs: await slope(bench, [few, long], MORE_MESSAGES),
      toolUs: await slope(bench, [few, equipped], MORE_TOOLS),
    };
  },
};

type Asked = Parameters<typeof cpuPerRequest>[2];

async function slope(bench: Bench, [few, many]: readonly [Asked, Asked], more: number): Promise<Figures> {
  const able = bench.running.filter(({ contender }) => contender.runsTools);
  await warmUp(bench, able, many.behaviour);
  return await inTurn(bench, able, async (competitor) => {
    const before = await cpuPerRequest(bench, competitor, few);
    const after = await cpuPerRequest(bench, competitor, many);
    return (after - before) / more / 1000;
  });
}

/** People and models in turn, in sentences of usual length; an odd number ends with a question. */
function conversation(length: number): Message[] {
  return Array.from({ length }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `This is message ${String(i)} of a conversation about photosynthesis, in a sentence of usual length.`,
  }));
}
