import { type Behaviour, CHAT, SLOW_TOOL_MS } from '../behaviour.js';
import { type Bench, directQuestion, type Figures, questionFor, type Scenario } from '../bench.js';
import { OURS } from '../contenders.js';
import { reasonOf } from '../rounds.js';
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
  const most = behaviour.calls > 0 ? settings.toolPairs : settings.chatPairs;
  const measured: [string, number][] = [];
  for (const { contender, stand } of running) {
    if (behaviour.calls > 0 && !contender.runsTools) continue;
    const pairs = contender.name === OURS ? most : Math.ceil(most / 3);
    const job = {
      kind: 'first-token' as const,
      direct: {
        question: directQuestion(modelUrl, behaviour),
        toolMs: behaviour.calls > 0 ? SLOW_TOOL_MS : 0,
      },
      question: await questionFor(stand, behaviour),
    };
    try {
      await load.do({ ...job, pairs: Math.ceil(pairs / 5) });
      const { directMs, throughMs } = await load.do({ ...job, pairs });
      measured.push([contender.name, median(throughMs) - median(directMs)]);
    } catch (fault) {
      bench.fail(contender.name, reasonOf(fault));
    }
  }
  bench.say(behaviour.calls === 0 ? 'chat' : `${String(behaviour.calls)} of ${String(SLOW_TOOL_MS)} ms`);
  return Object.fromEntries(measured);
}
