// Builds the service into dist/. What every start needs, our modules and the packages', goes into few files: Node
// spends more on finding a thousand small ones than on running them. So the files that others name (programs,
// plug-ins, what package.json exports) are written as one bundle that shares one copy of every module; all others
// are written each by itself, for whoever wants one alone. Only what has changed is touched, and never while it is read.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { mergeChunks } from './merge-chunks.mjs';
import { PACKAGE_PLUGINS } from './packages.mjs';
import { filesBelow, putInPlace } from './put-in-place.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const FOLDERS = ['src', 'agents', 'tools', 'db'];
/** The whole service, for tests that start it in their own process. */
const FOR_TESTS = 'test/support/service-here.ts';
/** Threads that need packages which are built in. */
const THREADS = ['src/scenarios/yaml-worker.ts'];
const PLUGIN_FOLDERS = ['tools', 'agents/connectors', 'agents/processors', 'src/knowledge/local-models'];

/** What a service loads when it starts, beside its plug-ins; to try a tool nearly all of that is loaded too. */
const IN_SERVICE = ['src/serve.ts', 'src/workers/worker.ts', 'src/commands/try-tool.ts'];
/** What it loads once its door is open. */
const BEHIND_THE_DOOR = ['src/http/app.ts'];
/** What keeps workers loads these, and nothing of the rest: connectors say what the configuration may hold. */
const IN_SUPERVISOR = ['src/main.ts', 'src/workers/supervisor.ts', ...sourcesIn('agents/connectors')];

/** Loaded from node_modules, and only by whoever comes to need them. */
const ON_DEMAND = [
  '@aws-sdk/*',
  '@modelcontextprotocol/*',
  '@napi-rs/canvas',
  // Its API is in the bundle: prom-client asks for that.
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  'bcryptjs',
  'cheerio',
  'cli-progress',
  'csv-parse',
  'htmlparser2',
  'jose',
  'js-tiktoken',
  'langchain',
  'mammoth',
  'multer',
  'pdfjs-dist',
  'pg',
  'robots-parser',
  'sqlite3',
  'turndown',
  'yauzl',
];

/** A part of the driver that knex would ask for if streams were read by it. */
const NOT_INSTALLED = ['pg-query-stream'];

/** A service that was started before still loads its own when it comes to need them. */
const CHUNK = /(^|\/)chunk-\w+\.js(\.map)?$/;
const DAYS_KEPT = 30;

/** What each module that is written by itself was made from. */
const MARKS = 'dist/.built-from.json';

const SHARED = {
  absWorkingDir: root,
  outbase: '.',
  outdir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  sourcesContent: false,
  write: false,
  logLevel: 'warning',
};

const named = [...namedInPackage(), FOR_TESTS, ...THREADS, ...PLUGIN_FOLDERS.flatMap(sourcesIn)];
const others = FOLDERS.flatMap((folder) => filesBelow(root, folder))
  .filter((path) => path.endsWith('.ts'))
  .filter((path) => !named.includes(path));

// Of a bundle every part depends on every other; a module by itself depends on nothing but its source.
const marks = Object.fromEntries(others.map((path) => [path, markOf(path)]));
const before = marksOfLastTime();
const changed = others.filter((path) => marks[path] !== before[path]);
const kept = others.filter((path) => marks[path] === before[path]).flatMap(outputsOf);

// It ends with this build, and spends a quarter of its time on collecting memory otherwise; its own command does the same.
process.env.GOGC ??= 'off';

try {
  const built = await Promise.all([bundled(named), build({ ...SHARED, entryPoints: changed })]);
  const files = built
    .flatMap(({ outputFiles }) => outputFiles)
    .map(({ path, contents }) => [relative(join(root, 'dist'), path).split(sep).join('/'), contents]);
  const written = putInPlace(join(root, 'dist'), new Map(files), {
    list: '.built.json',
    kept,
    isOurs: (path) => /^(src|agents|tools|db|test)\/.*\.js(\.map)?$/.test(path),
    isNamedByContent: (path) => CHUNK.test(path),
    days: DAYS_KEPT,
  });
  // Node keeps there what it compiled of each file, and never takes away what nobody will load again.
  const compiled = join(root, 'dist', '.compile-cache');
  // One that ends just now may be writing there.
  if (written.length > 0) rmSync(compiled, { recursive: true, force: true, maxRetries: 3 });
  writeFileSync(join(root, MARKS), JSON.stringify(marks));
} catch (fault) {
  // What is wrong, and in which line, esbuild has said already.
  if (fault.errors === undefined) throw fault;
  process.exitCode = 1;
}

async function bundled(entryPoints) {
  const split = await build({
    ...SHARED,
    metafile: true,
    sourcemap: 'inline',
    entryPoints,
    // Where `import.meta.url` says the same as in the modules of src/, from which most of them come.
    chunkNames: 'src/chunk-[hash]',
    bundle: true,
    splitting: true,
    external: [...ON_DEMAND, ...NOT_INSTALLED],
    // Packages that are not modules yet ask Node for its own parts with `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = /* @__PURE__ */ (() => requireFrom(import.meta.url))();",
    },
    plugins: PACKAGE_PLUGINS,
  });
  return mergeChunks(split, {
    // There is less to read without spaces and remarks; names stay as they are.
    options: { ...SHARED, minifyWhitespace: true, minifySyntax: true },
    programOf,
    after: { 'behind the door': 'service' },
  });
}

/** Programs of one folder count as one: none of them is started so often that it would need files of its own. */
function programOf(source) {
  if (IN_SUPERVISOR.includes(source)) return 'supervisor';
  if (BEHIND_THE_DOOR.includes(source)) return 'behind the door';
  if (IN_SERVICE.includes(source) || PLUGIN_FOLDERS.includes(dirname(source))) return 'service';
  return named.includes(source) && source !== FOR_TESTS ? dirname(source) : undefined;
}

/** Changes with the source, and with what it is built by. */
function markOf(path) {
  return [path, 'src/build/bundle.mjs', 'tsconfig.json', 'package-lock.json']
    .map((each) => statSync(join(root, each)))
    .map(({ mtimeMs, size }) => `${mtimeMs} ${size}`)
    .join(' ');
}

/** None of those whose output somebody has taken away. */
function marksOfLastTime() {
  try {
    const all = Object.entries(JSON.parse(readFileSync(join(root, MARKS), 'utf8')));
    const isWhole = ([path]) => outputsOf(path).every((file) => existsSync(join(root, 'dist', file)));
    return Object.fromEntries(all.filter(isWhole));
  } catch {
    return {};
  }
}

function outputsOf(path) {
  const file = path.replace(/\.ts$/, '.js');
  return [file, `${file}.map`];
}

/** The sources of all built files that package.json names: what its scripts run and what it exports. */
function namedInPackage() {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  return [...new Set([...text.matchAll(/\bdist\/([\w/-]+)\.js\b/g)].map(([, path]) => `${path}.ts`))];
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);
}
