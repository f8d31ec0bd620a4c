import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { AppError } from '../../src/core/errors.js';
import { SEALED } from '../../src/core/organizations/secret-box.js';
import { createSecretBox, readSecretKey } from '../../src/security/secret-box.js';
import { anyCharacter } from '../core/any-character.js';

const KEY = Buffer.from('a key of any length from sixteen on');
const box = createSecretBox(KEY);

function faultOf(act: () => unknown): AppError {
  try {
    act();
  } catch (fault) {
    if (fault instanceof AppError) return fault;
    throw fault;
  }
  throw new Error('It did not refuse.');
}

describe('the secret box', () => {
  it('gives back every text it took, and shows none of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 8 }), (text) => {
        const sealed = box.seal(text);

        expect(box.open(sealed)).to.equal(Buffer.from(text).toString());
        expect(sealed).to.match(/^sealed\.v1\.[\w-]+$/);
        expect(sealed).not.to.include(text);
      }),
    );
  });

  it('never seals one text twice to the same', () => {
    const seals = new Set(Array.from({ length: 200 }, () => box.seal('sk-1')));

    expect(seals.size).to.equal(200);
  });

  it('opens with the same key alone, and says what to do', () => {
    const other = createSecretBox(Buffer.from('another key of some length'));

    const fault = faultOf(() => other.open(box.seal('sk-canary-4711')));

    expect(fault).to.include({ code: 'secret_unreadable' });
    expect(fault.message).to.contain('SECRET_KEY').and.not.to.contain('4711');
  });

  it('opens nothing that was changed, in any byte, or cut', () => {
    const bytes = Buffer.from(box.seal('sk-canary').slice(SEALED.length), 'base64url');

    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      faultOf(() => box.open(SEALED + changed.toString('base64url')));
      faultOf(() => box.open(SEALED + bytes.subarray(0, at).toString('base64url')));
    }
  });

  it('opens nothing that it did not seal', () => {
    for (const text of ['', 'sk-plain', SEALED, 'sealed.v2.AAAA', 'sealed.v1.!!!'])
      faultOf(() => box.open(text));
  });
});

describe('the key of the secret box', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = join(await mkdtemp(join(tmpdir(), 'bellwether-key-')), 'data');
  });
  afterEach(() => rm(join(dataDir, '..'), { recursive: true, force: true }));
  const keyIn = (secretKey?: string) => readSecretKey({ secretKey, dataDir });

  it('is SECRET_KEY when that is set, and no file is made', async () => {
    expect((await keyIn('sixteen or more!')).toString()).to.equal('sixteen or more!');
    expect(await readdir(join(dataDir, '..'))).to.deep.equal([]);
  });

  it('is made at the first start, for the service alone to read, and stays', async () => {
    const first = await keyIn();

    const file = join(dataDir, 'secret.key');
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
    expect(first).to.have.length(32);
    expect(await keyIn()).to.deep.equal(first);
    expect(await readFile(file, 'utf8')).to.equal(`${first.toString('hex')}\n`);
  });

  it('is the same for all who start at once, and leaves no draft', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyIn()));

    expect(new Set(keys.map((key) => key.toString('hex'))).size).to.equal(1);
    expect(await readdir(dataDir)).to.deep.equal(['secret.key']);
  });

  it('is not guessed from a file that holds none: it is named, and left as it is', async () => {
    await keyIn();
    const file = join(dataDir, 'secret.key');
    await chmod(file, 0o600);
    await writeFile(file, 'half a k');

    const fault = await keyIn().catch((error: unknown) => error);

    expect(fault).to.be.instanceOf(Error).with.property('message').that.includes('secret.key');
    expect(await readFile(file, 'utf8')).to.equal('half a k');
  });
});
