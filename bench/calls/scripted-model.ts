import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Say, WrittenCall } from './scripts.js';

/** A model behind OpenAI's protocol that says what it was told to, whatever it is asked. */
export interface ScriptedModel {
  readonly url: string;
  /** From now on, and from the beginning. */
  play(says: readonly Say[]): void;
  stop(): Promise<void>;
}

const PIECE = 7;

export async function startScriptedModel(): Promise<ScriptedModel> {
  let script: readonly Say[] = [];
  let answers = 0;
  const server = createServer((req, res) => {
    const answer = async () => {
      const { messages } = (await json(req)) as { readonly messages: readonly { readonly role: string }[] };
      const place = messages.filter(({ role }) => role === 'assistant').length;
      const id = `chatcmpl-${String(++answers)}`;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(framesOf(script[place] ?? { text: 'Done.' }, id).join(''));
    };
    answer().catch((fault: unknown) => res.destroy(fault as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    play(says) {
      script = says;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function framesOf(say: Say, id: string): string[] {
  const frame = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'calls', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const said =
    'text' in say
      ? [frame({ role: 'assistant', content: say.text }), frame({}, 'stop')]
      : [
          frame({ role: 'assistant', content: null }),
          ...say.calls.flatMap((call, index) => callDeltas(call, index, id).map((delta) => frame(delta))),
          frame({}, 'tool_calls'),
        ];
  return [...said, 'data: [DONE]\n\n'];
}

/** As models do it: the name first, the arguments in pieces. */
function callDeltas({ name, arguments: args }: WrittenCall, index: number, id: string): object[] {
  const delta = (more: object) => ({ tool_calls: [{ index, ...more }] });
  const pieces = Array.from({ length: Math.ceil(args.length / PIECE) }, (_, i) =>
    args.slice(i * PIECE, (i + 1) * PIECE),
  );
  return [
    delta({
      ...{ id: `call_${id.replace(/\D/g, '')}_${String(index)}`, type: 'function' },
      function: { name, arguments: '' },
    }),
    ...pieces.map((piece) => delta({ function: { arguments: piece } })),
  ];
}
