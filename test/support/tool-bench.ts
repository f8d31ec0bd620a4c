import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './child-process.js';

const execute = promisify(execFile);

/** The built service in a folder of its own, without its pages, and with tools dropped into its `tools/` as an administrator would. */
export interface ToolBench {
  /** A program of it, by its path below `dist`. */
  program(path: string): string;
  /** Whether the tool of this name was ever run. */
  wasRun(tool: string): Promise<boolean>;
  remove(): Promise<void>;
}

export interface BenchTool {
  readonly name: string;
  readonly danger?: 'read' | 'write' | 'external';
  /** The body of an async function of `args`, `config` and `ctx`. */
  readonly run: string;
}

export async function makeToolBench(tools: readonly BenchTool[]): Promise<ToolBench> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-bench-'));
  await mkdir(join(folder, 'dist'));
  // Node takes ten times as long to copy so many files.
  const parts = ['src', 'agents', 'tools', 'db'].map((part) => join(PROJECT_ROOT, 'dist', part));
  await execute('cp', ['-a', ...parts, join(folder, 'dist')]);
  await cp(join(PROJECT_ROOT, 'package.json'), join(folder, 'package.json'));
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  const traceOf = (name: string) => join(folder, `${name}.was-run`);
  for (const tool of tools) {
    await writeFile(join(folder, 'dist/tools', `${tool.name}.mjs`), sourceOf(tool, traceOf(tool.name)));
  }
  return {
    program: (path) => join(folder, 'dist', path),
    wasRun: (tool) =>
      readFile(traceOf(tool)).then(
        () => true,
        () => false,
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const sourceOf = ({ name, danger = 'read', run }: BenchTool, trace: string) => `
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../src/core/errors.js';

export default {
  name: '${name}',
  title: '${name}',
  description: 'Part of a test.',
  category: 'test',
  version: '1.0.0',
  danger: '${danger}',
  repeatable: false,
  config: z.object({}),
  args: z.object({ text: z.string().optional() }),
  asFunction: () => ({ name: '${name}' }),
  touches: () => [],
  status: () => 'testing',
  async run(args, config, ctx) {
    await writeFile(${JSON.stringify(trace)}, '');
    ${run}
  },
};
`;
