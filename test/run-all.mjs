// Everything that must hold: types, lint and format beside the tests, which run in a few processes of their own.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const GROUPS = 6;
const LANES = Math.min(4, Math.max(2, availableParallelism()));
const { timeout, require: required } = JSON.parse(readFileSync('.mocharc.json', 'utf8'));

const groups = divide(testFiles('test'), GROUPS);
const jobs = [runChecks, ...groups.map((files) => () => runTests(files))];
const results = [];
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (let job = jobs.shift(); job; job = jobs.shift()) results.push(await job());
  }),
);

const total = (key) => results.reduce((sum, result) => sum + (result[key] ?? 0), 0);
for (const { report } of results) if (report) process.stdout.write(`\n${report}\n`);
const skipped = total('pending') > 0 ? `, ${total('pending')} skipped` : '';
process.stdout.write(`\n${total('passes')} passed, ${total('failures')} failed${skipped}\n`);
process.exitCode = total('failures') === 0 ? 0 : 1;

async function runChecks() {
  const startedAt = Date.now();
  const { code, output } = await finished(
    spawn('npm', ['run', '--silent', 'check'], { shell: process.platform === 'win32' }),
  );
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  if (code === 0)
    process.stdout.write(`\n  types, lint and format\n    ✔ are as they should be (${seconds}s)\n`);
  return code === 0 ? { passes: 1 } : { failures: 1, report: `Types, lint or format:\n${output}` };
}

/** Mocha in a process of its own. Each suite is shown when it is over, so that two do not talk at once. */
async function runTests(files) {
  const child = spawn(
    process.execPath,
    [
      ...[
        '--import',
        'tsx',
        '--no-experimental-require-module',
        join('node_modules', 'mocha', 'bin', 'mocha.js'),
      ],
      ...['--no-config', '--timeout', String(timeout), '--reporter', 'test/support/group-reporter.mjs'],
      ...required.flatMap((file) => ['--require', file]),
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let summary;
  child.on('message', ({ suite, end }) => {
    if (suite !== undefined) process.stdout.write(`${suite}\n`);
    summary = end ?? summary;
  });
  const { code, output } = await finished(child);
  if (summary && (code === 0 || summary.failures > 0)) return summary;
  const early = `These tests ended before their time (exit code ${code}):\n  ${files.join('\n  ')}\n${output}`;
  return { ...summary, failures: (summary?.failures ?? 0) + 1, report: early };
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

/** The largest first, each to the group that has least: long files rarely end up together. */
function divide(files, count) {
  const sized = files.map((file) => ({ file, size: statSync(file).size })).sort((a, b) => b.size - a.size);
  const parts = Array.from({ length: count }, () => ({ size: 0, files: [] }));
  for (const { file, size } of sized) {
    const least = parts.reduce((a, b) => (b.size < a.size ? b : a));
    least.files.push(file);
    least.size += size;
  }
  return parts.map((part) => part.files.sort());
}
