import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { uniqueName } from '../../support/fakes/fakes.js';
import { call, calls, say } from '../../support/fakes/model-script.js';
import { mcpUrl, textsOf } from '../../support/mcp/client.js';
import { giveFile, readFile } from '../../support/owner-files.js';
import {
  type AssistantRecord,
  makeDataDir,
  removeDataDir,
  type Service,
  startService,
} from '../../support/service.js';
import { createTestService, endWorld, sharedService, type TestService } from '../../support/test-service.js';
import { aPerson, inDatabase, shareWith } from '../support/users-fixture.js';

interface Question {
  readonly params: { readonly message: string };
}
/** What comes of one request: an answer, or what is to be asked first. */
interface Outcome {
  readonly content: readonly object[];
  readonly isError?: boolean;
  readonly inputRequests?: Readonly<Record<string, Question>>;
  readonly requestState?: string;
}
interface Retry {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

const YES = { action: 'accept', content: { approve: true } };
const change = (file: string) => ({
  file_path: file,
  changes: [{ line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'renewed' }],
});

/** One request of a program that puts questions to its person itself and comes back with what they said. */
async function once(service: Service, key: string, wanted: { name: string } & Retry): Promise<Outcome> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: { elicitation: {} },
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(service), { requestInit: { headers } }));
  try {
    const params = { ...wanted, arguments: { query: 'Renew the plan' } } as Parameters<Client['callTool']>[0];
    return (await client.callTool(params, { allowInputRequired: true })) as Outcome;
  } finally {
    await client.close();
  }
}

/** An answer to each of the questions. */
const allSaying = ({ inputRequests = {} }: Outcome, answer: unknown) =>
  Object.fromEntries(Object.keys(inputRequests).map((id) => [id, answer]));

/** The words that came back, be they an answer or a fault. */
const told = (work: Promise<Outcome>): Promise<string> =>
  work.then(
    (outcome) => String(textsOf(outcome)[0]),
    (fault: unknown) => (fault as Error).message,
  );

const TOOLS = [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }];

describe('an approval that an MCP client comes back with', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });

  /** An assistant that wants to change files of the administrator's, asked to do so. */
  async function asked({ service, assistant }: TestService = world, { files: many = 1 } = {}) {
    const files = Array.from({ length: many }, () => `${uniqueName('plan')}.md`);
    for (const file of files) await giveFile(service, `notes/${file}`, 'old\n');
    const wanted = calls(
      files.map((file) => ({ name: 'patch_file', arguments: JSON.stringify(change(file)) })),
    );
    const { id, model } = await assistant([wanted, say('Done.')], { tools: TOOLS });
    const name = `call_assistant_${String(id)}`;
    const again = (retry: Retry, as = service.adminKey) => once(service, as, { name, ...retry });
    const contents = () => Promise.all(files.map((file) => readFile(service, `notes/${file}`)));
    return { id, model, again, contents };
  }

  it('lets what was asked about be done, once, and the same answer is worth nothing afterwards', async () => {
    const { again, contents, model } = await asked();
    const first = await again({});
    const retry = { requestState: first.requestState, inputResponses: allSaying(first, YES) };

    const outcomes = await Promise.all([again(retry), again(retry), again(retry)].map(told));
    const later = await told(again(retry));

    expect(Object.keys(first.inputRequests ?? {})).to.have.length(1);
    expect(outcomes.filter((one) => one === 'Done.')).to.have.length(1);
    expect(later).to.match(/nothing of yours waits under it/);
    expect(await contents()).to.deep.equal(['new\n']);
    expect(await world.model.ledger(model)).to.have.length(2);
  });

  it('is worth nothing under a state that is altered, made up, or of somebody else', async () => {
    const { again, contents, model, id } = await asked();
    const stranger = await aPerson(world.service, { role: 'system_admin' });
    await shareWith(world.service, id, stranger);
    const other = await asked();
    const [first, elsewhere] = [await again({}), await other.again({})];
    const inputResponses = allSaying(first, YES);
    const { requestState = '' } = first;

    const faults = [
      await told(again({ requestState: `${requestState}x`, inputResponses })),
      await told(again({ requestState: '', inputResponses })),
      await told(again({ requestState: elsewhere.requestState, inputResponses })),
      await told(again({ requestState, inputResponses }, stranger.key)),
    ];

    for (const fault of faults) expect(fault).to.match(/nothing of yours waits under it/);
    expect(await contents()).to.deep.equal(['old\n']);
    expect(await world.model.ledger(model)).to.have.length(1);
    await again({ requestState, inputResponses });
    expect(await contents()).to.deep.equal(['new\n']);
  });

  it('is asked for once more while a question has no answer, and each counts for its own call', async () => {
    const { again, contents } = await asked(world, { files: 2 });
    const first = await again({});
    const { requestState } = first;
    const [one = '', two = ''] = Object.keys(first.inputRequests ?? {});

    const partly = [
      await again({ requestState, inputResponses: {} }),
      await again({ requestState, inputResponses: { [one]: YES } }),
      await again({ requestState, inputResponses: { [one]: YES, [two]: 'yes' } }),
    ];
    const before = await contents();
    const last = await again({ requestState, inputResponses: { [one]: YES, [two]: { action: 'decline' } } });

    for (const outcome of partly) {
      expect(outcome.requestState).to.equal(requestState);
      expect(Object.keys(outcome.inputRequests ?? {})).to.deep.equal([one, two]);
    }
    expect(before).to.deep.equal(['old\n', 'old\n']);
    expect(textsOf(last)[0]).to.equal('Done.');
    expect(await contents()).to.deep.equal(['new\n', 'old\n']);
  });

  it('counts as not given once its time is over: the model is told, and the answer still comes', async () => {
    const hasty = await createTestService({ APPROVAL_TIMEOUT_MS: '1' });
    try {
      const { again, contents, model } = await asked(hasty);
      const first = await again({});

      const late = await again({ requestState: first.requestState, inputResponses: allSaying(first, YES) });

      expect(textsOf(late)[0]).to.equal('Done.');
      expect(await contents()).to.deep.equal(['old\n']);
      const toModel = (await hasty.model.ledger(model)).at(-1)?.body.messages.at(-1)?.content;
      expect(toModel).to.match(/Nobody approved this call in time/);
    } finally {
      await endWorld(hasty);
    }
  });

  it('gives no right that was taken away while it was waited for', async () => {
    const unshared = await asked();
    const student = await aPerson(world.service, { role: 'system_admin' });
    await shareWith(world.service, unshared.id, student);
    const silenced = await asked();
    const [first, second] = [await unshared.again({}, student.key), await silenced.again({})];
    await inDatabase(world.service, async ({ assistants }, db) => {
      await assistants.unshare(unshared.id, student.id);
      await db('users').where({ id: student.id }).update({ role: 'student' });
    });
    const address = `/lamb/v1/assistants/${String(silenced.id)}`;
    const { json } = await world.service.request<AssistantRecord>(address);
    const metadata = { ...json.metadata, tools: [{ ...TOOLS[0], approval: 'never' }] };
    const changed = { name: json.name, metadata, version: json.version };
    const saved = await world.service.request(address, { method: 'PUT', body: changed });

    const fault = await told(
      unshared.again(
        { requestState: first.requestState, inputResponses: allSaying(first, YES) },
        student.key,
      ),
    );
    await silenced.again({ requestState: second.requestState, inputResponses: allSaying(second, YES) });

    expect(saved.status, saved.text).to.equal(200);
    expect(fault).to.match(/not found/);
    expect(await unshared.contents()).to.deep.equal(['old\n']);
    expect(await silenced.contents()).to.deep.equal(['old\n']);
  });

  it('may come to another process than the one that asked, and after it was started again', async () => {
    const dataDir = await makeDataDir();
    const settings = {
      ...{ OPENAI_API_KEY: 'sk-canary-0123456789abcdef', OPENAI_BASE_URL: `${world.model.url}/v1` },
      RATE_LIMIT: '0',
    };
    const running: Service[] = [];
    try {
      const file = `${uniqueName('plan')}.md`;
      const model = uniqueName('model');
      await world.model.script(model, [call('patch_file', change(file)), say('Done.')]);
      const first = await startService(settings, { dataDir });
      running.push(first);
      await giveFile(first, `notes/${file}`, 'old\n');
      const metadata = { _format_version: 2, connector: 'openai', llm: model, tools: TOOLS };
      const { id } = await first.createAssistant({ metadata });
      const wanted = { name: `call_assistant_${String(id)}` };
      const question = await once(first, first.adminKey, wanted);
      await first.stop();
      running.pop();
      const second = await startService(settings, { dataDir });
      running.push(second);

      const { requestState } = question;
      const last = await once(second, second.adminKey, {
        ...{ ...wanted, requestState, inputResponses: allSaying(question, YES) },
      });

      expect(textsOf(last)[0]).to.equal('Done.');
      expect(await readFile(second, `notes/${file}`)).to.equal('new\n');
    } finally {
      for (const service of running) await service.stop();
      await removeDataDir(dataDir);
    }
  });
});
