import { execFile, type ExecFileOptions } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { defineTool } from '../src/core/tool.js';
import { z } from 'zod';
import { callTool } from './support/call-tool.js';
import { type Checkout, makeCheckout } from './support/checkout.js';
import { PROJECT_ROOT } from './support/child-process.js';

const execute = promisify(execFile);
/** Also when it fails. */
async function ran(command: string, args: readonly string[], options: ExecFileOptions) {
  const done = execute(command, args, { ...options, encoding: 'utf8' }).then((said) => ({
    ...said,
    code: 0,
  }));
  return done.catch((fault: unknown) => fault as { code: number; stdout: string; stderr: string });
}

const PAGES = ['docs/writing-a-tool.md', 'README.md'];

/** Every example that is TypeScript, or JavaScript with types, at the path its first line gives. */
async function examplesIn(page: string): Promise<[path: string, source: string][]> {
  const text = await readFile(join(PROJECT_ROOT, page), 'utf8');
  return [...text.matchAll(/^```(?:ts|js)\n(\/\/ (\S+)\n[^]*?)^```$/gm)].map(([, source = '', path = '']) => [
    path.includes('/') ? path : join('tools', path),
    source,
  ]);
}

/** What the compiler has to say about files that are nowhere but here, by the path of each below the project. */
async function complaintsAbout(
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'bellwether-examples-')));
  try {
    for (const part of ['package.json', 'dist', 'node_modules']) {
      await symlink(join(PROJECT_ROOT, part), join(folder, part));
    }
    for (const [path, source] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    const settings = {
      extends: join(PROJECT_ROOT, 'tsconfig.json'),
      // As if they lay in the project: what they import by a path is found there.
      compilerOptions: { allowJs: true, checkJs: true, rootDirs: ['.', PROJECT_ROOT] },
      include: [],
      files: [...files.keys()],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const compiler = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
    const { stdout } = await ran(process.execPath, [compiler, '--pretty', 'false'], { cwd: folder });
    const found = stdout.split('\n').filter((line) => line.includes(': error TS'));
    const about = (path: string) => found.filter((line) => line.startsWith(`${path}(`));
    expect(found.filter((line) => ![...files.keys()].flatMap(about).includes(line))).to.deep.equal([]);
    return new Map([...files.keys()].map((path) => [path, about(path)]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** With the names of tools that the page has made for it left open: the same on a page that calls its tool otherwise. */
function formsOf(steps: readonly Step[]): (command: string) => string {
  const commands = steps.flatMap((step) => ('command' in step ? [step.command] : []));
  const made = commands.flatMap((command) => /new:tool -- (\w+)/.exec(command)?.[1] ?? []);
  return (command) => made.reduce((form, name) => form.replaceAll(name, '<tool>'), command);
}

describe('the commands of the documentation', function () {
  this.timeout(300_000);
  let checkout: Checkout;
  before(async () => {
    checkout = await makeCheckout();
  });
  after(() => checkout.remove());

  it(`work as they are written in ${PAGES.join(' and ')}, each form on the first page that has it`, async () => {
    const { root } = checkout;
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: root, TMPDIR: tmpdir() };
    const proven = new Set<string>();
    for (const page of PAGES) {
      const steps = await stepsIn(page);
      const formOf = formsOf(steps);
      const forms: string[] = [];
      for (const step of steps) {
        if ('path' in step) await writeFile(join(root, step.path), step.text);
        else {
          forms.push(formOf(step.command));
          if (proven.has(formOf(step.command))) continue;
          const { code, stdout, stderr } = await ran('sh', ['-c', step.command], { cwd: root, env });
          expect(code, `${step.command}\n${stdout}${stderr}`).to.equal(0);
          if (step.command.includes('mocha')) expect(stdout).to.match(/2 passing/);
        }
      }
      expect(forms, page).to.include.members([
        'npm run new:tool -- <tool>',
        `npm run try:tool -- <tool> '{"name":"Ada"}'`,
      ]);
      forms.forEach((form) => proven.add(form));
    }
  });
});

describe('the documentation', function () {
  this.timeout(60_000);

  const wrong = join('tools', 'wrong.mjs');
  let examples: readonly [path: string, source: string][];
  let complaints: ReadonlyMap<string, readonly string[]>;
  before(async () => {
    examples = (await Promise.all(PAGES.map(examplesIn))).flat();
    const source = "import { defineTool } from 'bellwether/tool';\ndefineTool({ name: 'wrong' });\n";
    // At once: most of it is what they all import.
    complaints = await complaintsAbout(new Map([...examples, [wrong, source]]));
  });

  it('has no example that does not compile', () => {
    expect(examples.map(([path]) => path)).to.include.members([
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
