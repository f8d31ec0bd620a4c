import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person } from '../support/users-fixture.js';

const BASE = '/lamb/v1/completions';

interface Schema {
  readonly type: string;
  readonly properties?: Record<string, Record<string, unknown>>;
  readonly required?: readonly string[];
}
interface ToolView {
  readonly name: string;
  readonly placeholder: string | null;
  readonly function_name: string | null;
  readonly config_schema: Schema;
  readonly args_schema: Schema;
  readonly danger: string;
  readonly repeatable: boolean;
  readonly modes: readonly string[];
}
interface ToolList {
  readonly tools: readonly ToolView[];
  readonly count: number;
}
interface ConnectorView {
  readonly name: string;
  readonly title: string;
  readonly configured: boolean;
  readonly supports_functions: boolean;
  readonly available_llms: readonly string[];
}
interface Listing {
  readonly prompt_processors: readonly string[];
  readonly connectors: Record<string, ConnectorView>;
  readonly rag_processors: readonly string[];
  readonly tools: readonly ToolView[];
}
interface Verdict {
  readonly valid: boolean;
  readonly errors: readonly string[];
}

describe('the catalogue', function () {
  this.timeout(60_000);
  let world: TestService;
  let person: Person;
  before(async () => {
    world = await sharedService();
    person = await aPerson(world.service);
  });
  const get = <Body>(path: string) => world.service.request<Body>(BASE + path, { key: person.key });
  const tool = async (name: string) => (await get<ToolView>(`/tools/${name}`)).json;
  const validate = (name: string, body: object | string | undefined, headers = {}) =>
    world.service.request<Verdict>(`${BASE}/tools/${name}/validate`, {
      method: 'POST',
      key: person.key,
      body,
      headers,
    });

  it('lists processors, connectors with their models, rag processors and tools', async () => {
    const { status, json } = await get<Listing>('/list');

    expect(status).to.equal(200);
    expect(json).to.have.all.keys('prompt_processors', 'connectors', 'providers', 'rag_processors', 'tools');
    expect(json.prompt_processors).to.include.members(['simple_augment', 'multi_augment', 'tool_augment']);
    expect(json.connectors).to.include.keys('openai', 'openai_tool_use', 'openai_tools', 'bypass', 'demo');
    expect(json.connectors['bypass']!.available_llms).to.have.members([
      'debug-bypass',
      'simple-bypass',
      'full-conversation-bypass',
    ]);
    expect(json.rag_processors).to.include.members(['no_rag', 'single_file_rag']);
    expect(json.rag_processors).not.to.include('weather');
    expect(json.tools).to.deep.equal((await get<ToolList>('/tools')).json.tools);
  });

  it('lists every file of the tools folder with exactly the promised keys, and their number', async () => {
    const files = (await readdir(join(PROJECT_ROOT, 'tools'))).filter((file) => file.endsWith('.ts'));

    const { json } = await get<ToolList>('/tools');

    expect(json).to.have.all.keys('tools', 'count');
    expect(json.count).to.equal(json.tools.length);
    expect(json.tools.map(({ name }) => `${name}.ts`)).to.have.members(files);
    for (const each of json.tools) {
      expect(each).to.have.all.keys(
        ...['name', 'display_name', 'description', 'placeholder', 'category', 'version', 'function_name'],
        ...['config_schema', 'args_schema', 'danger', 'repeatable', 'modes'],
        ...['needs', 'recommended_with', 'presets'],
      );
      expect(each.danger).to.be.oneOf(['read', 'write', 'external']);
    }
  });

  it('says of each connector whether it is set up and whether its models can call functions', async () => {
    const { connectors } = (await get<Listing>('/list')).json;
    const { json: ofAdmins } = await world.service.request<Listing>(`${BASE}/list`);
    const facts = ({ configured, supports_functions }: ConnectorView) => [configured, supports_functions];

    for (const each of Object.values(connectors)) {
      expect(each).to.have.all.keys('name', 'title', 'configured', 'supports_functions', 'available_llms');
      expect(each.title).not.to.equal('');
    }
    expect(facts(connectors['demo']!)).to.deep.equal([true, true]);
    expect(facts(connectors['bypass']!)).to.deep.equal([true, false]);
    expect(facts(connectors['openai']!)).to.deep.equal([false, true]);
    expect(facts(ofAdmins.connectors['openai']!)).to.deep.equal([true, true]);
    expect(facts(connectors['banana_img']!)).to.deep.equal([false, false]);
  });

  it('says which settings of a tool name a thing to be picked, in which ways it works, and how often', async () => {
    const picked = async (name: string, key: string) => {
      const property = (await tool(name)).config_schema.properties![key]!;
      return ((property['items'] ?? property) as Record<string, unknown>)['x-resource'];
    };
    const ways = async (name: string) => {
      const { modes, repeatable } = await tool(name);
      return [modes.join(), repeatable];
    };

    expect(await picked('simple_rag', 'collections')).to.equal('collection');
    expect(await picked('rubric_rag', 'rubric_id')).to.equal('rubric');
    expect(await picked('rubric_eval', 'rubric_id')).to.equal('rubric');
    expect(await picked('single_file_rag', 'file_path')).to.equal('file');
    expect(await picked('assistant', 'assistant_id')).to.equal('assistant');
    expect(await picked('patch_file', 'folder')).to.equal('folder');
    expect(await picked('mcp', 'server')).to.equal('mcp-server');
    expect(await ways('simple_rag')).to.deep.equal(['placeholder,function', true]);
    expect(await ways('mcp')).to.deep.equal(['function', true]);
    expect(await ways('no_rag')).to.deep.equal(['placeholder', false]);
  });

  it('names the placeholders and functions as promised', async () => {
    const { json } = await get<ToolList>('/tools');

    const names = new Map(json.tools.map((each) => [each.name, [each.placeholder, each.function_name]]));
    expect(names.get('weather')).to.deep.equal(['weather', 'get_weather']);
    expect(names.get('single_file_rag')).to.deep.equal(['file', 'read_file']);
    expect(names.get('assistant')).to.deep.equal(['tool_result', 'call_assistant_<assistant_id>']);
    expect(names.get('no_rag')).to.deep.equal(['context', null]);
  });

  it('shows one tool as it is in the list', async () => {
    const { tools } = (await get<ToolList>('/tools')).json;

    for (const each of tools) expect(await tool(each.name)).to.deep.equal(each);
  });

  for (const name of [
    'teleport',
    '__proto__',
    'constructor',
    'Weather',
    '..%2Fweather',
    '%00',
    'x'.repeat(5_000),
  ]) {
    it(`says clearly that there is no tool called ${name.slice(0, 20)}`, async () => {
      const shown = refusalOf(await get(`/tools/${name}`), 404);
      const validated = refusalOf(await validate(name, {}), 404);

      expect(shown.message)
        .to.match(/tool .+ not found/i)
        .and.to.contain(decodeURIComponent(name).slice(0, 64));
      expect(shown.message.length).to.be.lessThan(200);
      expect(validated).to.deep.equal(shown);
    });
  }

  it('requires a field only when it has no default, in configurations and in arguments', async () => {
    const [weather, file, assistant] = [
      await tool('weather'),
      await tool('single_file_rag'),
      await tool('assistant'),
    ];

    expect(weather.config_schema).to.include({ type: 'object' });
    expect(weather.config_schema.properties).to.have.all.keys('city', 'units');
    expect(weather.config_schema.properties!['units']).to.deep.include({
      default: 'metric',
      enum: ['metric', 'imperial'],
    });
    expect(weather.config_schema.required ?? []).to.deep.equal([]);
    expect(weather.args_schema.required).to.deep.equal(['city']);
    expect(file.config_schema.required).to.deep.equal(['file_path']);
    expect(file.config_schema.properties!['max_chars']).to.include({ default: 50_000, type: 'integer' });
    expect(assistant.config_schema.required).to.deep.equal(['assistant_id']);
    expect(assistant.args_schema.required).to.deep.equal(['query']);
  });

  it('describes fields in words, for forms', async () => {
    const { config_schema, args_schema } = await tool('weather');

    expect(config_schema.properties!['city']!['description']).to.be.a('string');
    expect(args_schema.properties!['city']!['description']).to.be.a('string');
  });

  it('answers to the other names that assistants may call a tool by', async () => {
    for (const [name, canonical] of [
      ['rubric', 'rubric_rag'],
      ['single_file', 'single_file_rag'],
      ['no_tool', 'no_rag'],
      ['knowledge_base', 'simple_rag'],
    ] as const) {
      expect(await tool(name)).to.deep.equal(await tool(canonical));
      expect((await validate(name, { max_chars: 'x', rubric_id: [], collections: [] })).json).to.deep.equal(
        (await validate(canonical, { max_chars: 'x', rubric_id: [], collections: [] })).json,
      );
    }
  });

  describe('validates a configuration', () => {
    it('that is right, by itself or under "config"', async () => {
      const plain = await validate('weather', { city: 'Bilbao', units: 'imperial' });
      const wrapped = await validate('weather', { config: { city: 'Bilbao' } });

      expect(plain.status).to.equal(200);
      expect(plain.json).to.deep.equal({ valid: true, errors: [] });
      expect(wrapped.json).to.deep.equal({ valid: true, errors: [] });
    });

    it('and tells all its errors, each with its place', async () => {
      const { status, json } = await validate('single_file_rag', { file_path: '', max_chars: 1.5 });
      const weather = (await validate('weather', { config: { city: 7, units: 'kelvin' } })).json;

      expect(status).to.equal(200);
      expect(json.valid).to.equal(false);
      expect(json.errors).to.have.length(2);
      expect(json.errors.join()).to.contain('file_path').and.to.contain('max_chars');
      expect(weather.errors.join()).to.contain('city').and.to.contain('units');
    });

    it('that is missing as an empty one', async () => {
      expect((await validate('weather', undefined)).json).to.deep.equal({ valid: true, errors: [] });
      expect((await validate('single_file_rag', undefined)).json).to.include({ valid: false });
    });

    it('that is no object as invalid, not as a fault of the server', async () => {
      const answers = await Promise.all(
        [[], [1, 2], { config: null }, { config: 'x' }, { config: [] }].map((body) =>
          validate('weather', body),
        ),
      );

      for (const { status, json } of answers) {
        expect(status).to.equal(200);
        expect(json.valid).to.equal(false);
        expect(json.errors).not.to.be.empty;
      }
    });

    it('without running anything or asking anybody', async () => {
      const city = `nowhere-${String(Date.now())}`;

      await validate('weather', { city });

      expect(await world.weather.ledger(city)).to.deep.equal([]);
    });
  });
});
