import { expect } from 'chai';
import type { Frame } from '../../support/chat-client.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, hang, say } from '../../support/fakes/model-script.js';
import { mcpUrl } from '../../support/mcp/client.js';
import type { ServiceClient } from '../../support/service.js';
import { aForm } from '../../http/support/file-client.js';
import { asking } from '../asked-model.js';
import { eventually } from '../eventually.js';
import type { Installation } from '../installation.js';

const LOOK_UP = {
  name: 'look_up',
  description: 'Looks up a word in the client’s own dictionary.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};
const CALL = call('look_up', { word: 'sirimiri' });
const WITHIN_MS = 1_000;

interface Response {
  readonly id: string;
  readonly output: readonly { readonly call_id?: string; readonly content?: readonly { text: string }[] }[];
}

export function rulesOfChats(at: () => Installation): void {
  const replica = (i: number) => at().replicas[i]!;
  const runAt = (service: ServiceClient, runId: string | null) =>
    service.request<{ status: string; iterations: number }>(`/lamb/v1/runs/${runId ?? ''}`);

  it('a conversation goes on wherever its next question comes to', async () => {
    const { id, metadata } = await at().assistant();
    let conversation_id = 'new';
    for (const words of ['One.', 'Two.', 'Three.']) {
      const messages = [{ role: 'user', content: asking(say(words)) }];
      const answer = await at().chat(id, { messages, conversation_id });
      conversation_id = answer.headers.get('x-conversation-id') ?? '';
    }

    const last = (await at().model.ledger(String(metadata['llm']))).at(-1)!.body.messages;
    const said = last.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    expect(said).to.deep.equal(['One.', 'Two.']);
  });

  it('an approval that a stream at one asks for is given at another', async () => {
    const file = `${uniqueName('plan')}.md`;
    await replica(0).request('/lamb/v1/files', { body: aForm('old\n', `notes/${file}`) });
    const changes = [{ line_start: 1, line_end: 1, old_content: 'old', new_content: 'new' }];
    const { id } = await at().assistant({
      tools: [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }],
    });

    const stream = await replica(0).stream(id, asking(call('patch_file', { file_path: file, changes })));
    const path = `/lamb/v1/runs/${stream.response.headers.get('x-run-id') ?? ''}/approvals`;
    const frames: Frame[] = [];
    const answers: number[] = [];
    for await (const frame of stream.frames) {
      frames.push(frame);
      const asked = frame === '[DONE]' ? undefined : frame.x_bellwether;
      if (asked?.type !== 'approval.required') continue;
      const open = await replica(2).request<{ data: unknown[] }>(path);
      expect(open.json.data).to.have.length(1);
      const body = { call_id: asked.call_id, approve: true };
      answers.push((await replica(1).request(path, { body })).status);
    }

    expect(answers).to.deep.equal([200]);
    expect(frames.at(-1)).to.equal('[DONE]');
    expect((await replica(2).request(`/lamb/v1/files/notes/${file}`)).text).to.equal('new\n');
  });

  it('an answer that waits for a tool of its client at one goes on at another, once', async () => {
    const tools = [{ type: 'function', function: LOOK_UP }];
    const { id } = await at().assistant({ steps: [CALL, say('A fine rain.')], metadata: CLIENT_TOOLS });
    const question = { role: 'user', content: 'What does it mean?' };

    const begun = await replica(0).chat(id, { messages: [question], tools });
    const message = begun.json.choices[0]!.message as unknown as { tool_calls: { id: string }[] };
    const result = { role: 'tool', tool_call_id: message.tool_calls[0]!.id, content: 'a fine rain' };
    const body = { messages: [question, message, result], tools };
    const answers = await Promise.all([1, 2].map((i) => replica(i).chat(id, body)));

    const told = answers.filter(({ status }) => status === 200);
    expect(told.map(({ json }) => json.choices[0]!.message.content)).to.deep.equal(['A fine rain.']);
    const run = await runAt(replica(0), begun.headers.get('x-run-id'));
    expect(run.json).to.include({ status: 'completed', iterations: 2 });
  });

  it('a response that one has given is gone on from at another', async () => {
    const { id } = await at().assistant({ steps: [CALL, say('A fine rain.')], metadata: CLIENT_TOOLS });
    const model = `lamb_assistant.${String(id)}`;
    const tools = [{ type: 'function', strict: false, ...LOOK_UP }];
    const ask = (i: number, body: object) =>
      replica(i).request<Response>('/v1/responses', { body: { model, tools, ...body } });

    const first = await ask(0, { input: 'What does it mean?' });
    const { call_id } = first.json.output.find((item) => item.call_id !== undefined)!;
    const input = [{ type: 'function_call_output', call_id, output: 'a fine rain' }];
    const last = await ask(1, { input, previous_response_id: first.json.id });

    expect(last.status, last.text).to.equal(200);
    expect(last.json.output.at(-1)!.content?.[0]?.text).to.equal('A fine rain.');
    const kept = await replica(2).request<Response>(`/v1/responses/${last.json.id}`);
    expect(kept.json.output).to.deep.equal(last.json.output);
  });

  it('a call over MCP at one is cancelled at another', async () => {
    const city = uniqueName('Slowtown');
    const send = (i: number, body: object) =>
      fetch(mcpUrl(replica(i)), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${at().adminKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': city,
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      });

    const params = { name: 'weather', arguments: { city } };
    const calling = send(0, { id: 7, method: 'tools/call', params }).then(
      (answer) => answer.text(),
      () => 'ended',
    );
    await at().weather.waitFor(city, { requests: 1 });
    const cancelled = await send(1, { method: 'notifications/cancelled', params: { requestId: 7 } });
    const cancelledAt = Date.now();
    const [row] = await at().weather.waitFor(city, { closed: 1 }, 5_000);
    await calling;

    expect(cancelled.status).to.equal(202);
    expect(row!.closedAt! - cancelledAt).to.be.lessThan(WITHIN_MS);
  });

  it('who leaves the proxy has left: the model is hung up on, and the run is on record everywhere', async () => {
    const { id, metadata } = await at().assistant({ steps: [hang(2)] });
    const llm = String(metadata['llm']);
    const leaving = new AbortController();

    const stream = await at().stream(id, 'Hello?', { signal: leaving.signal });
    await at().model.waitFor(llm, { requests: 1 });
    leaving.abort();
    await at().model.waitFor(llm, { closed: 1 }, 5_000);

    for (const service of at().replicas) {
      const look = () => runAt(service, stream.response.headers.get('x-run-id'));
      await eventually(look, ({ json }) => json.status === 'cancelled', 5_000);
    }
  });
}

const CLIENT_TOOLS = { client_tools: 'allow' };
