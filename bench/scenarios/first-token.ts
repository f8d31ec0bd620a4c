import { type Behaviour, CHAT, SLOW_TOOL_MS } from '../behaviour.js';
import { type Bench, directQuestion, type Figures, questionFor, type Scenario } from '../bench.js';
import { FLOOR, OURS, RULES } from '../contenders.js';
import { inTurn } from '../rounds.js';
import { median } from '../statistics.js';

const SHORT_CHAT: Behaviour = { ...CHAT, words: 20 };
const slowCalls = (calls: number): Behaviour => ({
  ...SHORT_CHAT,
  ...{ calls, tool: 'look_up_slowly', tools: 3 },
});

/** How much later the first word comes than by asking the model oneself, and waiting for the tools oneself. */
export const firstToken: Scenario = {
  name: 'first-token',
  async run(bench) {
    return {
      firstChatMs: await measure(bench, SHORT_CHAT),
      firstOneToolMs: await measure(bench, slowCalls(1)),
      firstThreeToolsMs: await measure(bench, slowCalls(3)),
    };
  },
};

async function measure(bench: Bench, behaviour: Behaviour): Promise<Figures> {
  const { load, settings, modelUrl, running } = bench;
  const { calls } = behaviour;
  const pairs = calls > 0 ? settings.toolPairs : settings.chatPairs;
  const direct = {
    question: directQuestion(modelUrl, behaviour),
    toolMs: calls > 0 ? SLOW_TOOL_MS : 0,
  };
  bench.say(calls === 0 ? 'chat' : `${String(calls)} of ${String(SLOW_TOOL_MS)} ms`);
  const able = running.filter(({ contender }) => calls === 0 || contender.runsTools);
  return await inTurn(
    bench,
    able,
    async ({ stand }) => {
      const job = { kind: 'first-token' as const, direct, question: await questionFor(stand, behaviour) };
      await load.do({ ...job, pairs: Math.ceil(pairs / 5) });
      const { directMs, throughMs } = await load.do({ ...job, pairs });
      return median(throughMs) - median(directMs);
    },
    [OURS, RULES, FLOOR],
  );
}
