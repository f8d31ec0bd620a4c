import { expect } from 'chai';
import { type Behaviour, CHAT } from '../../bench/behaviour.js';
import { questionFor } from '../../bench/bench.js';
import { CONTENDERS, OURS, RULES, type Stand } from '../../bench/contenders.js';
import { type Running, startNode } from '../../bench/processes.js';

const ONE_TOOL: Behaviour = { ...CHAT, words: 20, calls: 1, tools: 3 };
const THREE_TOOLS: Behaviour = { ...ONE_TOOL, calls: 3 };

/** It is told as the least that the rules cost: whatever it left out, its figure would be no figure of the rules. */
describe('the rules alone, in the benchmark', function () {
  this.timeout(60_000);
  let model: Running;
  let stands: readonly Stand[] = [];
  before(async () => {
    model = await startNode(['bench/model-server.ts']);
    const kept = [OURS, RULES].map((name) => CONTENDERS.find((contender) => contender.name === name));
    stands = await Promise.all(kept.map((contender) => contender!.start(model.url)));
  });
  after(async () => {
    for (const stand of stands) await stand.stop();
    await model.stop();
  });

  /** Headers and frames without what differs from run to run: ids, times, the name of the model. */
  async function told(stand: Stand, behaviour: Behaviour) {
    const { url, key, body } = await questionFor(stand, behaviour);
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body,
    });
    const events = (await response.text()).trimEnd().split('\n\n');
    const frames = events.map((event) =>
      event
        .replace(/chatcmpl-[\w-]+/, 'chatcmpl-')
        .replace(/"run_[\da-f-]+"/, '"run_"')
        .replace(/"created":\d+/, '"created":0')
        .replace(/"model":"[^"]+"/, '"model":""')
        .replace(/call_\d+/, 'call_')
        .replace(/"ms":\d+/, '"ms":0'),
    );
    const headers = [...response.headers.keys()].filter((name) => name !== 'keep-alive');
    return { status: response.status, headers, ids: new Set(events.map(idOf)).size, frames };
  }

  for (const [what, behaviour] of [
    ['without tools', CHAT],
    ['with a tool', ONE_TOOL],
    ['with three at once', THREE_TOOLS],
  ] as const) {
    it(`tell a chat ${what} in the frames of the service`, async () => {
      const [ours, rules] = await Promise.all(stands.map((stand) => told(stand, behaviour)));

      // What is read at once is one frame, and what is read at once differs.
      expect({ ...rules, frames: whole(rules!.frames) }).to.deep.equal({
        ...ours,
        frames: whole(ours!.frames),
      });
    });
  }

  it('turn away whoever they do not know, and what is no question', async () => {
    const answers = await Promise.all(
      stands.map(async (stand) => {
        const ask = async (key: string, body: string) =>
          (
            await fetch(`${stand.url}/v1/chat/completions`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
              body,
            })
          ).status;
        return [await ask('nobody', '{}'), await ask(stand.key, '{'), await ask(stand.key, '{"model":"x"}')];
      }),
    );

    expect(answers).to.deep.equal([
      [401, 400, 400],
      [401, 400, 400],
    ]);
  });
});

const idOf = (event: string) => /"id":"([^"]+)"/.exec(event)?.[1];

/** With the words of frames that follow each other in one. */
function whole(frames: readonly string[]): string[] {
  const content = /"delta":\{"content":"([^"]*)"\}/;
  return frames.reduce<string[]>((together, frame) => {
    const last = together.at(-1) ?? '';
    const words = content.exec(frame)?.[1];
    const before = content.exec(last)?.[1];
    if (words === undefined || before === undefined) return [...together, frame];
    return [...together.slice(0, -1), last.replace(`"${before}"`, `"${before}${words}"`)];
  }, []);
}
