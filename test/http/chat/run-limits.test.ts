import { expect } from 'chai';
import { eventually } from '../../replicas/eventually.js';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, hang, say } from '../../support/fakes/model-script.js';
import { giveFile } from '../../support/owner-files.js';
import {
  createTestService,
  endWorld,
  sharedService,
  weatherFunction,
  type TestService,
} from '../../support/test-service.js';

interface RunView {
  readonly status: string;
  readonly error_code: string | null;
  readonly steps: readonly {
    readonly kind: string;
    readonly detail?: object;
    readonly output: { readonly chars: number };
  }[];
}

const QUESTION = [{ role: 'user', content: 'Hello?' }];

describe('a run that takes too long', () => {
  let world: TestService;
  before(async () => {
    world = await createTestService({ RUN_TIMEOUT_MS: '6000', TOOL_TIMEOUT_MS: '200' });
  });
  after(() => endWorld(world));

  it('ends with 504, lets the model go, and is on record as timed out', async () => {
    const assistant = await world.assistant([hang('after-headers')]);

    const { status, json, headers } = await world.service.chat(assistant.id, 'Hello?');

    const run = await world.service.request<RunView>(`/lamb/v1/runs/${headers.get('x-run-id')!}`);
    expect(status).to.equal(504);
    expect(json.error).to.include({ code: 'timeout' });
    expect(run.json).to.include({ status: 'timed_out', error_code: 'timeout' });
    await world.model.waitFor(assistant.model, { closed: 1 });
  });

  it('is not kept open by somebody who does not read it', async () => {
    // More than the system takes for somebody, and less than an answer may have.
    const assistant = await world.assistant([say('\u0001'.repeat(1_500_000), { chunks: 100 })]);
    const headers = { authorization: `Bearer ${world.service.adminKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: String(assistant.id), stream: true, messages: QUESTION });
    const unread = await fetch(`${world.service.url}/v1/chat/completions`, {
      ...{ method: 'POST', headers, body },
    });

    const path = `/lamb/v1/runs/${unread.headers.get('x-run-id')!}`;
    const run = await eventually(
      () => world.service.request<RunView>(path),
      ({ status }) => status === 200,
    );

    const text = await unread.text();
    expect(text).to.match(/"code":"timeout".*\n\n$/);
    expect(run.json).to.include({ status: 'timed_out', error_code: 'timeout' });
  });

  it('may only answer once its time is nearly spent', async () => {
    const slowly = { delayMs: 5000 };
    const assistant = await world.assistant(
      [call('get_weather', { city: 'Bilbao' }, slowly), say('In short: mild.')],
      { tools: [weatherFunction] },
    );

    const { json } = await world.service.chat(assistant.id, 'Weather?');

    const requests = await world.model.ledger(assistant.model);
    expect(requests.map(({ body }) => body.tool_choice)).to.deep.equal(['auto', 'none']);
    expect(json.x_bellwether).to.include({ capped: 'time', iterations: 2 });
  });

  it('goes on without a tool that does not come back in time', async () => {
    const city = uniqueName('Slowtown');
    const assistant = await world.assistant([call('get_weather', { city }), say('I do not know.')], {
      tools: [weatherFunction],
    });

    const { json } = await world.service.chat(assistant.id, 'Weather?');

    const [, second] = await world.model.ledger(assistant.model);
    expect(second!.body.messages.at(-1)!.content).to.equal('Error: The tool took too long.');
    expect(json.choices[0]!.message.content).to.equal('I do not know.');
    await world.weather.waitFor(city, { closed: 1 });
  });
});

describe('a trace', () => {
  it('also tells what the tools were pointed at when the assistant is verbose, and still no contents', async () => {
    const world = await sharedService();
    const path = `${uniqueName('notes')}.md`;
    await giveFile(world.service, path, 'Cells divide.');
    const file = { type: 'single_file_rag', enabled: true, mode: 'placeholder', config: { file_path: path } };
    const content = { prompt_template: '{file} {user_input}', tools: [file] };
    const [quiet, verbose] = await Promise.all([
      world.assistant([say('ok')], content),
      world.assistant([say('ok')], { ...content, metadata: { verbose: true } }),
    ]);

    const runs = await Promise.all(
      [quiet, verbose].map(async ({ id }) => {
        const { headers } = await world.service.chat(id, 'What do cells do?');
        return (await world.service.request<RunView>(`/lamb/v1/runs/${headers.get('x-run-id')!}`)).json;
      }),
    );

    const [plain, telling] = runs.map(({ steps }) => steps[0]!);
    expect(plain).not.to.have.property('detail');
    expect(telling!.detail).to.deep.equal({ subject: path, touched: `file ${path}`, placeholder: 'file' });
    expect(telling!.output.chars).to.equal('Cells divide.'.length);
    expect(JSON.stringify(runs)).not.to.contain('divide').and.not.to.contain('cells');
  });
});
