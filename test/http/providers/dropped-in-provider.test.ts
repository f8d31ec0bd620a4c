import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { transform } from 'esbuild';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { type FakeModel, startFakeModel, uniqueName } from '../../support/fakes/fakes.js';
import { type Service, startServiceProcess } from '../../support/service.js';
import { refusalOf } from '../support/refusal.js';
import { assistantOf, configure } from '../support/settings-client.js';
import { aPerson } from '../support/users-fixture.js';

const execute = promisify(execFile);
const FACTS = {
  name: 'acorn',
  title: 'Acorn',
  base_url: 'https://api.acorn.example/v1',
  fields: ['api_key', 'base_url'],
  embeddings_model: 'oak-embed',
  reranker_model: null,
};

/** The built service with one file more: the connector that docs/writing-a-tool.md has for an example. */
async function makeServiceWithExample(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'bellwether-provider-'));
  await mkdir(join(root, 'dist'));
  const parts = ['src', 'agents', 'tools', 'db'].map((part) => join(PROJECT_ROOT, 'dist', part));
  await execute('cp', ['-a', ...parts, join(root, 'dist')]);
  await execute('cp', [join(PROJECT_ROOT, 'package.json'), root]);
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  const page = await readFile(join(PROJECT_ROOT, 'docs/writing-a-tool.md'), 'utf8');
  const [, example = ''] = /^```ts\n\/\/ agents\/connectors\/acorn\.ts\n([^]*?)^```$/m.exec(page) ?? [];
  const { code } = await transform(example, { loader: 'ts', format: 'esm' });
  await writeFile(join(root, 'dist/agents/connectors/acorn.js'), code);
  return root;
}

describe('a provider whose connector was put into the folder', function () {
  this.timeout(60_000);
  let root: string;
  let model: FakeModel;
  let service: Service;
  before(async () => {
    [root, model] = await Promise.all([makeServiceWithExample(), startFakeModel()]);
    const env = { ACORN_API_KEY: 'canary-of-the-environment', ACORN_BASE_URL: `${model.url}/v1` };
    service = await startServiceProcess(
      { ...env, EMBEDDINGS: 'acorn:oak-embed' },
      { entry: join(root, 'dist/src/main.js') },
    );
  });
  after(async () => {
    await service.stop();
    await model.stop();
    await rm(root, { recursive: true, force: true });
  });

  const scripted = async (...words: readonly string[]) => {
    const llm = uniqueName('oak');
    const steps = words.map((say) => ({ say }));
    await model.script(llm, steps);
    return llm;
  };
  const setUp = (more: object = {}) => ({
    setups: {
      default: {
        providers: { acorn: { api_key: 'canary-of-an-organisation', base_url: `${model.url}/v1` } },
        ...more,
      },
    },
  });

  it('is listed for forms, with its title, its address and its fields', async () => {
    const { json } = await service.request<Catalogue>('/lamb/v1/completions/list');

    expect(json.providers).to.deep.include(FACTS);
    expect(json.connectors['acorn']).to.deep.equal({
      ...{ name: 'acorn', title: 'Acorn', configured: true, supports_functions: true },
      available_llms: ['oak-small'],
    });
    const { json: setup } = await service.request<Setup>('/lamb/v1/setup');
    expect(setup.embeddings).to.equal('acorn:oak-embed');
    expect(setup.providers).to.deep.include({ name: 'acorn', title: 'Acorn', configured: true, models: 1 });
  });

  it('answers the default organisation with the key of the environment', async () => {
    const llm = await scripted('From the acorn.');
    const { id } = await service.createAssistant({
      metadata: { _format_version: 2, connector: 'acorn', llm },
    });

    const { json } = await service.chat(id, 'Hello');

    expect(json.choices[0]?.message.content).to.equal('From the acorn.');
    const [asked] = await model.ledger(llm);
    expect(asked?.authorization).to.equal('Bearer canary-of-the-environment');
  });

  it('answers another organisation with its own key, for a model that is named acorn/<model>', async () => {
    const llm = await scripted('For everybody here.');
    const person = await aPerson(service);
    await configure(service, person, setUp({ global_default_model: `acorn/${llm}` }));
    const { id } = await assistantOf(service, person, {});

    const { json } = await service.chat(id, 'Hello', person);

    expect(json.choices[0]?.message.content).to.equal('For everybody here.');
    const [asked] = await model.ledger(llm);
    expect(asked?.authorization).to.equal('Bearer canary-of-an-organisation');
  });

  it('can be tested, keeps its key to itself, and is one of those that embeddings come from', async () => {
    const llm = await scripted('Listed.');
    const person = await aPerson(service, { role: 'org_admin' });
    await configure(service, person, setUp({ knowledge_base: { embeddings: 'acorn:oak-embed' } }));
    const of = `/lamb/v1/organizations/${String(person.organizationId)}`;

    const tested = await service.request<Tested>(`${of}/providers/acorn/test`, { key: person.key, body: {} });
    const shown = await service.request(`${of}/config`, { key: person.key });
    const other = setUp({ knowledge_base: { embeddings: 'oak:x' } });
    const refused = await service.request(`${of}/config`, { method: 'PUT', body: other });

    expect(tested.json.ok, tested.text).to.equal(true);
    expect(tested.json.models).to.include(llm);
    expect(shown.text).to.include('••••').and.not.include('canary');
    expect(refusalOf(refused, 422).message).to.include(' openai:<model>, acorn:<model>');
  });
});

interface Catalogue {
  readonly providers: readonly unknown[];
  readonly connectors: Readonly<Record<string, unknown>>;
}

interface Setup {
  readonly embeddings: string | null;
  readonly providers: readonly unknown[];
}

interface Tested {
  readonly ok: boolean;
  readonly models: readonly string[];
}
