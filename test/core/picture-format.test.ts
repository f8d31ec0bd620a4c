import { expect } from 'chai';
import { pictureFormat } from '../../src/core/base/picture-format.js';
import { PICTURES, pngOf, svg } from '../support/pictures.js';

describe('the format of a picture', () => {
  for (const [extension, bytes] of Object.entries(PICTURES)) {
    it(`is told by its bytes: ${extension}`, () => {
      const mediaType = extension === 'jpg' ? 'image/jpeg' : `image/${extension}`;

      expect(pictureFormat(bytes)).to.deep.equal({ mediaType, extension });
    });

    it(`is none when a ${extension} ends before its size`, () => {
      for (let length = 0; length < 20; length++) {
        const cut = pictureFormat(bytes.subarray(0, Math.min(length, extension === 'gif' ? 9 : 20)));
        expect(cut, String(length)).to.equal(undefined);
      }
    });
  }

  it('is none for what could carry a script, whatever it pretends', () => {
    const html = '<!doctype html><script>alert(1)</script>';
    for (const text of [
      '',
      svg,
      `\ufeff${svg}`,
      html,
      '%PDF-1.7',
      'BM......',
      'GIF88a',
      'RIFF....WAVEVP8 ',
    ]) {
      expect(pictureFormat(Buffer.from(text)), text).to.equal(undefined);
    }
  });

  it('is none for sizes that no screen has', () => {
    for (const bytes of [pngOf(0, 1), pngOf(1, 0), pngOf(10_001, 1), pngOf(1, 4_294_967_295)]) {
      expect(pictureFormat(bytes)).to.equal(undefined);
    }
    expect(pictureFormat(pngOf(10_000, 10_000))).to.include({ extension: 'png' });
  });
});
