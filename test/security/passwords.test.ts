import bcrypt from 'bcryptjs';
import { expect } from 'chai';
import { hashPassword, isOutdated, passwordMatches } from '../../src/security/password-hash.js';
import { readEnvironment } from '../../src/startup/environment.js';

/** A thousandth of what one takes in life. */
const hashed = (password: string) => hashPassword(password, 2 ** 8);

describe('passwords', () => {
  it('match their own hash and no other', async () => {
    const stored = hashed('correct horse');

    expect(await passwordMatches('correct horse', stored)).to.equal(true);
    expect(await passwordMatches('correct hors', stored)).to.equal(false);
    expect(await passwordMatches('', stored)).to.equal(false);
  });

  it('take a tenth of a second and 32 MB to try in a service as it is started, whatever is set', async () => {
    const read = await readEnvironment({ PASSWORD_COST: '2', passwordCost: '2' });

    expect(read).to.have.nested.property('config.passwordCost', 2 ** 15);
    expect(hashPassword('correct horse', 2 ** 15)).to.match(/^scrypt\$32768\$8\$1\$/);
  });

  it('are salted: one password has two hashes, and neither holds it', () => {
    const [one, other] = [hashed('correct horse'), hashed('correct horse')];

    expect(one).not.to.equal(other);
    expect(one + other).not.to.include('correct horse');
  });

  it('are the same whichever way their letters are composed', async () => {
    const composed = 'contrase\u00f1a';
    const decomposed = 'contrasen\u0303a';

    const stored = hashed(composed);

    expect(await passwordMatches(decomposed, stored)).to.equal(true);
  });

  it('are taken whole, however long and whatever is in them', async () => {
    const long = 'x'.repeat(1_000);
    const withNul = 'before\0after';

    const [storedLong, storedNul] = [hashed(`${long}a`), hashed(withNul)];

    expect(await passwordMatches(`${long}b`, storedLong)).to.equal(false);
    expect(await passwordMatches('before', storedNul)).to.equal(false);
    expect(await passwordMatches(withNul, storedNul)).to.equal(true);
  });

  for (const kind of ['$2a$', '$2b$', '$2y$']) {
    it(`of another installation are understood (${kind}), and known to be outdated`, async () => {
      const stored = kind + (await bcrypt.hash('correct horse é', 4)).slice(4);

      expect(await passwordMatches('correct horse é', stored)).to.equal(true);
      expect(await passwordMatches('correct horse e', stored)).to.equal(false);
      expect(isOutdated(stored)).to.equal(true);
      expect(isOutdated(hashed('correct horse'))).to.equal(false);
    });
  }

  for (const damaged of [
    '$2b$04$tooshort',
    `$2b$31$${'a'.repeat(53)}`,
    `$2b$04$${'?'.repeat(53)}`,
    '',
    'plain text',
    'bcrypt$1$2$3$c2FsdA==$a2V5',
    'scrypt$32768$8$1',
    'scrypt$32768$8$1$c2FsdA==$',
    'scrypt$many$8$1$c2FsdA==$a2V5',
    'scrypt$3$8$1$c2FsdA==$a2V5',
    'scrypt$1073741824$8$1$c2FsdA==$a2V5',
  ]) {
    it(`never match a stored text that is no hash of ours (${damaged || 'empty'})`, async () => {
      const matches = await passwordMatches('password', damaged);

      expect(matches).to.equal(false);
    });
  }
});
