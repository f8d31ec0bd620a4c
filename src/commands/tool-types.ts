import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const MOST = 20;

/** `tools/dice.ts(12,5): error TS2322: Type …`, and lines below that say more. */
const COMPLAINT = /^(.+)\((\d+),(\d+)\): error TS\d+: (.*)$/;

/**
 * What the compiler says of one tool, each as `file:line:column what`. Reads that tool and what it imports, and nothing
 * else of the project; nothing at all when it did so before and nothing has changed. Empty when it fits, and where there is no compiler.
 */
export async function typeFaultsOf(file: string, root: string, node: string): Promise<readonly string[]> {
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  if (!existsSync(compiler) || !existsSync(join(root, 'tsconfig.json'))) return [];
  const folder = join(root, 'dist', '.tool-types');
  await mkdir(folder, { recursive: true });
  const seen = join(folder, `${parse(file).name}.fits`);
  const mark = await markOf(file, root);
  if ((await textOf(seen)) === mark) return [];
  const config = join(folder, `${parse(file).name}.json`);
  await writeFile(config, JSON.stringify(configFor(resolve(file), root)));
  try {
    await execute(node, [compiler, '-p', config, '--pretty', 'false'], { cwd: root });
    await writeFile(seen, mark);
    return [];
  } catch (fault) {
    const { stdout = '' } = fault as { readonly stdout?: string };
    return complaintsIn(stdout);
  }
}

/** Changes with the project's sources, and with all that lies where the tool does. */
async function markOf(file: string, root: string): Promise<string> {
  const beside = await readdir(dirname(file), { withFileTypes: true });
  const files = beside.filter((entry) => entry.isFile()).map(({ name }) => join(dirname(file), name));
  const marks = files.map(async (each) => {
    const { mtimeMs, size } = await stat(each);
    return `${each} ${String(mtimeMs)} ${String(size)}`;
  });
  return [await textOf(join(root, 'dist', '.bellwether-stamp')), ...(await Promise.all(marks))].join('\n');
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** The project's own rules, less those about what is not used yet. Plain JavaScript is read where it says `@ts-check`. */
function configFor(file: string, root: string) {
  const core = join(root, 'dist/src/core');
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: true, allowJs: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
      ...{ noUnusedLocals: false, noUnusedParameters: false },
      paths: {
        'bellwether/langchain': [join(core, 'from-langchain-tool.d.ts')],
        'bellwether/*': [join(core, '*.d.ts')],
        zod: [join(root, 'node_modules/zod/index.d.ts')],
      },
    },
    include: [],
    files: [file],
  };
}

function complaintsIn(told: string): string[] {
  const lines = told.split('\n').flatMap((line) => {
    const [, file, row, column, message] = COMPLAINT.exec(line) ?? [];
    if (file !== undefined) return [`${file}:${row ?? ''}:${column ?? ''}  ${message ?? ''}`];
    return line.startsWith('  ') ? [`    ${line}`] : [];
  });
  return lines.slice(0, MOST);
}
