import { execFile } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createFileStore } from '../../../db/files/store.js';
import { AppError } from '../../../src/core/errors.js';

const OWNER = 7;

describe('private files', () => {
  let folder: string;
  let home: string;
  let outside: string;

  beforeEach(async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'bellwether-files-')));
    folder = join(base, 'files');
    home = join(folder, String(OWNER));
    outside = join(base, 'outside');
    await mkdir(home, { recursive: true });
    await mkdir(outside);
    await writeFile(join(outside, 'secret.txt'), 'secret');
  });

  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const files = () => createFileStore(folder).ofOwner(OWNER);
  const read = (path: string, maxChars = 1000) => files().read(path, { maxChars });
  const refusal = (attempt: Promise<unknown>) => attempt.then(() => expect.fail('was allowed'), asAppError);
  const write = (path: string, text: string | Uint8Array) => files().write(path, Buffer.from(text as string));

  describe('refuse a path that', () => {
    const paths: Readonly<Record<string, readonly string[]>> = {
      'contains ".."': ['..', '../x', 'a/../../x', 'a/..'],
      'contains "."': ['.', './x', 'a/./b'],
      'contains an empty name': ['a//b', 'a/'],
      'contains a backslash': ['..\\x', 'a\\b', '\\\\server\\share'],
      'is absolute': ['/etc/passwd', '//x', 'C:/x', 'c:x'],
      'contains a control character': ['a\0b', 'a\nb', 'a\rb', '\u0085', 'a\x7f', 'x\0/../y'],
      'is empty': [''],
      'is longer than 1024 characters': ['a/'.repeat(512) + 'a'],
      'contains a name longer than 255 bytes': ['é'.repeat(128)],
      'is not valid Unicode': ['a\uD800b'],
    };
    for (const [fault, examples] of Object.entries(paths)) {
      it(fault, async () => {
        for (const path of examples) {
          for (const attempt of [read(path), write(path, 'x')]) {
            const error = await refusal(attempt);
            expect(error.status, path).to.equal(400);
            expect(error.message, path).to.contain(fault);
          }
        }
        expect(await readdir(home)).to.deep.equal([]);
      });
    }
  });

  it('do not decode a path a second time', async () => {
    await write('%2e%2e/%2e%2e%2fsecret.txt', 'just a name');

    expect((await read('%2e%2e/%2e%2e%2fsecret.txt')).text).to.equal('just a name');
    expect((await refusal(read('%2e%2e/outside/secret.txt'))).status).to.equal(404);
  });

  it('say the same of what is missing, what is no file and what lies outside', async () => {
    await symlink(join(outside, 'secret.txt'), join(home, 'link.txt'));
    await symlink(outside, join(home, 'folder-link'));
    await symlink(join(outside, 'nothing'), join(home, 'dangling'));
    await symlink('loop', join(home, 'loop'));
    await mkdir(join(home, 'folder'));
    await promisify(execFile)('mkfifo', [join(home, 'pipe')]);
    await writeFile(join(home, 'file'), 'x');

    const paths = [
      'missing',
      'link.txt',
      'folder-link/secret.txt',
      'dangling',
      'loop',
      'folder',
      'pipe',
      'file/below',
    ];
    for (const path of paths) {
      const error = await refusal(read(path));
      expect([error.status, error.message], path).to.deep.equal([404, `File ${path} was not found.`]);
    }
  });

  it('refuse the very folder of an owner whose name begins like theirs', async () => {
    await mkdir(`${home}1`);
    await writeFile(`${home}1/x`, 'neighbour');
    await symlink(`${home}1/x`, join(home, 'x'));

    expect((await refusal(read('x'))).status).to.equal(404);
  });

  it('follow a link that stays inside', async () => {
    await write('notes/a.txt', 'inside');
    await symlink(join(home, 'notes'), join(home, 'shortcut'));

    expect((await read('shortcut/a.txt')).text).to.equal('inside');
  });

  it('belong to one owner each', async () => {
    await write('a.txt', 'mine');

    const other = createFileStore(folder).ofOwner(OWNER + 1);

    expect((await refusal(other.read('a.txt', { maxChars: 9 }))).status).to.equal(404);
    for (const id of [0, -1, 1.5, NaN])
      expect(() => createFileStore(folder).ofOwner(id)).to.throw(RangeError);
  });

  it('give their bytes whole or not at all', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    await files().write('picture', bytes);
    await symlink(join(outside, 'secret.txt'), join(home, 'way-out'));

    expect(bytes.equals(await files().readBytes('picture', { maxBytes: 5 }))).to.equal(true);
    expect((await refusal(files().readBytes('picture', { maxBytes: 4 }))).status).to.equal(413);
    for (const path of ['missing', 'way-out']) {
      expect((await refusal(files().readBytes(path, { maxBytes: 9 }))).status).to.equal(404);
    }
  });

  it('read only the beginning of a file far larger than memory', async () => {
    const handle = await open(join(home, 'huge'), 'w');
    await handle.truncate(5 * 2 ** 30);
    await handle.close();

    const { text, cut } = await read('huge', 1000);

    expect([text.length, cut]).to.deep.equal([1000, true]);
  });

  it('never end in half a character', async () => {
    await write('text', 'aé€😀'.repeat(100));
    const whole = 'aé€😀'.repeat(100);

    for (let maxChars = 1; maxChars <= 12; maxChars++) {
      const { text, cut } = await read('text', maxChars);
      expect(whole.startsWith(text), text).to.equal(true);
      expect(text).not.to.match(/[\uD800-\uDBFF]$|\uFFFD/);
      expect(text.length).to.be.within(maxChars - 1, maxChars);
      expect(cut).to.equal(true);
    }
    expect(await read('text', whole.length)).to.deep.equal({ text: whole, cut: false });
    expect(await read('text', whole.length - 1)).to.include({ cut: true });
  });

  it('leave out a byte order mark, and show bytes that are no text as U+FFFD', async () => {
    await write('bom', '\uFEFFHello');
    await write('binary', Uint8Array.of(0x61, 0xff, 0xe2, 0x82));
    await write('empty', '');

    expect(await read('bom', 5)).to.deep.equal({ text: 'Hello', cut: false });
    expect(await read('binary')).to.deep.equal({ text: 'a\uFFFD\uFFFD', cut: false });
    expect(await read('empty')).to.deep.equal({ text: '', cut: false });
  });

  it('are one file however an accent was typed', async () => {
    await write('re\u0301sume\u0301.txt', 'NFD');
    await write('r\u00e9sum\u00e9.txt', 'NFC');

    expect((await read('re\u0301sume\u0301.txt')).text).to.equal('NFC');
    expect(await readdir(home)).to.have.length(1);
  });

  it('are written whole, privately, and leave nothing half-written behind', async () => {
    await write('a/b/c.txt', 'first');
    await write('a/b/c.txt', 'second');

    expect((await read('a/b/c.txt')).text).to.equal('second');
    expect((await stat(join(home, 'a/b/c.txt'))).mode & 0o777).to.equal(0o600);
    expect((await stat(join(home, 'a/b'))).mode & 0o777).to.equal(0o700);
    expect(await readdir(join(home, 'a/b'))).to.deep.equal(['c.txt']);
    expect(await readdir(join(folder, '.incoming'))).to.deep.equal([]);
  });

  it('are never written through a link that leads out', async () => {
    await symlink(outside, join(home, 'out'));
    await symlink(join(outside, 'secret.txt'), join(home, 'link.txt'));

    const below = await refusal(write('out/deep/new.txt', 'x'));
    await write('link.txt', 'mine');

    expect(below.status).to.equal(404);
    expect(await readdir(outside)).to.deep.equal(['secret.txt']);
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).to.equal('secret');
    expect((await read('link.txt')).text).to.equal('mine');
  });

  it('refuse to make a folder of a file or a file of a folder', async () => {
    await write('a', 'file');
    await write('b/c', 'file');

    expect((await refusal(write('a/x', 'x'))).status).to.equal(409);
    expect((await refusal(write('b', 'x'))).status).to.equal(409);
    expect(await readdir(join(folder, '.incoming'))).to.deep.equal([]);
  });
});

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
