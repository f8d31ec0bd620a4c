import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRedactor } from '../core/base/redactor.js';
import { createLogger } from '../log.js';
import { CODE, PROJECT } from '../paths.js';
import { loadAllPlugins } from '../plugins/load.js';
import { readEnvironment } from '../startup/environment.js';
import { renderToolDocs } from './render-tool-docs.js';

/**
 * `npm run docs:tools [-- --out file]`: writes the page about the tools. Those of TOOLS_DIR are among them when it is
 * set for this command; .env is not read, so that the page of the project does not depend on whose machine it is.
 */
const PAGE = fileURLToPath(new URL('docs/tools.md', PROJECT));

const FAILED = 1;
const MISUSED = 2;

const fail = (text: string, code: number) => {
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
};

const file = wantedFile(process.argv.slice(2));
const read = await readEnvironment(process.env);
if (file === undefined) fail('Usage: npm run docs:tools [-- --out file]', MISUSED);
else if (!read.ok)
  fail(`The configuration has faults:\n${read.faults.map((f) => `  - ${f}`).join('\n')}`, FAILED);
else {
  const log = createLogger('error', createRedactor(), process.stderr);
  const { tools } = await loadAllPlugins(CODE, log, read.config.toolFolders);
  await writeFile(file, renderToolDocs(tools.values()));
  process.stdout.write(`Wrote ${file}: ${String(tools.size)} tools.\n`);
}

function wantedFile(args: readonly string[]): string | undefined {
  try {
    const { out } = parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values;
    // npm changes to the project's folder; the path was typed where npm was called.
    return out === undefined ? PAGE : resolve(process.env['INIT_CWD'] ?? '', out);
  } catch {
    return undefined;
  }
}
