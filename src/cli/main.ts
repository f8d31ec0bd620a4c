import { existsSync, readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { resolve } from 'node:path';
import { PROJECT } from '../paths.js';
import { runProgram } from './program.js';
import { createSavedLogins, loginFile } from './saved-logins.js';
import { createTerminal } from './terminal.js';

/** `npx bellwether`, `npm run cli --`: a client of a service that runs anywhere. Loads nothing of the service itself. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    // Whoever read it has enough, as "head" does.
    process.exit(fault.code === 'EPIPE' ? 0 : 1);
  });
}

const { version } = JSON.parse(readFileSync(new URL('package.json', PROJECT), 'utf8')) as { version: string };

/** Those of package.json that run this. */
const NPM_SCRIPTS = new Set<string | undefined>(['cli', 'suite']);

await runProgram(process.argv.slice(2), {
  env: process.env,
  version,
  hostname: hostname(),
  terminal: createTerminal(process),
  logins: createSavedLogins(loginFile(process.env, homedir())),
  // npm changes to the project's folder; the path was typed where npm was called.
  typedPath: (path) =>
    resolve(NPM_SCRIPTS.has(process.env['npm_lifecycle_event']) ? (process.env['INIT_CWD'] ?? '') : '', path),
  loadEnvFile: () => {
    if (existsSync('.env')) process.loadEnvFile('.env');
  },
  setExitCode: (code) => {
    process.exitCode = code;
  },
  onInterrupt: (act) => {
    process.on('SIGINT', act);
    return () => process.off('SIGINT', act);
  },
});
