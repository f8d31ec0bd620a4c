// Everything that must hold: the types, and beside them the tests, in a few processes that each take the next file.
//   npm test                 all of it
//   npm test -- PATH...      the tests in those files and folders, and nothing else
//   npm test -- --fast       the tests that need no other process, database server or browser, and nothing else
//   npm test -- --lint       all of it, and what `npm run lint` looks at
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, normalize, sep } from 'node:path';
import { performance } from 'node:perf_hooks';
import { buildSources } from './support/runner/sources.mjs';
import { cpuSecondsOf, expectedSeconds, keepTime, tableOf } from './support/runner/test-times.mjs';
import './support/runner/with-sources.mjs';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8'));
const words = process.argv.slice(2);
const wants = (option) => words.includes(option);
const paths = words.filter((word) => !word.startsWith('--')).map((path) => normalize(path));
const isWhole = paths.length === 0 && !wants('--fast');
const begunAt = performance.now();

// The longest first, so that none of them is left for the end.
const files = testFiles('test')
  .filter((file) => paths.length === 0 || paths.some(holds(file)))
  .filter((file) => !wants('--fast') || isFast(file))
  .map((file) => ({ file, seconds: expectedSeconds(file) }))
  .sort((a, b) => b.seconds - a.seconds)
  .map(({ file }) => file);
if (files.length === 0) throw new Error(`There are no tests at ${paths.join(', ')}.`);
// Two more than there are cores: much of a test is waiting.
const PROCESSES = Math.min(availableParallelism() + 2, files.length);

const folder = mkdtempSync(join(whereToWrite(), 'bellwether-tests-'));
// PostgreSQL has an account of its own where root runs the tests.
chmodSync(folder, 0o711);
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const env = {
  ...process.env,
  TEST_TMPDIR: folder,
  // Tests open a database many times at once. Node's four threads would all wait for its lock, and none be left for
  // whoever holds it.
  UV_THREADPOOL_SIZE: '16',
};

await buildSources();
const needsPostgres = files.some((file) => readFileSync(file, 'utf8').includes('support/databases'));
const postgres = needsPostgres ? await startPostgres() : undefined;
if (postgres) env.TEST_POSTGRES = postgres.url;
const results = Array.from({ length: PROCESSES }, (_, i) =>
  isWhole && i === PROCESSES - 1 ? checkThenTest() : runTests(i === 0),
);
const all = (await Promise.all(results)).flat();
await postgres?.remove();

const total = (key) => all.reduce((sum, result) => sum + (result[key] ?? 0), 0);
for (const { report } of all) if (report) process.stdout.write(`\n${report}\n`);
const timed = all.filter(({ seconds }) => seconds !== undefined);
process.stdout.write(`\n${tableOf(timed)}\nin ${Math.round((performance.now() - begunAt) / 1000)} s\n`);
const skipped = total('pending') > 0 ? `, ${total('pending')} skipped` : '';
process.stdout.write(`\n${total('passes')} passed, ${total('failures')} failed${skipped}\n`);
process.exitCode = total('failures') === 0 ? 0 : 1;

async function startPostgres() {
  const server = await import('./support/runner/postgres-server.ts');
  return await server.startPostgres('forgetful', folder);
}

/** Compilers take a core each: in the place of a process that tests, not beside all of them. */
async function checkThenTest() {
  const outcomes = [];
  for (const [what, args] of checks()) outcomes.push(await check(what, args));
  return [...outcomes, ...(await runTests(false))];
}

function checks() {
  const program = (...path) => join('node_modules', ...path);
  const web = [
    '--workspace',
    'web',
    '--tsconfig',
    './tsconfig.json',
    '--fail-on-warnings',
    '--tsgo-experimental-api',
    '--output',
    'human',
  ];
  // On one core, like each of the tests' processes.
  const types = [
    '--noEmit',
    '--singleThreaded',
    '--incremental',
    '--tsBuildInfoFile',
    join('dist', '.types.json'),
  ];
  const webTypes = ['the types of the web UI', [program('svelte-check', 'bin', 'svelte-check'), ...web]];
  if (!wants('--lint'))
    return [['the types', [program('@typescript', 'native', 'bin', 'tsc'), ...types]], webTypes];
  return [
    ['the types and the rules of the code', [join('test', 'support', 'runner', 'check-code.mjs')]],
    webTypes,
    [
      'the format of the code',
      [program('prettier', 'bin', 'prettier.cjs'), '--check', '--log-level', 'warn', '.'],
    ],
    ['that everything is used', [program('knip', 'bin', 'knip.js'), '--no-progress']],
  ];
}

async function check(what, args) {
  const { code, output } = await finished(spawn(process.execPath, args));
  if (code !== 0) return { failures: 1, report: `Not all is well with ${what}:\n${output}` };
  process.stdout.write(`\n  ${what}\n    ✔ fit\n`);
  return { passes: 1 };
}

/** A browser takes more than one core by itself: one process has them all, until the others have nothing else to do. */
function isForBrowser(file) {
  return file.startsWith(join('test', 'web', sep)) && !file.startsWith(join('test', 'web', 'logic', sep));
}

/** What starts other processes, a database server or a browser says so in its imports, also of what stands beside it. */
function isFast(file) {
  if (file.startsWith(join('test', 'http', sep)) || isForBrowser(file)) return false;
  return !/child_process|startChild\(|pglite|\/(databases|service|test-service|program|checkout|browser|installation)\.js'/.test(
    readFileSync(file, 'utf8'),
  );
}

function takeNext(hasBrowser) {
  const at = files.findIndex((file) => isForBrowser(file) === hasBrowser);
  return files.splice(Math.max(at, 0), 1)[0];
}

/** One process, handed file after file. What it is at when it ends before its time counts as failed. */
async function runTests(hasBrowser) {
  const args = ['--import', './test/support/runner/with-sources.mjs', 'test/support/runner/test-process.mjs'];
  const child = spawn(process.execPath, [...args, String(timeout)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
  });
  const outcomes = [];
  let current;
  let begun;
  const next = () => {
    current = takeNext(hasBrowser);
    begun = { at: performance.now(), cpu: cpuSecondsOf(child.pid) };
    child.send({ file: current });
  };
  child.on('message', ({ suite, result }) => {
    if (suite !== undefined) {
      process.stdout.write(`${suite}\n`);
      return;
    }
    if (result) {
      const seconds = (performance.now() - begun.at) / 1000;
      const cpu = cpuSecondsOf(child.pid) - begun.cpu;
      keepTime(current, { seconds, cpu, tests: result.passes + result.failures });
      outcomes.push({ ...result, file: current, seconds, cpu });
    }
    next();
  });
  const { code, output } = await finished(child);
  if (code === 0 && current === undefined) return outcomes;
  const report = `${current ?? 'What was to be stopped at the end'} broke the process that ran it (${code}):\n${output}`;
  return [...outcomes, { failures: 1, report }];
}

function finished(child) {
  const output = [];
  child.stdout.on('data', (bytes) => output.push(bytes));
  child.stderr.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(output).toString() }));
  });
}

/** In memory where there is room: every commit of SQLite waits for the disk, and tests make thousands. */
function whereToWrite() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isBarred = new RegExp(`^\\S+ ${MEMORY} \\S+ \\S*noexec`, 'm').test(
      readFileSync('/proc/mounts', 'utf8'),
    );
    if (bavail * bsize > ROOM_BYTES && !isBarred) return MEMORY;
  } catch {
    // Not on Linux.
  }
  return tmpdir();
}

function holds(file) {
  return (path) => file === path || file.startsWith(join(path, sep));
}

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
