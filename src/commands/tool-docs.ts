import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CODE, PROJECT } from '../paths.js';
import { loadAllPlugins } from '../plugins/load.js';
import { createTerminalLogger, fail, MISUSED, readConfigOrFail, say, typedPath } from './program.js';
import { renderToolDocs } from './render-tool-docs.js';

/**
 * `npm run docs:tools [-- --out file]`: writes the page about the tools. Those of TOOLS_DIR are among them when it is
 * set for this command; .env is not read, so that the page of the project does not depend on whose machine it is.
 */
const PAGE = fileURLToPath(new URL('docs/tools.md', PROJECT));

const file = wantedFile(process.argv.slice(2));
const config = file === undefined ? undefined : await readConfigOrFail();
if (file === undefined) fail('Usage: npm run docs:tools [-- --out file]', MISUSED);
else if (config) {
  const { tools } = await loadAllPlugins(CODE, createTerminalLogger('error'), config.toolFolders);
  await writeFile(file, renderToolDocs(tools.values()));
  say(`Wrote ${file}: ${String(tools.size)} tools.`);
}

function wantedFile(args: readonly string[]): string | undefined {
  try {
    const { out } = parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values;
    return out === undefined ? PAGE : typedPath(out);
  } catch {
    return undefined;
  }
}
