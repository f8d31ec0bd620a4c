import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, parse, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { canonicalType } from '../../db/metadata/legacy-tools.js';
import { isPluginName } from '../core/tool.js';
import { PROJECT } from '../paths.js';
import { fail, FAILED, MISUSED, typedPath } from './program.js';
import { externalToolSource, toolSource, toolTestSource } from './tool-template.js';

/** `npm run new:tool -- <name> [--dir folder]`: starts a tool that works, to be changed into the one that is wanted. */
const USAGE = `Usage: npm run new:tool -- <name> [--dir folder]

  <name>         lower-case letters, digits and _, such as word_count
  --dir folder   writes it there, as a tool outside the project (TOOLS_DIR)`;

const PROJECT_FOLDER = fileURLToPath(PROJECT);

interface Wish {
  readonly name: string;
  readonly dir: string | undefined;
}

const wish = readWish(process.argv.slice(2));
const fault = wish && (await faultOf(wish));
if (!wish) fail(USAGE, MISUSED);
else if (fault !== undefined) fail(fault, FAILED);
else process.stdout.write(await make(wish));

function readWish(args: readonly string[]): Wish | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { dir: { type: 'string' } },
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) return undefined;
    return { name, dir: values.dir && typedPath(values.dir) };
  } catch {
    return undefined;
  }
}

async function faultOf({ name, dir }: Wish): Promise<string | undefined> {
  if (!isPluginName(name)) {
    const better = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[_0-9]+|_+$/g, '')
      .slice(0, 64);
    const hint = isPluginName(better) ? ` Try ${better}.` : '';
    return `"${name}" cannot be the name of a tool: lower-case letters, digits and _, 64 at most, a letter first.${hint}`;
  }
  if (name === 'user_input') return 'user_input is reserved: it stands for what the user wrote.';
  const { type } = canonicalType(name);
  if (type !== name) return `${name} is reserved: stored assistants know ${type} by that name.`;
  const folders = [
    join(PROJECT_FOLDER, 'tools'),
    join(PROJECT_FOLDER, 'test', 'tools'),
    ...(dir === undefined ? [] : [dir]),
  ];
  const files = (await Promise.all(folders.map(filesIn))).flat();
  const taken = files.find((file) => parse(file).name.replace(/\.test$/, '') === name);
  return taken && `There is a tool called ${name} already: ${relative('', taken)}. Nothing was changed.`;
}

async function filesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.map((file) => join(folder, file));
}

/** Writes the files and returns what to do next. */
async function make({ name, dir }: Wish): Promise<string> {
  if (dir === undefined) {
    const file = join('tools', `${name}.ts`);
    const test = join('test', 'tools', `${name}.test.ts`);
    await writeNew(join(PROJECT_FOLDER, file), toolSource(name));
    await writeNew(join(PROJECT_FOLDER, test), toolTestSource(name));
    return told(
      [file, test],
      [
        ['edit', file],
        ['try', `npm run try:tool -- ${name} '{"name":"Ada"}'`],
        ['test', `npx mocha --no-config --node-option import=tsx ${test}`],
        ['document', 'npm run docs:tools'],
      ],
    );
  }
  const file = join(dir, `${name}.mjs`);
  await mkdir(dir, { recursive: true });
  await writeNew(file, externalToolSource(name));
  return told(
    [file],
    [
      ['edit', file],
      ['try', `TOOLS_DIR=${dir} npm run try:tool -- ${name} '{"name":"Ada"}'`],
      ['start', `TOOLS_DIR=${dir} npm start`],
    ],
  );
}

/** Fails rather than replace a file that appeared meanwhile. */
async function writeNew(file: string, source: string): Promise<void> {
  await writeFile(file, source, { flag: 'wx' });
}

function told(made: readonly string[], steps: readonly (readonly [string, string])[]): string {
  const next = steps.map(([verb, how], i) => `  ${String(i + 1)}. ${verb.padEnd(10)}${how}\n`);
  return `${made.map((file) => `Made ${file}\n`).join('')}\nNext:\n${next.join('')}\ndocs/writing-a-tool.md has the rest.\n`;
}
