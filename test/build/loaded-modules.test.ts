import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PROJECT_ROOT } from '../support/child-process.js';
import { makeDataDir, removeDataDir, startServiceProcess, type Service } from '../support/service.js';

const RECORDER = pathToFileURL(join(PROJECT_ROOT, 'test/support/loaded-modules.mjs')).href;
const PLUGIN_FOLDERS = ['agents/connectors', 'agents/processors', 'src/knowledge/local-models', 'tools'];
/** A package beyond it is to be left out of the bundle, or to be worth what it adds to every start. */
const MOST_CODE_BYTES = 3_500_000;
/** Before the door is open. */
const MOST_AT_THE_DOOR_BYTES = 2_750_000;
/** Of what keeps workers: it serves nobody. */
const MOST_SUPERVISOR_BYTES = 700_000;
/** Each file more costs a start about a millisecond, however small it is. */
const MOST_SHARED_FILES = 16;
const SHARED_FILE = /^src\/chunk-\w+\.js$/;
const DATABASE_DRIVER = ['bindings', 'file-uri-to-path', 'sqlite3'];

interface Loaded {
  /** The packages of which anything came from node_modules. */
  readonly packages: readonly string[];
  /** Our own built files, by their paths below `dist`. */
  readonly own: readonly string[];
}

/** What a service loads from its start to its end, doing this in between. */
async function loadedWhile(
  doing: (service: Service) => Promise<unknown>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  const dataDir = await makeDataDir();
  try {
    const file = join(dataDir, 'loaded-modules');
    const env = { NODE_OPTIONS: `--import ${RECORDER}`, LOADED_MODULES: file, ...settings };
    const service = await startServiceProcess(env, { dataDir });
    await doing(service).finally(() => service.stop());
    return sorted((await readFile(file, 'utf8')).split('\n'));
  } finally {
    await removeDataDir(dataDir);
  }
}

function sorted(urls: readonly string[]): Loaded {
  const paths = [...new Set(urls)].filter((url) => url.startsWith('file:')).map((url) => fileURLToPath(url));
  const packages = paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  const own = paths.map((path) => relative(join(PROJECT_ROOT, 'dist'), path));
  return {
    packages: [...new Set(packages)].sort(),
    own: own.filter((path) => !path.startsWith('..')).sort(),
  };
}

async function sayReadyAndChat(service: Service): Promise<void> {
  const ready = await service.request('/readyz');
  const { id } = await service.createAssistant({ metadata: { connector: 'demo' } });
  const answered = await service.chat(id, 'Hello');
  expect([ready.status, answered.status]).to.deep.equal([200, 200]);
}

async function upload(service: Service): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob(['one line\n']), 'notes.md');
  const { status } = await service.request('/lamb/v1/files', { method: 'POST', body });
  expect(status).to.equal(201);
}

async function pluginFiles(): Promise<string[]> {
  const found = await Promise.all(
    PLUGIN_FOLDERS.map(async (folder) =>
      (await readdir(join(PROJECT_ROOT, folder)))
        .filter((file) => file.endsWith('.ts'))
        .map((file) => `${folder}/${file.replace(/\.ts$/, '.js')}`),
    ),
  );
  return found.flat().sort();
}

async function bytesOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (path) => (await stat(join(PROJECT_ROOT, 'dist', path))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The files in which this is written. */
async function filesWith(words: string, files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map((path) => readFile(join(PROJECT_ROOT, 'dist', path), 'utf8')));
  return files.filter((_, i) => texts[i]?.includes(words));
}

/** Each of LangChain's classes has such a name. */
const withLangChain = (files: readonly string[]) => filesWith('lc_namespace', files);

describe('what a service loads', () => {
  let loaded: Loaded;
  before(async () => {
    loaded = await loadedWhile(sayReadyAndChat);
  });

  it('is no package but the driver of its database, until something else is needed', () => {
    expect(loaded.packages).to.deep.equal(DATABASE_DRIVER);
  });

  it('is its program, its plug-ins and what they share, and none of our modules by itself', async () => {
    const named = loaded.own.filter((path) => !SHARED_FILE.test(path) && !path.startsWith('db/migrations/'));

    expect(named).to.deep.equal([...(await pluginFiles()), 'src/main.js'].sort());
  });

  it('is few files beside those', () => {
    expect(loaded.own.filter((path) => SHARED_FILE.test(path)).length).to.be.within(1, MOST_SHARED_FILES);
  });

  it('is not more code than it was when every package in it was looked at', async () => {
    expect(await bytesOf(loaded.own)).to.be.within(1_000_000, MOST_CODE_BYTES);
  });

  it('has the routes of all but chats, and Express, in files of their own, and so less before its door is open', async () => {
    const routes = await filesWith('.disable("x-powered-by")', loaded.own);
    const express = await filesWith('node_modules/express/lib/express.js', loaded.own);
    const atTheDoor = loaded.own.filter((path) => !routes.includes(path) && !express.includes(path));

    expect([routes.length, express.length]).to.deep.equal([1, 1]);
    expect(await bytesOf(atTheDoor)).to.be.within(1_000_000, MOST_AT_THE_DOOR_BYTES);
  });

  it('is little where it keeps workers, which load the rest', async () => {
    const { own } = await loadedWhile((service) => service.request('/readyz'), { WORKERS: '2' });

    expect(await bytesOf(own)).to.be.within(100_000, MOST_SUPERVISOR_BYTES);
  });

  describe('that is set up for more', () => {
    let more: Loaded;
    before(async () => {
      const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'sk-test' };
      more = await loadedWhile(upload, settings);
    });

    it('is OpenTelemetry where traces are to be sent somewhere, and nowhere else', () => {
      expect(more.packages).to.include.members([
        '@opentelemetry/sdk-trace',
        '@opentelemetry/otlp-exporter-base',
      ]);
      expect(loaded.packages.filter((name) => name.startsWith('@opentelemetry/'))).to.deep.equal([]);
    });

    it('is LangChain at its start where a provider needs it, and where none is set up not at all', async () => {
      // Nobody has asked a model of it.
      expect(await withLangChain(more.own)).not.to.deep.equal([]);
      expect(await withLangChain(loaded.own)).to.deep.equal([]);
    });

    it('is what reads forms when the first one comes', () => {
      expect(more.packages).to.include('multer');
    });
  });
});
