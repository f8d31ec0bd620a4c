import { type Behaviour, CHAT } from '../behaviour.js';
import type { Message, Scenario } from '../bench.js';
import { OURS, RULES } from '../contenders.js';
import { cpuPerRequest, inTurn, warmUp } from '../rounds.js';
import { median } from '../statistics.js';

export const SHORT_CHAT: Behaviour = { ...CHAT, words: 20, tools: 1 };
const MORE_MESSAGES = 200;
const MORE_TOOLS = 100;

/** People and models in turn, in sentences of usual length; an odd number ends with a question. */
export const LONG_HISTORY: readonly Message[] = Array.from({ length: MORE_MESSAGES + 1 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `This is message ${String(i)} of a conversation about photosynthesis, in a sentence of usual length.`,
}));

/** What one more message of history costs, and one more tool on offer: the slope between few and many. */
export const growth: Scenario = {
  name: 'growth',
  async run(bench) {
    const able = bench.running.filter(({ contender }) => contender.runsTools);
    const judged = [OURS, RULES];
    const long = { behaviour: SHORT_CHAT, messages: LONG_HISTORY };
    const equipped = { behaviour: { ...SHORT_CHAT, tools: 1 + MORE_TOOLS } };
    await warmUp(bench, able, equipped.behaviour, judged);
    // Both by the same few of the same round.
    const forTools = new Map<string, number[]>();
    const messageUs = await inTurn(
      bench,
      able,
      async (competitor) => {
        const cpuOf = (asked: Asked) => cpuPerRequest(bench, competitor, asked);
        const few = await cpuOf({ behaviour: SHORT_CHAT });
        const perTool = ((await cpuOf(equipped)) - few) / MORE_TOOLS / 1000;
        const { name } = competitor.contender;
        forTools.set(name, [...(forTools.get(name) ?? []), perTool]);
        return ((await cpuOf(long)) - few) / MORE_MESSAGES / 1000;
      },
      judged,
    );
    const toolUs = Object.fromEntries(
      [...forTools].filter(([name]) => name in messageUs).map(([name, values]) => [name, median(values)]),
    );
    return { messageUs, toolUs };
  },
};

type Asked = Parameters<typeof cpuPerRequest>[2];
