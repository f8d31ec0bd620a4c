import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, say } from '../support/fakes/model-script.js';
import { giveFile } from '../support/owner-files.js';
import { putTools } from '../http/support/users-fixture.js';
import { sharedService, type TestService } from '../support/test-service.js';

const entry = (file_path: string, more: object = {}, config: object = {}) => ({
  type: 'single_file_rag',
  enabled: true,
  mode: 'placeholder',
  config: { file_path, ...config },
  ...more,
});

describe('single_file_rag', () => {
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const someFile = async (text: string) => {
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, text);
    return path;
  };

  it('is offered as read_file, without parameters, and brings the text with its source', async () => {
    const path = await someFile('Cells divide.');
    const assistant = await world.assistant([call('read_file', {}), say('They divide.')], {
      tools: [entry(path, { mode: 'function' })],
    });

    const { json } = await world.service.chat(assistant.id, 'Cells?');

    const requests = await world.model.ledger(assistant.model);
    const { name, parameters } = requests[0]!.body.tools![0]!.function;
    expect(name).to.equal('read_file');
    expect(parameters).to.deep.include({ properties: {}, additionalProperties: false });
    expect(requests[1]!.body.messages.at(-1)!.content).to.equal('Cells divide.');
    const [{ url, ...source } = { url: '' }] = json.x_bellwether.sources as readonly { url: string }[];
    expect(source).to.deep.equal({ n: 1, title: path, type: 'file', path, chars: 13, cited: false });
    expect(json.x_bellwether.tools[0]).to.deep.include({ facts: { chars: 13, truncated: false } });
    const shown = await fetch(url);
    expect(shown.headers.get('content-type')).to.contain('text/plain');
    expect(await shown.text()).to.equal('Cells divide.');
  });

  it('is shown by its source as far as it was read, and only while the assistant reads it', async () => {
    const path = await someFile('Cells divide, and more that nobody is to see.');
    const tools = [entry(path, { mode: 'function' }, { max_chars: 13 })];
    const assistant = await world.assistant([call('read_file', {}), say('They divide.')], { tools });
    const { json } = await world.service.chat(assistant.id, 'Cells?');
    const [source] = json.x_bellwether.sources as readonly { url: string }[];
    const url = source!.url;
    const shown = await fetch(url);
    const forged = await fetch(`${url.slice(0, -2)}xx`);

    await putTools(world.service, assistant.id, []);
    const taken = await fetch(url);

    expect(await shown.text()).to.equal('Cells divide,');
    expect([forged.status, taken.status]).to.deep.equal([404, 404]);
    expect(json.x_bellwether.tools[0]).to.deep.include({ facts: { chars: 13, truncated: true } });
  });

  it('reads no more than its author allows, and says that it stopped', async () => {
    const path = await someFile('a'.repeat(1000));
    const assistant = await world.assistant([say('ok')], {
      prompt_template: '{file}',
      tools: [entry(path, {}, { max_chars: 10 })],
    });

    await world.service.chat(assistant.id, '');

    const [request] = await world.model.ledger(assistant.model);
    expect(request!.body.messages.at(-1)!.content).to.match(
      /^a{10}\n\[cut: only the first 10 characters are shown\]/,
    );
  });

  it("finds no file outside the owner's own store, in the same words as one that is not there", async () => {
    const paths = ['../../bellwether.db', '/etc/passwd', 'no-such-file.md'];
    const answers = await Promise.all(
      paths.map(async (path) => {
        const assistant = await world.assistant([say('ok')], {
          prompt_template: '[{file}] {user_input}',
        });
        await putTools(world.service, assistant.id, [entry(path)]);
        const { statuses } = await (await world.service.stream(assistant.id, 'x')).whole();
        const [request] = await world.model.ledger(assistant.model);
        return [
          statuses.some(({ type }) => type === 'placeholder.failed'),
          request!.body.messages.at(-1)!.content,
        ];
      }),
    );

    expect(answers).to.deep.equal(paths.map(() => [true, '[] x']));
  });

  it('refuses limits that make no sense when the assistant is saved', async () => {
    const saved = await Promise.all(
      [-1, 1e12, 'x', 1.5].map((max_chars) =>
        world.service.request('/lamb/v1/assistants', {
          body: {
            name: uniqueName('bad'),
            metadata: { _format_version: 2, tools: [entry('a.md', {}, { max_chars })] },
          },
        }),
      ),
    );

    expect(saved.map(({ status }) => status)).to.deep.equal([422, 422, 422, 422]);
  });
});
