import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { conflict } from '../../../src/core/errors.js';
import { anywhere, aFilePlace, bytes, type FilePlace, OWNER, refusal } from './file-place.js';

describe('a change of a private file on disk', () => {
  let place: FilePlace;
  beforeEach(async () => {
    place = await aFilePlace();
  });
  afterEach(() => place.remove());

  const change = (path: string, text: string, options: object = {}) =>
    place.files().change(path, () => bytes(text), { ...anywhere, ...options });
  const content = (path: string) => readFile(join(place.home, path), 'utf8');
  const backups = async () => {
    const folder = join(place.folder, '.backups', String(OWNER));
    const [own] = await readdir(folder).catch(() => []);
    if (own === undefined) return [];
    const names = (await readdir(join(folder, own))).filter((name) => name !== 'path').sort();
    return Promise.all(names.map((name) => readFile(join(folder, own, name), 'utf8')));
  };

  it('keeps the mode, leaves nothing in between, and keeps what was there', async () => {
    await place.files().write('notes/a.sh', bytes('old'));
    await chmod(join(place.home, 'notes/a.sh'), 0o754);

    await change('notes/a.sh', 'new');

    expect(await content('notes/a.sh')).to.equal('new');
    expect((await stat(join(place.home, 'notes/a.sh'))).mode & 0o777).to.equal(0o754);
    expect(await readdir(join(place.home, 'notes'))).to.deep.equal(['a.sh']);
    expect(await readdir(join(place.folder, '.incoming'))).to.deep.equal([]);
    expect(await backups()).to.deep.equal(['old']);
  });

  it('that changes nothing writes nothing', async () => {
    await place.files().write('a', bytes('same'));
    const { ino } = await stat(join(place.home, 'a'));

    await change('a', 'same');

    expect((await stat(join(place.home, 'a'))).ino).to.equal(ino);
    expect(await backups()).to.deep.equal([]);
  });

  it('that is refused by its edit leaves the very same file and no backup', async () => {
    await place.files().write('a', bytes('old'));
    const { ino } = await stat(join(place.home, 'a'));

    const refuse = () => {
      throw conflict('stale');
    };
    const error = await refusal(place.files().change('a', refuse, anywhere));

    expect(error.status).to.equal(409);
    expect((await stat(join(place.home, 'a'))).ino).to.equal(ino);
    expect(await backups()).to.deep.equal([]);
    // And the next one finds the lock free.
    await change('a', 'new');
  });

  it('finds no file that is missing, a folder, a pipe, a device or elsewhere, in under a second', async () => {
    await mkdir(join(place.home, 'folder'));
    await promisify(execFile)('mkfifo', [join(place.home, 'pipe')]);
    await symlink('/dev/zero', join(place.home, 'zero'));
    await symlink(join(place.outside, 'secret.txt'), join(place.home, 'link'));
    await symlink('link', join(place.home, 'chain'));
    await symlink(place.outside, join(place.home, 'out'));
    const startedAt = performance.now();

    for (const path of ['missing', 'folder', 'pipe', 'zero', 'link', 'chain', 'out/secret.txt']) {
      expect((await refusal(change(path, 'x'))).message, path).to.equal(`File ${path} was not found.`);
    }

    expect(performance.now() - startedAt).to.be.lessThan(1000);
    expect(await readFile(join(place.outside, 'secret.txt'), 'utf8')).to.equal('secret');
  });

  it('stays within its folder, wherever links lead', async () => {
    await place.files().write('work/a', bytes('a'));
    await place.files().write('private/b', bytes('b'));
    await symlink('../private/b', join(place.home, 'work/link'));
    await symlink('../private', join(place.home, 'work/folder'));
    await symlink('work', join(place.home, 'alias'));
    await symlink(place.outside, join(place.home, 'out'));
    const tries: [string, string][] = [
      ['private/b', 'work'],
      ['work/link', 'work'],
      ['work/folder/b', 'work'],
      ['out/secret.txt', 'out'],
      ['work/a', 'missing'],
      ['workshop/a', 'work'],
      ['work', 'work'],
    ];

    for (const [path, within] of tries)
      expect((await refusal(change(path, 'x', { within }))).status, path).to.equal(404);
    await change('work/a', 'changed', { within: 'work' });
    await change('alias/a', 'changed again', { within: 'alias' });

    expect(await content('work/a')).to.equal('changed again');
    expect(await content('private/b')).to.equal('b');
    expect((await refusal(change('work/a', 'x', { within: '../7/work' }))).status).to.equal(400);
  });

  it('never reaches out through a folder that is swapped for a link meanwhile', async () => {
    await place.files().write('work/secret.txt', bytes('mine'));
    await symlink(place.outside, join(place.home, 'trap'));
    const over = new AbortController();
    const swapping = (async () => {
      while (!over.signal.aborted) {
        await rename(join(place.home, 'work'), join(place.home, 'aside'));
        await rename(join(place.home, 'trap'), join(place.home, 'work'));
        await rename(join(place.home, 'work'), join(place.home, 'trap'));
        await rename(join(place.home, 'aside'), join(place.home, 'work'));
      }
    })();

    const seen = new Set<string>();
    for (let i = 0; i < 800; i++) {
      await place
        .files()
        .read('work/secret.txt', { maxChars: 10 })
        .then(
          ({ text }) => seen.add(text),
          () => undefined,
        );
      if (i % 10 === 0) await change('work/secret.txt', `mine ${String(i % 3)}`).catch(() => undefined);
    }
    over.abort();
    await swapping;

    expect(seen).not.to.include('secret');
    expect(await readFile(join(place.outside, 'secret.txt'), 'utf8')).to.equal('secret');
  });

  it('of a file that is too large is refused without reading it', async () => {
    await (await open(join(place.home, 'huge'), 'w')).close();
    await truncate(join(place.home, 'huge'), 5 * 2 ** 30);

    const errors = [
      await refusal(change('huge', 'x')),
      await refusal(place.files().readBytes('huge', { maxBytes: 1_000_000 })),
    ];

    expect(errors.map(({ status }) => status)).to.deep.equal([413, 413]);
  });

  it('clears away what a killed process left half-written, and nothing that is being written', async () => {
    await place.files().write('a', bytes('a'));
    const [old, fresh] = ['old', 'fresh'].map((name) => join(place.folder, '.incoming', name));
    await writeFile(old!, 'x');
    await writeFile(fresh!, 'x');
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(old!, yesterday, yesterday);

    await change('a', 'b');

    expect(await readdir(join(place.folder, '.incoming'))).to.deep.equal(['fresh']);
  });
});
