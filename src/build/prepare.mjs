// Brings a checkout to where it can run: installs when the lock file has changed, builds what a change of sources asks for.
// Plain JavaScript on Node alone, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './prepare-lock.mjs';
import { filesBelow, putInPlace } from './put-in-place.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What is not finished yet; left over only where a build was killed. */
const MAKING = '.making-';

/** What is kept up to date, in this order: where its stamp is, what it is made from, and how. */
const STEPS = [
  { stamp: 'node_modules/.bellwether-stamp', of: ['package-lock.json'], byContent: true, make: install },
  {
    stamp: 'dist/.bellwether-stamp',
    of: [
      'src',
      'agents',
      'tools',
      'db',
      'test/support/service-here.ts',
      'tsconfig.json',
      'package.json',
      'package-lock.json',
    ],
    make: buildService,
  },
  {
    stamp: 'dist/.types-stamp',
    of: ['src/core', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    make: declareTypes,
  },
  { stamp: 'dist/web/.bellwether-stamp', of: ['web', 'package-lock.json'], make: buildWeb },
];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Bellwether needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

// `--dependencies` installs and no more: an image keeps that apart from what its sources make.
const steps = process.argv.includes('--dependencies') ? STEPS.slice(0, 1) : STEPS;

if (steps.some(isBehind)) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const letGo = holdLock(join(root, 'dist', '.preparing'), () => {
    say('Another command is building here; waiting for it …');
  });
  process.once('exit', letGo);
  for (const entry of readdirSync(join(root, 'dist')).filter((name) => name.startsWith(MAKING))) {
    rmSync(join(root, 'dist', entry), { recursive: true, force: true });
  }
  for (const step of steps) {
    // What it is made from may change meanwhile: then it is behind again, and made again the next time.
    const wanted = wantedStamp(step);
    if (!isBehind(step)) continue;
    step.make();
    stamp(step.stamp, wanted);
  }
}

function install() {
  say('Installing dependencies (a few minutes the first time, while the database driver is built) …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Types are checked by `npm test`, and of one tool by `npm run try:tool`; starting does not have to wait for that. */
function buildService() {
  say('Building …');
  run(process.execPath, [join('src', 'build', 'bundle.mjs')]);
}

/** For the editors of those who write tools outside the project. */
function declareTypes() {
  const folder = mkdtempSync(join(root, 'dist', MAKING));
  try {
    const compiler = join('node_modules', '@typescript', 'native', 'bin', 'tsc');
    run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', folder]);
    putInPlace(join(root, 'dist'), contentsOf(folder), {
      list: '.declared.json',
      isOurs: (path) => /^(src|agents|tools|db|test)\/.*\.d\.ts$/.test(path),
      isNamedByContent: () => false,
      days: 0,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pages that are open ask for the files of the build they came from: those stay for a day. */
function buildWeb() {
  say('Building the web UI …');
  const folder = mkdtempSync(join(root, 'dist', MAKING));
  try {
    const vite = join('node_modules', 'vite', 'bin', 'vite.js');
    run(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn', '--outDir', folder]);
    putInPlace(join(root, 'dist', 'web'), contentsOf(folder), {
      list: '.built.json',
      isOurs: (path) => path !== '.bellwether-stamp',
      isNamedByContent: (path) => path.startsWith('assets/'),
      days: 1,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function contentsOf(folder) {
  return new Map(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path))]));
}

function isBehind(step) {
  const file = join(root, step.stamp);
  return !existsSync(file) || readFileSync(file, 'utf8') !== wantedStamp(step);
}

function wantedStamp({ of, byContent = false }) {
  const files = of.flatMap(sourcesAt).sort();
  return hash(
    files.map((path) => (byContent ? readFileSync(join(root, path)) : fingerprint(path))).join('\n'),
  );
}

function sourcesAt(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  return statSync(full).isDirectory() ? filesBelow(full).map((below) => join(path, below)) : [path];
}

function fingerprint(path) {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${path} ${mtimeMs} ${size}`;
}

function stamp(path, value) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), value);
}

function hash(content) {
  return createHash('sha256').update(content).digest('hex');
}

function run(command, args) {
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell,
  });
  if (status !== 0)
    stop(
      `"${command} ${args.join(' ')}" failed${error ? `: ${error.message}` : ''}. See above for the reason.`,
    );
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function stop(line) {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
