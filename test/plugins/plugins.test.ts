import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Logger } from '../../src/core/log.js';
import { toJsonSchema } from '../../src/core/json-schema.js';
import type { AnyTool } from '../../src/core/tool.js';
import { faultsOfTool } from '../../src/plugins/tool-faults.js';
import { faultsOfConnector } from '../../src/core/connector.js';
import { loadAllPlugins, loadPlugins } from '../../src/plugins/load.js';
import acorn from '../support/fakes/acorn.js';

interface Skipped {
  readonly file: string;
  readonly faults: readonly string[];
}

const ZOD = import.meta.resolve('zod');
const ZOD_3 = import.meta.resolve('zod/v3');

/** The source of a tool; `changes` are written as they stand, so that they may be wrong. */
const toolSource = (name: string, changes: Record<string, string> = {}, zod = ZOD) => {
  const parts: Record<string, string> = {
    name: JSON.stringify(name),
    title: '"A title"',
    description: '"What it does."',
    category: '"test"',
    version: '"1.0.0"',
    danger: '"read"',
    repeatable: 'true',
    placeholder: '"notes"',
    config: 'z.object({ depth: z.number().default(1) })',
    args: 'z.object({ query: z.string() })',
    asFunction: '() => ({ name: "look" })',
    argsFromChat: '() => ({ query: "x" })',
    touches: '() => []',
    status: '() => "looking"',
    run: 'async () => ({ content: "found" })',
    ...changes,
  };
  const members = Object.entries(parts).map(([key, value]) => `  ${key}: ${value},`);
  return `import { z } from ${JSON.stringify(zod)};\nexport default {\n${members.join('\n')}\n};\n`;
};

describe('loadPlugins', () => {
  let folder: string;
  let skipped: Skipped[];
  const ignore = () => undefined;
  const log = {
    error: (facts: Skipped) => skipped.push(facts),
    warn: ignore,
    info: ignore,
    debug: ignore,
  } as unknown as Logger;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bellwether-plugins-'));
    skipped = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (files: Record<string, string>) =>
    Promise.all(Object.entries(files).map(([file, source]) => writeFile(join(folder, file), source)));
  const load = () =>
    loadPlugins([pathToFileURL(`${folder}/`)], { kind: 'tool', faultsOf: faultsOfTool }, log);

  const BAD: Record<string, [string, RegExp]> = {
    'syntax_error.mjs': ['export default {', /could not be loaded/],
    'throws.mjs': [
      'throw new Error("no licence\\nfor this");',
      /could not be loaded: no licence for this \(line 1\)$/,
    ],
    'throws_nothing.mjs': ['throw undefined;', /could not be loaded/],
    'missing_import.mjs': ['import "./not-there.mjs"; export default {};', /could not be loaded/],
    'no_default.mjs': ['export const tool = {};', /default export is not a tool/],
    'a_function.mjs': ['export default () => {};', /default export is not a tool/],
    'an_empty_one.mjs': ['export default {};', /"name" must be a text/],
    'other_name.mjs': [toolSource('another'), /"name" must be its file's: other_name/],
    'user_input.mjs': [toolSource('user_input', { placeholder: '"user_input"' }), /"placeholder" must match/],
    'proto.mjs': [toolSource('proto', { placeholder: '"__proto__"' }), /"placeholder" must match/],
    'braces.mjs': [toolSource('braces', { placeholder: '"a}{b"' }), /"placeholder" must match/],
    'capital.mjs': [toolSource('capital', { placeholder: '"Context"' }), /"placeholder" must match/],
    'a_number.mjs': [toolSource('a_number', { placeholder: '7' }), /"placeholder" must match/],
    'no_config.mjs': [toolSource('no_config', { config: 'undefined' }), /"config" must be a zod object/],
    'text_args.mjs': [toolSource('text_args', { args: 'z.string()' }), /"args" must be a zod object/],
    'no_touches.mjs': [toolSource('no_touches', { touches: 'undefined' }), /"touches" must be a function/],
    'no_run.mjs': [toolSource('no_run', { run: '"run"' }), /"run" must be a function/],
    'danger.mjs': [toolSource('danger', { danger: '"none"' }), /"danger" must be/],
    'never.mjs': [
      toolSource('never', { asFunction: 'undefined', argsFromChat: 'undefined' }),
      /can never run/,
    ],
    'unfilled.mjs': [
      toolSource('unfilled', { argsFromChat: 'undefined' }),
      /"placeholder" needs "argsFromChat"/,
    ],
    'two_ways.mjs': [toolSource('two_ways', { functions: 'async () => []' }), /one of them is meant/],
    'bound_to_none.mjs': [
      toolSource('bound_to_none', { bound: '{ email: { of: () => "" } }' }),
      /names "email", which "args" does not have/,
    ],
    'bound_to_text.mjs': [
      toolSource('bound_to_text', { bound: '{ query: "me" }' }),
      /from whom "query" comes/,
    ],
    'spaced.mjs': [
      toolSource('spaced', { asFunction: '() => ({ name: "look up" })' }),
      /"asFunction" must give a name of/,
    ],
    'nameless.mjs': [toolSource('nameless', { asFunction: '() => {}' }), /must give a name for the default/],
    'homeless.mjs': [toolSource('homeless', { placeholder: 'undefined' }), /needs a "placeholder"/],
    'text_function.mjs': [
      toolSource('text_function', { asFunction: '"look"' }),
      /"asFunction" must be a function/,
    ],
    'text_chat.mjs': [toolSource('text_chat', { argsFromChat: '{}' }), /"argsFromChat" must be a function/],
    'text_subject.mjs': [toolSource('text_subject', { subject: '"it"' }), /"subject" must be a function/],
    'slow.mjs': [toolSource('slow', { timeoutMs: '"soon"' }), /"timeoutMs" must be/],
    'explodes.mjs': ['export default { get name() { throw new Error("boom"); } };', /./],
    'Bad-Name.mjs': [toolSource('Bad-Name'), /"name" must match/],
  };

  for (const [file, [source, reason]] of Object.entries(BAD)) {
    it(`skips ${file}, says why, and loads the others`, async () => {
      await write({ [file]: source, 'good.mjs': toolSource('good') });

      const loaded = await load();

      expect([...loaded.keys()]).to.deep.equal(['good']);
      expect(skipped.map((each) => each.file)).to.deep.equal([file]);
      expect(skipped[0]?.faults.join('; ')).to.match(reason);
    });
  }

  it('names every fault of a file at once', async () => {
    await write({
      'worse.mjs': toolSource('worse', { title: '""', danger: '7', args: 'null', run: 'null' }),
    });

    await load();

    expect(skipped[0]?.faults).to.have.length(4);
  });

  it('loads a tool written with zod 3: it parses, refuses unknown keys and shows its schema', async () => {
    await write({ 'older.mjs': toolSource('older', {}, ZOD_3) });

    const tool = (await load()).get('older') as AnyTool;

    expect(skipped).to.deep.equal([]);
    expect(tool.config.safeParse({}).data).to.deep.equal({ depth: 1 });
    expect(tool.args.strict().safeParse({ query: 'x', more: 1 }).success).to.equal(false);
    expect(toJsonSchema(tool.args)).to.deep.include({ type: 'object', required: ['query'] });
  });

  it('loads a tool that uses the project’s own parts', async () => {
    const core = new URL('../../src/core/tool.ts', import.meta.url).href;
    const source = toolSource('ours')
      .replace('export default {', 'export default defineTool({')
      .replace(/\};\n$/, '});\n');
    await write({ 'ours.ts': `import { defineTool } from ${JSON.stringify(core)};\n${source}` });

    expect([...(await load()).keys()]).to.deep.equal(['ours']);
  });

  it('takes only one of two files with one name, and says so', async () => {
    await write({
      'twin.js': toolSource('twin'),
      'twin.mjs': toolSource('twin'),
      'package.json': '{"type":"module"}',
    });

    const loaded = await load();

    expect([...loaded.keys()]).to.deep.equal(['twin']);
    expect(skipped).to.have.length(1);
    expect(skipped[0]?.faults).to.deep.equal(['another tool is called twin']);
    expect(skipped[0]?.file).to.match(/^twin\.m?js$/);
  });

  it('passes over what is no plug-in', async () => {
    await mkdir(join(folder, 'folder'));
    await write({
      'README.md': '#',
      'good.d.ts': 'export {};',
      'good.mjs.map': '{}',
      'good.mjs': toolSource('good'),
    });

    const loaded = await load();

    expect([...loaded.keys()]).to.deep.equal(['good']);
    expect(skipped).to.deep.equal([]);
  });

  it('refuses a connector that declares half a provider, naming all that is missing', () => {
    const half = { ...acorn, provider: { name: 'Acorn', baseUrl: 'ftp://x', env: { apiKey: 'acorn key' } } };
    const { check: _check, ...unchecked } = acorn.provider;

    expect(faultsOfConnector(acorn)).to.deep.equal([]);
    expect(faultsOfConnector({ ...acorn, provider: undefined })).to.deep.equal([]);
    expect(faultsOfConnector({ ...acorn, provider: 'acorn' })).to.deep.equal([
      '"provider" must be an object',
    ]);
    expect(faultsOfConnector(half).map((fault) => fault.split(' ')[0])).to.deep.equal([
      ...['"provider.name"', '"provider.title"', '"provider.baseUrl"', '"provider.env"', '"provider.fields"'],
    ]);
    // Its form would have a button that tests nothing.
    expect(faultsOfConnector({ ...acorn, provider: unchecked }).join()).to.match(/^"provider.check" must be/);
    expect(faultsOfConnector({ ...acorn, provider: { ...unchecked, fields: [] } })).to.deep.equal([]);
    expect(faultsOfConnector({ ...acorn, provider: { ...acorn.provider, embeddings: {} } }).join()).to.match(
      /^"provider.embeddings" must be/,
    );
  });

  it('finds every plug-in of the project, and none of them bad', async () => {
    const { tools, connectors, processors } = await loadAllPlugins(new URL('../../', import.meta.url), log);

    expect(skipped).to.deep.equal([]);
    expect([...tools.keys()]).to.include.members(['assistant', 'no_rag', 'single_file_rag', 'weather']);
    expect([...connectors.keys()]).to.include.members([
      'openai',
      'openai_tools',
      'openai_tool_use',
      'bypass',
      'demo',
    ]);
    expect([...processors.keys()]).to.include.members(['simple_augment', 'multi_augment', 'tool_augment']);
  });
});
