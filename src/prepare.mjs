// Brings a checkout to where it can run: installs when the lock file has changed, builds when a source has.
// Plain JavaScript on Node alone, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
// With them the servers that stand in for others in tests, each of which is started many times.
const SOURCES = [
  'src',
  'agents',
  'tools',
  'db',
  'test/support',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

const WEB_SOURCES = ['web', 'package-lock.json'];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`Bellwether needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

const lock = hash(readFileSync(join(root, 'package-lock.json')));
if (stampOf('node_modules') !== lock) {
  say('Installing dependencies (a few minutes the first time, while the database driver is built) …');
  run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  stamp('node_modules', lock);
}

const sources = fingerprintOf(SOURCES);
if (stampOf('dist') !== sources) {
  say('Building …');
  // A plug-in that was deleted must not live on in an old build. The web UI has a build of its own.
  for (const entry of entriesOf('dist')) {
    if (entry !== 'web') rmSync(join(root, 'dist', entry), { recursive: true, force: true });
  }
  // Types are checked by `npm test`; starting does not have to wait for that.
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  run(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck']);
  run(process.execPath, [join('src', 'bundle.mjs')]);
  stamp('dist', sources);
}

const webSources = fingerprintOf(WEB_SOURCES);
if (stampOf('dist/web') !== webSources) {
  say('Building the web UI …');
  run(process.execPath, [
    join('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    'web',
    '--logLevel',
    'warn',
  ]);
  stamp('dist/web', webSources);
}

function entriesOf(folder) {
  return existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
}

function filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  return statSync(full).isDirectory()
    ? readdirSync(full).flatMap((name) => filesBelow(join(path, name)))
    : [path];
}

function fingerprintOf(paths) {
  return hash(paths.flatMap(filesBelow).sort().map(fingerprint).join('\n'));
}

function fingerprint(path) {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${path} ${mtimeMs} ${size}`;
}

function stampOf(folder) {
  const file = join(root, folder, '.bellwether-stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function stamp(folder, value) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, '.bellwether-stamp'), value);
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
