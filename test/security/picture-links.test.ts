import { expect } from 'chai';
import { createPictureLinks } from '../../src/security/signed-links.js';

const DAY = 24 * 3_600_000;

describe('a link to a picture', () => {
  const key = Buffer.from('the secret key of a service');
  const picture = { ownerId: 7, path: 'images/a.png' };
  const base = 'https://assistants.example.edu';
  const links = createPictureLinks(key, base, () => 0);
  const token = links.linkTo(picture).slice(`${base}/pictures/`.length);

  it('leads to the picture it was made for, at the address people use', () => {
    expect(links.linkTo(picture)).to.match(/^https:\/\/assistants\.example\.edu\/pictures\/[\w.-]+$/);
    expect(links.pictureAt(token)).to.deep.equal(picture);
  });

  it('leads nowhere once a single character is another', () => {
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'z', '.', '=']) {
        if (token[at] === other) continue;
        const altered = token.slice(0, at) + other + token.slice(at + 1);
        expect(links.pictureAt(altered), altered).to.equal(undefined);
      }
    }
    for (const odd of ['', '.', token.split('.')[0]!, `${token}.`, `${token}=`, `${token}.x`]) {
      expect(links.pictureAt(odd), odd).to.equal(undefined);
    }
  });

  it('lasts a week', () => {
    const at = (now: number) => createPictureLinks(key, base, () => now).pictureAt(token);

    expect(at(7 * DAY - 1)).to.deep.equal(picture);
    expect(at(7 * DAY)).to.equal(undefined);
  });

  it('of another service leads nowhere', () => {
    expect(createPictureLinks(Buffer.from('another key'), base, () => 0).pictureAt(token)).to.equal(
      undefined,
    );
  });
});
