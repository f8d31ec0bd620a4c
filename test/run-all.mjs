// Everything that must hold: the types, and beside them the tests, in a few processes that each take the next file.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// One more than there are cores: much of a test is waiting.
const PROCESSES = availableParallelism() + 1;
const { timeout } = JSON.parse(readFileSync('.mocharc.json', 'utf8'));

// The largest first, so that none of the long ones is left for the end.
const files = testFiles('test').sort((a, b) => statSync(b).size - statSync(a).size);
const results = Array.from({ length: PROCESSES }, (_, i) =>
  i === PROCESSES - 1 ? checkThenTest() : runTests(i === 0),
);
const all = (await Promise.all(results)).flat();

const total = (key) => all.reduce((sum, result) => sum + (result[key] ?? 0), 0);
for (const { report } of all) if (report) process.stdout.write(`\n${report}\n`);
const skipped = total('pending') > 0 ? `, ${total('pending')} skipped` : '';
process.stdout.write(`\n${total('passes')} passed, ${total('failures')} failed${skipped}\n`);
process.exitCode = total('failures') === 0 ? 0 : 1;

/** Compilers take a core each: in the place of a process that tests, not beside all of them. */
async function checkThenTest() {
  const checks = [await checkTypes(), await checkWebTypes()];
  return [...checks, ...(await runTests(false))];
}

function checkTypes() {
  return check('the types', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit']);
}

function checkWebTypes() {
  const checker = join('node_modules', 'svelte-check', 'bin', 'svelte-check');
  const options = ['--workspace', 'web', '--tsconfig', './tsconfig.json', '--fail-on-warnings'];
  return check('the types of the web UI', [checker, ...options, '--output', 'human']);
}

async function check(what, args) {
  const { code, output } = await finished(spawn(process.execPath, args));
  if (code !== 0) return { failures: 1, report: `Not all is well with ${what}:\n${output}` };
  process.stdout.write(`\n  ${what}\n    ✔ fit\n`);
  return { passes: 1 };
}

/** A browser takes more than one core by itself: one at a time, and all its pages in the process that has it. */
function isForBrowser(file) {
  return file.startsWith(join('test', 'web'));
}

function takeNext(hasBrowser) {
  const fits = hasBrowser && files.some(isForBrowser) ? isForBrowser : (file) => !isForBrowser(file);
  const at = files.findIndex(fits);
  return at < 0 ? undefined : files.splice(at, 1)[0];
}

/** One process, handed file after file. What it is at when it ends before its time counts as failed. */
async function runTests(hasBrowser) {
  const args = ['--import', 'tsx', '--no-experimental-require-module', 'test/support/test-process.mjs'];
  const child = spawn(process.execPath, [...args, String(timeout)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Tests open a database many times at once. Node's four threads would all wait for its lock, and none be left for
    // whoever holds it.
    env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
  });
  const outcomes = [];
  let current;
  const next = () => {
    current = takeNext(hasBrowser);
    child.send({ file: current });
  };
  child.on('message', ({ suite, result }) => {
    if (suite !== undefined) {
      process.stdout.write(`${suite}\n`);
      return;
    }
    if (result) outcomes.push(result);
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

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
