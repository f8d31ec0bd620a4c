import { Client as ClientOf2, StreamableHTTPClientTransport as HttpOf2 } from '@modelcontextprotocol/client';
import { Client as ClientOf1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpOf1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, hang, say, type Step } from '../support/fakes/model-script.js';
import { mcpUrl, type Revision } from '../support/mcp/client.js';
import { giveFile, readFile } from '../support/owner-files.js';
import { sharedService, type TestService, weatherFunction } from '../support/test-service.js';

/** What a person is shown, and what they say. */
interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties: object };
}
type Says = (form: Form) => { action: 'accept' | 'decline' | 'cancel'; content?: { approve: boolean } };

/** As much of the official clients as all of them have in common. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: object | undefined }[] }>;
  callTool(
    wanted: { name: string; arguments?: Record<string, unknown> },
    options?: { signal?: AbortSignal },
  ): Promise<object>;
  close(): Promise<void>;
}
interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
}

const ME = { name: 'test', version: '1.0.0' };
const FORMS = { capabilities: { elicitation: {} } };

/** SDK 1, as most programs have it today. */
async function connectOf1(url: URL, requestInit: RequestInit, says: Says | undefined): Promise<AnyClient> {
  const client = new ClientOf1(ME, says ? FORMS : {});
  if (says) client.setRequestHandler(ElicitRequestSchema, ({ params }) => says(params as Form));
  await client.connect(new HttpOf1(url, { requestInit }));
  return {
    listTools: () => client.listTools(),
    callTool: (wanted, options) => client.callTool(wanted, undefined, options),
    close: () => client.close(),
  };
}

/** SDK 2, with its defaults, or with the revision that has an envelope in each request. */
const connectOf2 =
  (revision?: Revision) =>
  async (url: URL, requestInit: RequestInit, says: Says | undefined): Promise<AnyClient> => {
    const client = new ClientOf2(ME, {
      ...(says ? FORMS : {}),
      ...(revision ? { versionNegotiation: { mode: { pin: revision } } } : {}),
    });
    if (says) client.setRequestHandler('elicitation/create', ({ params }) => says(params as Form));
    await client.connect(new HttpOf2(url, { requestInit }));
    return client;
  };

const ALLOW: Says = () => ({ action: 'accept', content: { approve: true } });

for (const [sdk, connect] of [
  ['@modelcontextprotocol/sdk 1', connectOf1],
  ['@modelcontextprotocol/client 2', connectOf2()],
  ['@modelcontextprotocol/client 2, revision 2026-07-28', connectOf2('2026-07-28')],
] as const) {
  describe(sdk, function () {
    this.timeout(60_000);
    let world: TestService;
    before(async () => {
      world = await sharedService();
    });

    const withClient = async <T>(
      work: (client: AnyClient) => Promise<T>,
      { says, language }: { says?: Says; language?: string } = {},
    ): Promise<T> => {
      const headers = {
        authorization: `Bearer ${world.service.adminKey}`,
        ...(language === undefined ? {} : { 'accept-language': language }),
      };
      const client = await connect(mcpUrl(world.service), { headers }, says);
      try {
        return await work(client);
      } finally {
        await client.close();
      }
    };
    const anAssistant = async (steps: readonly Step[], tools: readonly object[] = []) => {
      const { id, model } = await world.assistant(steps, { name: 'Gardener', tools });
      return { id, model, name: `call_assistant_${String(id)}` };
    };
    /** An assistant that wants to change a file of the administrator's, and the file. */
    const aPatcher = async () => {
      const file = `${uniqueName('plan')}.md`;
      await giveFile(world.service, `notes/${file}`, 'old\n');
      const changes = [{ line_start: 1, line_end: 1, old_content: 'old', new_content: 'new', reason: 'so' }];
      const steps = [call('patch_file', { file_path: file, changes }), say('Done.')];
      const tools = [{ type: 'patch_file', mode: 'function', config: { folder: 'notes' }, approval: 'ask' }];
      const made = await anAssistant(steps, tools);
      return { ...made, file, content: () => readFile(world.service, `notes/${file}`) };
    };
    const ask = async (name: string, how: Parameters<typeof withClient>[1] = {}) =>
      (await withClient(
        (client) => client.callTool({ name, arguments: { query: 'Renew the plan' } }),
        how,
      )) as Result;
    const toldToModel = async (model: string) =>
      (await world.model.ledger(model)).at(-1)?.body.messages.at(-1)?.content;

    it('lists, asks an assistant, and is handed its answer as words and as data of the form it was told', async () => {
      const steps = [call('get_weather', { city: 'Bilbao' }), say('Mild [1].')];
      const { name } = await anAssistant(steps, [weatherFunction]);

      const { tools, result } = await withClient(async (client) => ({
        tools: (await client.listTools()).tools,
        // The client itself holds it to the form that was listed.
        result: (await client.callTool({ name, arguments: { query: 'Bilbao?' } })) as Result,
      }));

      expect(tools.find((tool) => tool.name === name)?.outputSchema).to.have.nested.property(
        'properties.answer.type',
        'string',
      );
      expect(result.content[0]?.text).to.equal('Mild [1].');
      expect(result.structuredContent).to.deep.include({ answer: 'Mild [1].' });
      expect(result.structuredContent?.['sources']).to.deep.equal([
        { n: 1, title: 'Open-Meteo: Bilbao, Spain', url: 'https://open-meteo.com/', cited: true },
      ]);
      expect(result.structuredContent?.['run_id']).to.be.a('string');
    });

    it('puts a question for approval to its person, in their language, and what they allow is done', async () => {
      const { name, file, content, model } = await aPatcher();
      const forms: Form[] = [];
      const says: Says = (form) => (forms.push(form), ALLOW(form));

      const result = await ask(name, { says, language: 'es-ES, en;q=0.5' });

      expect(result.content[0]?.text).to.equal('Done.');
      expect(await content()).to.equal('new\n');
      expect(forms).to.have.length(1);
      expect(forms[0]?.message).to.include('«Gardener»').and.include('te pide permiso').and.include(file);
      expect(forms[0]?.requestedSchema.properties).to.have.all.keys('approve');
      expect(await toldToModel(model)).not.to.match(/Error/);
    });

    for (const [what, answer] of [
      ['declined', { action: 'decline' }],
      ['put away', { action: 'cancel' }],
      ['sent without a yes', { action: 'accept', content: { approve: false } }],
    ] as const) {
      it(`does nothing when the question is ${what}: the model is told, and the answer still comes`, async () => {
        const { name, content, model } = await aPatcher();

        const result = await ask(name, { says: () => answer });

        expect(result.content[0]?.text).to.equal('Done.');
        expect(await toldToModel(model)).to.match(/refused this call/);
        expect(await content()).to.equal('old\n');
      });
    }

    it('is refused as before what needs approval when it cannot ask anybody', async () => {
      const { name, content, model } = await aPatcher();

      const result = await ask(name);

      expect(result.content[0]?.text).to.equal('Done.');
      expect(await toldToModel(model)).to.match(/cannot be asked here/);
      expect(await content()).to.equal('old\n');
    });

    it('is told faults: of what it sends as a result, of what is not there as an error', async () => {
      const { name } = await anAssistant([say('never')]);

      const [empty, absent] = await withClient(async (client) => [
        (await client.callTool({ name, arguments: {} })) as Result,
        await client.callTool({ name: 'call_assistant_999999', arguments: { query: 'x' } }).catch(String),
      ]);

      expect(empty).to.have.property('isError', true);
      expect(String(absent)).to.include('Tool call_assistant_999999 not found');
    });

    it('ends the run when it wants the answer no more', async () => {
      const { name, model } = await anAssistant([hang('after-headers')]);
      const leaving = new AbortController();

      const outcome = await withClient(async (client) => {
        const { signal } = leaving;
        const calling = client.callTool({ name, arguments: { query: 'Hello?' } }, { signal });
        await world.model.waitFor(model, { requests: 1 });
        leaving.abort();
        return await calling.catch(() => 'left');
      });

      expect(outcome).to.equal('left');
      await world.model.waitFor(model, { closed: 1 });
    });
  });
}
