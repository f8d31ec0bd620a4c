import { expect } from 'chai';
import {
  createPassageLinks,
  createPictureLinks,
  PASSAGE_LINK_DAYS,
} from '../../src/security/signed-links.js';

const DAY = 24 * 3_600_000;

describe('a link to a passage', () => {
  const key = Buffer.from('the secret key of a service');
  const base = 'https://assistants.example.edu';
  const place = { collectionId: 'col-1', documentId: 'doc-1', position: 7 };
  const passage = { ...place, text: 'Cells divide.' };
  const linksAt = (now: number) => createPassageLinks(key, base, () => now);
  const tokenOf = (link: string) => link.slice(`${base}/passages/`.length).replace('#passage', '');
  const token = tokenOf(linksAt(0).linkTo(passage));

  it('leads to the passage it was made for, at the address people use', () => {
    expect(linksAt(0).linkTo(passage)).to.match(
      /^https:\/\/assistants\.example\.edu\/passages\/[\w.-]+#passage$/,
    );
    expect(linksAt(0).passageAt(token)).to.deep.include(place);
  });

  it('is the same all day, so that a passage found twice is one source', () => {
    const links = [0, 1, DAY - 1].map((now) => linksAt(now).linkTo(passage));

    expect(new Set(links).size).to.equal(1);
    expect(linksAt(0).linkTo({ ...passage, position: 8 })).not.to.equal(links[0]);
  });

  it('knows its passage from what a later edition says in that place', () => {
    const linked = linksAt(0).passageAt(token);

    expect(linked?.said('Cells divide.')).to.equal(true);
    expect(linked?.said('Cells divide!')).to.equal(false);
  });

  it('leads nowhere once a single character is another', () => {
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'z', '.', '=']) {
        if (token[at] === other) continue;
        const altered = token.slice(0, at) + other + token.slice(at + 1);
        expect(linksAt(0).passageAt(altered), altered).to.equal(undefined);
      }
    }
    for (const odd of ['', '.', token.split('.')[0]!, `${token}.`, `${token}=`, `${token}.x`]) {
      expect(linksAt(0).passageAt(odd), odd).to.equal(undefined);
    }
  });

  it('lasts ninety days', () => {
    expect(PASSAGE_LINK_DAYS).to.equal(90);
    expect(linksAt(90 * DAY).passageAt(token)).to.deep.include(place);
    expect(linksAt(91 * DAY).passageAt(token)).to.equal(undefined);
  });

  it('of another service leads nowhere', () => {
    const other = createPassageLinks(Buffer.from('another key'), base, () => 0);

    expect(other.passageAt(token)).to.equal(undefined);
  });

  it('is no link to a picture, nor the other way about', () => {
    const pictures = createPictureLinks(key, base, () => 0);
    const picture = pictures.linkTo({ ownerId: 7, path: 'a.png' }).slice(`${base}/pictures/`.length);

    expect(pictures.pictureAt(token)).to.equal(undefined);
    expect(linksAt(0).passageAt(picture)).to.equal(undefined);
  });
});
