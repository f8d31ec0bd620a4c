import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROJECT_ROOT } from './child-process.js';

export interface ToolFolder {
  readonly path: string;
  /** Gives the folder this package of ours in node_modules of its own. */
  install(name: string): Promise<void>;
  remove(): Promise<void>;
}

/** A folder with tools, far from the project and its node_modules. */
export async function makeToolFolder(files: Readonly<Record<string, string>>): Promise<ToolFolder> {
  const path = await mkdtemp(join(tmpdir(), 'bellwether-tools-'));
  const place = async (file: string) => {
    await mkdir(dirname(join(path, file)), { recursive: true });
    return join(path, file);
  };
  for (const [file, source] of Object.entries(files)) await writeFile(await place(file), source);
  return {
    path,
    install: async (name) =>
      symlink(join(PROJECT_ROOT, 'node_modules', name), await place(join('node_modules', name))),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** A tool that looks up words, written with all that tools from elsewhere may import. */
export const DICTIONARY = `
import { notFound } from 'bellwether/errors';
import { callerEmail } from 'bellwether/identity';
import { lastUserText } from 'bellwether/message';
import { defineTool } from 'bellwether/tool';
import { z } from 'zod';

export default defineTool({
  name: 'dictionary',
  title: 'Dictionary',
  description: 'Tells what a word means.',
  category: 'information',
  version: '1.0.0',
  danger: 'read',
  repeatable: false,
  placeholder: 'definition',
  config: z.object({ language: z.enum(['en', 'eu']).default('en') }),
  args: z.object({
    word: z.string().min(1).describe('The word to look up'),
    most: z.number().int().default(1),
    reader: z.string(),
  }),
  bound: { reader: callerEmail },
  asFunction: () => ({ name: 'look_up_word' }),
  argsFromChat: (messages) => ({ word: lastUserText(messages) }),
  touches: () => [],
  status: () => 'looking up a word',
  async run({ word, reader }, { language }) {
    if (word !== 'ardi') throw notFound('The word');
    return { content: \`\${language}: sheep, for \${reader}\` };
  },
});
`;
