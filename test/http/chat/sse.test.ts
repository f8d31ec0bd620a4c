import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { nextTick } from 'node:process';
import { expect } from 'chai';
import type { Ending, Listener, Say } from '../../../src/core/runs/event.js';
import { unavailable } from '../../../src/core/errors.js';
import type { Frames } from '../../../src/http/chat/openai-wire.js';
import { sendStream } from '../../../src/http/chat/sse.js';

const FRAMES: Frames = {
  role: () => '<role>',
  text: (text) => text,
  status: ({ type }) => `<${type}>`,
  heartbeat: () => '<beat>',
  end: () => '<end>',
  usage: () => '<usage>',
  error: ({ code }) => `<${code}>`,
  done: () => '<done>',
};

/** A client that takes what it is sent, unless it is slow. */
function aClient() {
  const client = Object.assign(new EventEmitter(), {
    writes: [] as string[],
    isSlow: false,
    destroyed: false,
    writeHead: () => undefined,
    write(text: string) {
      client.writes.push(text);
      client.emit('written');
      return !client.isSlow;
    },
    end(text: string) {
      client.writes.push(`${text}|`);
    },
  });
  return client;
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const ENDING = {} as Ending;

async function send(
  client: ReturnType<typeof aClient>,
  answer: (say: Say) => Promise<Ending>,
  options: { readonly includeUsage?: boolean; readonly heartbeatMs?: number } = {},
): Promise<void> {
  const { includeUsage = false, heartbeatMs = 60_000 } = options;
  const start = async ({ say, tell }: Listener) => {
    await tell({ type: 'run.started', run_id: 'run_1' });
    return await answer(say);
  };
  await sendStream(client as unknown as ServerResponse, start, {
    frames: FRAMES,
    includeUsage,
    heartbeatMs,
  });
}

describe('the writer of streams', () => {
  it('sends the frames of one turn in one write, and the end together with what still waits', async () => {
    const client = aClient();

    await send(client, async (say) => {
      await say('a');
      await nextTurn();
      await say('b');
      await say('c');
      await nextTurn();
      await say('d');
      return ENDING;
    });
    await nextTurn();

    expect(client.writes).to.deep.equal(['<role><run.started>a', 'bc', 'd<end><done>|']);
  });

  it('sends words before anything is done about the end of the answer', async () => {
    const client = aClient();
    let sent: readonly string[] = [];

    await send(client, async (say) => {
      await new Promise<void>((resolve) => {
        // As one read of a provider's answer is handed on.
        nextTick(() => {
          void say('a');
          resolve();
        });
      });
      sent = [...client.writes];
      return ENDING;
    });

    expect(sent).to.deep.equal(['<role><run.started>a']);
  });

  it('tells what happens on the way a turn later: by then the model has been asked', async () => {
    const client = aClient();
    const writes: number[] = [];

    await send(client, async () => {
      for (let turn = 1; turn <= 2; turn++) {
        await nextTurn();
        writes.push(client.writes.length);
      }
      return ENDING;
    });

    expect(writes).to.deep.equal([0, 1]);
  });

  it('asks for nothing more while the client is slow, and goes on when it has caught up', async () => {
    const client = aClient();
    client.isSlow = true;
    let told = 0;

    const sent = send(client, async (say) => {
      for (;;) {
        told += 1;
        await say(String(told));
        await nextTurn();
        if (told === 3) return ENDING;
      }
    });
    for (let i = 0; i < 10; i++) await nextTurn();
    const whileSlow = [told, [...client.writes]];
    client.isSlow = false;
    client.emit('drain');
    await sent;

    // The second was on its way already when the first turned out to be too much.
    expect(whileSlow).to.deep.equal([2, ['<role><run.started>1', '2']]);
    expect(client.writes.join('')).to.equal('<role><run.started>123<end><done>|');
  });

  it('does not wait for ever for a slow client that has left', async () => {
    const client = aClient();
    client.isSlow = true;

    const sent = send(client, async (say) => {
      await say('a');
      await nextTurn();
      await say('b');
      return ENDING;
    });
    for (let i = 0; i < 5; i++) await nextTurn();
    client.destroyed = true;
    client.emit('close');

    await sent;
    expect(client.writes[0]).to.equal('<role><run.started>a');
  });

  it('leaves no listener behind, however often the client was slow', async () => {
    const client = aClient();
    client.isSlow = true;
    client.on('written', () => setImmediate(() => client.emit('drain')));

    await send(client, async (say) => {
      for (let i = 0; i < 30; i++) {
        await say('a');
        await nextTurn();
        await nextTurn();
      }
      return ENDING;
    });
    await nextTurn();

    expect([client.listenerCount('drain'), client.listenerCount('close')]).to.deep.equal([0, 0]);
  });

  it('beats when it has been silent for so long, and not while it speaks', async () => {
    const client = aClient();
    const heartbeatMs = 20;
    const wroteAt: number[] = [];
    client.on('written', () => {
      wroteAt.push(performance.now());
    });
    const beats = () => client.writes.filter((frame) => frame === '<beat>');

    await send(
      client,
      async (say) => {
        const until = performance.now() + 3 * heartbeatMs;
        while (performance.now() < until) {
          await say('a');
          await nextTurn();
        }
        const before = beats().length;
        while (beats().length < before + 2) await nextTurn();
        return ENDING;
      },
      { heartbeatMs },
    );

    expect(client.writes.join('')).to.match(/^<role><run.started>a(a|<beat>)*(<beat>){2}<end><done>\|$/);
    const silences = client.writes.flatMap((frame, i) =>
      frame === '<beat>' ? [wroteAt[i]! - wroteAt[i - 1]!] : [],
    );
    expect(Math.min(...silences)).to.be.at.least(heartbeatMs);
  });

  it('tells a fault in its last frame, with no end after it', async () => {
    const client = aClient();

    await send(client, async (say) => {
      await say('a');
      await nextTurn();
      throw unavailable('Busy.', 'busy');
    });

    expect(client.writes).to.deep.equal(['<role><run.started>a', '<busy>|']);
  });

  it('sends usage before the last frame when it was asked for', async () => {
    const client = aClient();

    await send(
      client,
      async (say) => {
        await say('a');
        return Promise.resolve(ENDING);
      },
      { includeUsage: true },
    );

    expect(client.writes).to.deep.equal(['<role><run.started>a<end><usage><done>|']);
  });
});
