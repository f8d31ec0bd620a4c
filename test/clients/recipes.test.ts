import { expect } from 'chai';
import type { Completion } from '../support/chat-client.js';
import { say } from '../support/fakes/model-script.js';
import { sharedService, type TestService } from '../support/test-service.js';

/** What programs of docs/clients.md send, whose own code is not at hand: each by what is known of its requests. */
describe('programs to chat with', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  const ask = async (body: object, key = world.service.adminKey) => {
    const { id, model } = await world.assistant([say('Leaves breathe.')]);
    const answer = await world.service.request<Completion>('/v1/chat/completions', {
      ...{ key, body: { model: `lamb_assistant.${String(id)}`, ...body } },
    });
    const [asked] = await world.model.ledger(model);
    return { ...answer, asked: asked?.body as unknown as Record<string, unknown> };
  };

  it('Open WebUI reads the list of models, and has a title made with metadata of its own', async () => {
    const { id } = await world.assistant([say('Leaves breathe.')]);
    const { json } = await world.service.request<{ object: string; data: { id: string }[] }>('/v1/models');
    const title = await ask({
      ...{ messages: [{ role: 'user', content: 'Make a title.' }], stream: false },
      ...{ max_completion_tokens: 1_000, metadata: { task: 'title_generation', chat_id: 'c-1' } },
    });

    expect(json.object).to.equal('list');
    expect(json.data.map((model) => model.id)).to.include(`lamb_assistant.${String(id)}`);
    expect(title.json.choices[0]?.message.content).to.equal('Leaves breathe.');
    expect(title.headers.get('x-ignored-parameters')).to.equal('metadata');
    expect(title.asked).not.to.have.property('metadata');
  });

  it('LibreChat sends its usual values, who asks, and a stream', async () => {
    const { id } = await world.assistant([say('Leaves breathe.')]);

    const stream = await world.service.stream(id, {
      ...{ messages: [{ role: 'user', content: 'What are stomata?' }], user: '665f1d' },
      ...{ temperature: 1, top_p: 1, presence_penalty: 0, frequency_penalty: 0 },
      stream_options: { include_usage: true },
    });

    const { text, done } = await stream.whole();
    expect([text, done]).to.deep.equal(['Leaves breathe.', true]);
    expect(stream.response.headers.get('x-ignored-parameters')).to.equal(null);
  });

  it('Continue brings tools in agent mode, which an assistant has to allow', async () => {
    const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];
    const messages = [{ role: 'user', content: 'What does this function do?' }];

    const refused = await ask({ messages, tools, max_tokens: 4_096 });
    const taken = await ask({ messages, max_tokens: 4_096 });

    expect([refused.status, refused.json.error?.code]).to.deep.equal([400, 'client_tools_not_allowed']);
    expect(taken.status).to.equal(200);
  });

  it('Moodle’s own AI sends a hash for who asks, and finds all that it reads', async () => {
    const hash = 'a'.repeat(64);
    const { id, model } = await world.assistant([say('Leaves breathe.')]);

    const { status, json, headers } = await world.service.request<Completion & { object: string }>(
      '/v1/chat/completions',
      {
        body: {
          ...{ model: `lamb_assistant.${String(id)}`, user: hash },
          messages: [
            { role: 'system', content: 'You will receive a text input from the user.' },
            { role: 'user', content: 'Summarise: stomata let gases pass.' },
          ],
        },
      },
    );
    const [asked] = await world.model.ledger(model);

    expect(status).to.equal(200);
    expect(json).to.include.keys(
      'id',
      'object',
      'created',
      'model',
      'choices',
      'usage',
      'system_fingerprint',
    );
    expect(json.choices[0]).to.deep.include({ finish_reason: 'stop' });
    expect(headers.get('x-ignored-parameters')).to.equal(null);
    expect(JSON.stringify(asked?.body)).not.to.contain(hash);
  });
});
