// Our TypeScript as JavaScript, for the processes that run tests. What has changed is built at once before they begin: all of
// it in three seconds of processor time, where to build file after file in each of them took more than thirty.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BUILT = join(ROOT, 'dist', '.test-code');
const FOLDERS = ['agents', 'bench', 'db', 'src', 'test', 'tools', 'web'];
const BUILT_BY = ['test/support/runner/sources.mjs', 'tsconfig.json', 'package-lock.json'];
const HOW = {
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'error',
};

/** When what builds them was changed for the last time. */
const BUILDER = Math.max(...BUILT_BY.map((path) => modifiedAt(join(ROOT, path))));

/** Before anything is loaded by way of these hooks. */
export async function buildSources() {
  const sources = FOLDERS.flatMap((folder) => sourcesIn(join(ROOT, folder)));
  const entryPoints = sources.filter((path) => !isBuilt(path));
  if (entryPoints.length === 0) return;
  const { GOGC } = process.env;
  // It ends with this build, and would spend a good part of its time on collecting memory.
  process.env.GOGC ??= 'off';
  // As if each were to lie beside its source, whose name it goes by: so its map says.
  const { outputFiles } = await build({ ...HOW, entryPoints, outbase: ROOT, outdir: ROOT, write: false });
  if (GOGC === undefined) delete process.env.GOGC;
  for (const { path, contents } of outputFiles) {
    const built = join(BUILT, relative(ROOT, path));
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, contents);
  }
}

function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesIn(path);
    return isSource(path) ? [path] : [];
  });
}

const isSource = (path) => path.endsWith('.ts') && !path.endsWith('.d.ts');

/** A hook of Node's. Sources name each other by what they are built into. */
export async function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const url = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return await next(specifier, context);
}

/** A hook of Node's. */
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !isSource(new URL(url).pathname)) return await next(url, context);
  return { format: 'module', shortCircuit: true, source: await builtFrom(fileURLToPath(url)) };
}

/** What has been changed or written since is built when it is asked for. */
async function builtFrom(path) {
  if (isBuilt(path)) return await readFile(builtAt(path));
  const source = await readFile(path, 'utf8');
  const { code } = await transform(source, { ...HOW, loader: 'ts', sourcefile: basename(path) });
  return code;
}

function isBuilt(path) {
  const isOurs = FOLDERS.includes(relative(ROOT, path).split(sep)[0]);
  return isOurs && modifiedAt(builtAt(path)) > Math.max(modifiedAt(path), BUILDER);
}

const builtAt = (path) => join(BUILT, `${relative(ROOT, path).slice(0, -'.ts'.length)}.js`);

function modifiedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
