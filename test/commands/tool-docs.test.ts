import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { fieldsOf } from '../../src/commands/describe-schema.js';
import { renderToolDocs } from '../../src/commands/render-tool-docs.js';
import { callerEmail } from '../../src/core/identity.js';
import { toJsonSchema } from '../../src/core/json-schema.js';
import type { Logger } from '../../src/core/log.js';
import { type AnyTool, defineTool } from '../../src/core/tool.js';
import { loadAllPlugins } from '../../src/plugins/load.js';
import { PROJECT_ROOT } from '../support/child-process.js';
import { startProgram } from '../support/program.js';
import { DICTIONARY, makeToolFolder } from '../support/tool-folder.js';

const silent = { error: () => undefined } as unknown as Logger;

const letter: AnyTool = defineTool({
  name: 'letter',
  title: 'Letter',
  description: 'Sends a letter | with <b>care</b>.',
  category: 'post',
  version: '2.1.0',
  danger: 'external',
  repeatable: true,
  timeoutMs: 90_000,
  config: z.object({
    office: z.string().min(1).describe('The office that sends it'),
    stamps: z.number().int().min(1).max(5).default(1),
  }),
  args: z.object({ to: z.string(), text: z.string().max(500), copies: z.number().default(1) }),
  bound: { to: callerEmail },
  asFunction: () => ({ name: 'send_letter' }),
  touches: () => [],
  status: () => 'sending',
  run: () => Promise.resolve({ content: '' }),
});

const relay: AnyTool = defineTool({
  name: 'relay',
  title: 'Relay',
  description: 'Offers what a server offers.',
  category: 'servers',
  version: '1.0.0',
  danger: 'read',
  repeatable: true,
  config: z.object({ server: z.string() }),
  args: z.object({}),
  functions: () => Promise.resolve([]),
  touches: () => [],
  status: () => 'relaying',
  run: () => Promise.resolve({ content: '' }),
});

describe('the page about the tools', () => {
  it('says what the definitions say: docs/tools.md is what `npm run docs:tools` writes', async () => {
    const { tools } = await loadAllPlugins(new URL('../../', import.meta.url), silent);

    const written = await readFile(join(PROJECT_ROOT, 'docs', 'tools.md'), 'utf8');

    expect(
      written === renderToolDocs(tools.values()),
      'docs/tools.md is out of date: npm run docs:tools',
    ).to.equal(true);
  });

  it('tells everything about a tool: ways, danger, time, arguments, who they are bound to, settings, an entry', () => {
    const page = renderToolDocs([letter]);

    for (const line of [
      '| [`letter`](#letter) | Sends a letter \\| with &lt;b>care&lt;/b>. | – | `send_letter` | external |',
      '| time limit | 90 s |',
      '| more than once in an assistant | yes |',
      '| `text` | text, at most 500 characters | yes |  |',
      '| `copies` | number | no, `1` unless set |  |',
      '| `to` | the verified e-mail of the person |',
      '| `office` | text, not empty | (must be set) | The office that sends it |',
      '| `stamps` | whole number, 1 to 5 | `1` |  |',
    ]) {
      expect(page.split('\n')).to.include(line);
    }
    expect(page).to.match(
      /\| danger \| `external`: acts outside this service; its entry must say `"approval"`/,
    );
    expect(JSON.parse(/```json\n([^`]+)```/.exec(page)?.[1] ?? '')).to.deep.equal({
      type: 'letter',
      enabled: true,
      mode: 'function',
      approval: 'ask',
      config: { office: '<office>' },
    });
  });

  it('says of a tool with functions of its own making where they come from', () => {
    const page = renderToolDocs([relay]);

    expect(page).to.include('| function | as its configuration, or the server it points at, names them |');
    expect(page).to.include('The model sets what each function asks for.');
  });

  it('is the same in whatever order the tools were found', () => {
    expect(renderToolDocs([relay, letter])).to.equal(renderToolDocs([letter, relay]));
  });

  const WORDS: readonly (readonly [z.ZodType, string])[] = [
    [z.string(), 'text'],
    [z.email(), 'text (email)'],
    [z.enum(['a', 'b']), '`"a"` or `"b"`'],
    [z.literal(7), '`7`'],
    [z.union([z.string(), z.number()]), 'text or number'],
    [z.string().nullable(), 'text or nothing'],
    [z.number().positive(), 'number, more than 0'],
    [z.number().int(), 'whole number'],
    [z.boolean(), 'true or false'],
    [z.array(z.string().max(9)).min(1), 'list of text, at most 9 characters, not empty'],
    [z.object({ a: z.string() }), 'object'],
    [z.unknown(), 'anything'],
  ];
  for (const [schema, words] of WORDS) {
    it(`calls it "${words}"`, () => {
      const [field] = fieldsOf(toJsonSchema(z.object({ it: schema })));

      expect(field?.type).to.equal(words);
    });
  }

  it('includes tools from elsewhere when the command is given their folder', async () => {
    const folder = await makeToolFolder({ 'dictionary.mjs': DICTIONARY, 'broken.mjs': 'export default {' });
    const out = join(folder.path, 'tools.md');

    const { code, said } = await startProgram('dist/src/commands/tool-docs.js', ['--out', out], {
      TOOLS_DIR: folder.path,
    }).exited;

    const page = await readFile(out, 'utf8');
    await folder.remove();
    expect(code, said).to.equal(0);
    expect(said).to.include('broken.mjs').and.to.include('it could not be loaded');
    expect(page).to.include('## dictionary').and.to.include('## weather');
    expect(page).to.include('| `word` | text, not empty | yes | The word to look up |');
    expect(page).to.include('| `reader` | the verified e-mail of the person |');
  });

  it('is not written for what the command does not understand', async () => {
    const { code, said } = await startProgram('dist/src/commands/tool-docs.js', ['--inn', 'x'], {}).exited;

    expect([code, said]).to.deep.equal([2, 'Usage: npm run docs:tools [-- --out file]\n']);
  });
});
