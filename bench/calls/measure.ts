import type { CallCase } from './case.js';
import type { CallContender } from './contenders.js';
import { startScriptedModel } from './scripted-model.js';
import { scriptsOf } from './scripts.js';
import { added, NOTHING, type Tally, tallyOf } from './tally.js';

/** By category. One case after another: the model plays one script at a time. */
export type Found = ReadonlyMap<string, Tally>;

export async function measureCalls(cases: readonly CallCase[], contender: CallContender): Promise<Found> {
  const model = await startScriptedModel();
  try {
    const stand = await contender.start(model.url);
    try {
      const found = new Map<string, Tally>();
      for (const asked of cases) {
        for (const script of scriptsOf(asked)) {
          model.play(script.says);
          // A call that is wrong is made in the first turn, and the others are not asked.
          const turns = script.wrong > 0 ? asked.turns.slice(0, 1) : asked.turns;
          const tally = tallyOf(script, await stand.play({ ...asked, turns }));
          found.set(asked.category, added(found.get(asked.category) ?? NOTHING, tally));
        }
      }
      return found;
    } finally {
      await stand.stop();
    }
  } finally {
    await model.stop();
  }
}
