import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import ts from 'typescript';
import { defineTool } from '../src/core/tool.js';
import { z } from 'zod';
import { callTool } from './support/call-tool.js';
import { type Checkout, makeCheckout } from './support/checkout.js';
import { PROJECT_ROOT } from './support/child-process.js';

const execute = promisify(execFile);
const PAGES = ['docs/writing-a-tool.md', 'README.md'];

/** Every example that is TypeScript, or JavaScript with types, at the path its first line gives. */
async function examplesIn(page: string): Promise<[path: string, source: string][]> {
  const text = await readFile(join(PROJECT_ROOT, page), 'utf8');
  return [...text.matchAll(/^```(?:ts|js)\n(\/\/ (\S+)\n[^]*?)^```$/gm)].map(([, source = '', path = '']) => [
    join(PROJECT_ROOT, path.includes('/') ? path : join('tools', path)),
    source,
  ]);
}

/** What the compiler has to say about files that are nowhere but here, by the path of each. */
function complaintsAbout(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(join(PROJECT_ROOT, 'tsconfig.json'), ts.sys.readFile) as {
    readonly config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, PROJECT_ROOT);
  const host = ts.createCompilerHost({ ...options, allowJs: true, checkJs: true });
  const { fileExists, readFile: read, getSourceFile } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? read(path);
  host.getSourceFile = (path, language, ...rest) => {
    const source = files.get(path);
    return source === undefined
      ? getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, source, language, true);
  };
  const program = ts.createProgram([...files.keys()], { ...options, allowJs: true, checkJs: true }, host);
  const complaints = (path: string) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      (found) => `${path}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`,
    );
  };
  return new Map([...files.keys()].map((path) => [path, complaints(path)]));
}

type Step = { readonly command: string } | { readonly path: string; readonly text: string };

/** The commands of a page about tools, and its examples, in the order a newcomer comes to them. */
async function stepsIn(page: string): Promise<readonly Step[]> {
  const text = await readFile(join(PROJECT_ROOT, page), 'utf8');
  const found = text.matchAll(
    /^```(?:ts|js)\n(?<example>\/\/ (?<path>\S+)\n[^]*?)^```$|^```sh\n(?<block>[^]*?)^```$|`(?<inline>npm run (?:new|try):tool -- [^`]+)`/gm,
  );
  return [...found].flatMap(({ groups = {} }): readonly Step[] => {
    const { example, path = '', block, inline } = groups;
    if (example !== undefined) return path.includes('/') ? [{ path, text: example }] : [];
    return (inline ?? block ?? '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, ''))
      .filter((line) => /\b(?:new|try|docs):tool|\bmocha\b/.test(line))
      .map((command) => ({ command }));
  });
}

describe('the commands of the documentation', function () {
  this.timeout(300_000);
  let checkout: Checkout;
  beforeEach(async () => {
    checkout = await makeCheckout();
  });
  afterEach(() => checkout.remove());

  for (const page of PAGES) {
    it(`work as they are written in ${page}`, async () => {
      const { root } = checkout;
      const { PATH = '' } = process.env;
      const ran: string[] = [];
      for (const step of await stepsIn(page)) {
        if ('path' in step) await writeFile(join(root, step.path), step.text);
        else {
          const env = { PATH, HOME: root, TMPDIR: tmpdir() };
          const outcome = await execute('sh', ['-c', step.command], { cwd: root, env }).catch(
            (fault: unknown) =>
              fault as { readonly code: number; readonly stdout: string; readonly stderr: string },
          );
          expect('code' in outcome ? outcome.stdout + outcome.stderr : '', step.command).to.equal('');
          ran.push(step.command);
        }
      }
      expect(ran.join('\n')).to.include('npm run new:tool').and.include('npm run try:tool');
    });
  }
});

describe('the documentation', function () {
  this.timeout(60_000);

  const wrong = join(PROJECT_ROOT, 'tools', 'wrong.mjs');
  let examples: readonly [path: string, source: string][];
  let complaints: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    examples = (await Promise.all(PAGES.map(examplesIn))).flat();
    const source = "import { defineTool } from 'bellwether/tool';\ndefineTool({ name: 'wrong' });\n";
    // At once: the compiler takes seconds for what they all import.
    complaints = complaintsAbout(new Map([...examples, [wrong, source]]));
  });

  it('has no example that does not compile', () => {
    expect(examples.map(([path]) => path.slice(PROJECT_ROOT.length))).to.include.members([
      'tools/dictionary.ts',
      'test/tools/dictionary.test.ts',
      'tools/sheep_count.mjs',
      'tools/dice.ts',
      'agents/connectors/acorn.ts',
    ]);
    expect(examples.flatMap(([path]) => complaints.get(path))).to.deep.equal([]);
  });

  it('would notice one', () => {
    expect(complaints.get(wrong)).to.have.length(1);
  });

  it('tells a tool’s author of everything that ctx has, and of nothing else', async () => {
    const page = await readFile(join(PROJECT_ROOT, 'docs', 'writing-a-tool.md'), 'utf8');
    const table = page.slice(
      page.indexOf('## What `ctx` has'),
      page.indexOf('Rules that keep everybody safe'),
    );
    const told = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    let seen: string[] = [];
    const curious = defineTool({
      name: 'curious',
      title: 'Curious',
      description: 'Looks around.',
      category: 'test',
      version: '1.0.0',
      danger: 'read',
      repeatable: false,
      config: z.object({}),
      args: z.object({}),
      asFunction: () => ({ name: 'look_around' }),
      touches: () => [],
      status: () => 'looking around',
      run: (_args, _config, ctx) => {
        seen = Object.keys(ctx);
        return Promise.resolve({ content: '' });
      },
    });

    await callTool(curious);

    expect(told).to.have.members(seen);
  });
});
