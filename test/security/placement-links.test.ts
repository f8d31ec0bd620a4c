import { expect } from 'chai';
import { createPlacements, createSignedClaims } from '../../src/security/signed-links.js';

describe('a placement', () => {
  const key = Buffer.from('the secret key of a service');
  const placement = { platformId: 3, assistantIds: [7, 8], addedBy: 42 };
  const placements = createPlacements(key);
  const token = placements.write(placement);

  it('says what a link holds, and by whose right', () => {
    expect(placements.read(token)).to.deep.equal(placement);
  });

  it('says who proposes grades in it, where somebody does; one that was written before anybody could still counts', () => {
    const graded = { ...placement, evaluatorId: 8 };
    const before = createSignedClaims(key, 'LTI placements').sign([3, [7, 8], 42]);

    expect(placements.read(placements.write(graded))).to.deep.equal(graded);
    expect(placements.read(before)).to.deep.equal(placement);
  });

  it('fits where a platform keeps the parameters of a link', () => {
    expect(token).to.match(/^[\w.-]+$/);
    expect(token.length).to.be.lessThan(255);
  });

  it('says nothing once a single character is another', () => {
    for (let at = 0; at < token.length; at++) {
      for (const other of ['A', 'z', '.', '=']) {
        if (token[at] === other) continue;
        const changed = token.slice(0, at) + other + token.slice(at + 1);
        expect(placements.read(changed), changed).to.equal(undefined);
      }
    }
  });

  it('is not what another service or another purpose has signed', () => {
    const elsewhere = createPlacements(Buffer.from('the secret key of another service'));
    const otherwise = createSignedClaims(key, 'passage links').sign([3, [7, 8], 42]);

    for (const foreign of [elsewhere.write(placement), otherwise, '', '.', 'a.b.c'])
      expect(placements.read(foreign)).to.equal(undefined);
  });

  it('is not one of another shape, though we have signed it', () => {
    const signed = createSignedClaims(key, 'LTI placements');

    for (const claims of [[], [3, [], 42], [3, ['7'], 42], [0, [7], 42], [3, [7], 42, 'more']])
      expect(placements.read(signed.sign(claims))).to.equal(undefined);
  });
});
