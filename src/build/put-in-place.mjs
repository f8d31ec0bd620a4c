// Puts what was built where a running service, or a program that is just starting, may be reading: whole files alone,
// what others refer to before what refers to it, and nothing taken away that somebody still may ask for.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Left over where a build was killed: only one at a time is at work here. */
const BESIDE = /\.new-\d+$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * @param {string} folder
 * @param {ReadonlyMap<string, Uint8Array>} files by their path below the folder
 * @param {object} how
 * @param {string} how.list the file, below the folder, that says what was put there
 * @param {readonly string[]} [how.kept] files of an earlier build that still hold
 * @param {(path: string) => boolean} how.isOurs whether a file that no list names was put there by a build
 * @param {(path: string) => boolean} how.isNamedByContent such a file is never changed, and may be asked for after it was replaced
 * @param {number} how.days for so long
 */
export function putInPlace(folder, files, { list, kept = [], isOurs, isNamedByContent, days }) {
  const before = readList(join(folder, list)) ?? { files: filesBelow(folder).filter(isOurs), replaced: {} };
  for (const left of filesBelow(folder).filter((path) => BESIDE.test(path))) rmSync(join(folder, left));
  const changed = [...files].filter(([path, content]) => !isThere(join(folder, path), content));
  const written = changed.map(([path, content]) => [writeBeside(join(folder, path), content), path]);
  const rank = ([, path]) => (isNamedByContent(path) ? 0 : 1);
  for (const [beside, path] of written.sort((one, other) => rank(one) - rank(other))) {
    renameSync(beside, join(folder, path));
  }

  const replaced = {};
  const now = new Set([...files.keys(), ...kept]);
  const gone = [...before.files, ...Object.keys(before.replaced)].filter((path) => !now.has(path));
  for (const path of new Set(gone)) {
    const since = before.replaced[path] ?? Date.now();
    if (isNamedByContent(path) && Date.now() - since < days * DAY_MS) replaced[path] = since;
    else rmSync(join(folder, path), { force: true });
  }
  const known = JSON.stringify({ files: [...now].sort(), replaced });
  renameSync(writeBeside(join(folder, list), Buffer.from(known)), join(folder, list));
  return changed.map(([path]) => path);
}

/** Every file below a folder, with slashes. */
export function filesBelow(folder, path = '') {
  if (!existsSync(join(folder, path))) return [];
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(folder, below) : [below];
  });
}

function readList(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isThere(file, content) {
  try {
    return statSync(file).size === content.length && readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

function writeBeside(file, content) {
  const beside = `${file}.new-${String(process.pid)}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(beside, content);
  return beside;
}
