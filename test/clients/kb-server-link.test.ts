import { expect } from 'chai';
import fc from 'fast-check';
import { sourceLink } from '../../src/clients/kb-server.js';

const SERVER = 'http://kb.internal:9090';

describe('the link of a passage on a knowledge base server', () => {
  for (const [metadata, link] of [
    [{ source_url: 'https://example.test/a?b=c#d' }, 'https://example.test/a?b=c#d'],
    [{ source_url: 'https://example.test/', file_url: '/static/x' }, 'https://example.test/'],
    [
      { original_file_url: '/static/1/Book.pdf', file_url: '/static/1/Book.md' },
      `${SERVER}/static/1/Book.pdf`,
    ],
    [{ file_url: '/static/a b.pdf' }, undefined],
    [{ file_url: '/static/a%20b.pdf' }, `${SERVER}/static/a%20b.pdf`],
    [{ file_url: `${SERVER}/static/x` }, `${SERVER}/static/x`],
    [{ source_url: null, file_url: '/static/x' }, `${SERVER}/static/x`],
  ] as const) {
    it(`is ${link ?? 'none'} for ${JSON.stringify(metadata)}`, () => {
      expect(sourceLink(metadata, SERVER)).to.equal(link);
    });
  }

  for (const odd of [
    '@evil.test/x',
    '//evil.test/x',
    '/\\evil.test/x',
    '\\\\evil.test\\x',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'ftp://evil.test/x',
    'https://user:secret@evil.test/x',
    'http://kb.internal:9090@evil.test/x',
    'https:evil.test',
    'https:///evil.test',
    'https://',
    'evil.test/x',
    ' ',
    '?x',
    '#x',
  ]) {
    it(`is none for ${JSON.stringify(odd)}, wherever it stands`, () => {
      for (const key of ['source_url', 'original_file_url', 'file_url']) {
        expect(sourceLink({ [key]: odd }, SERVER), key).to.equal(undefined);
      }
    });
  }

  it('is none for a file on another server, or on this one outside of where it was set up', () => {
    expect(sourceLink({ file_url: 'https://example.test/x' }, SERVER)).to.equal(undefined);
    expect(sourceLink({ file_url: 'http://kb.internal/x' }, SERVER)).to.equal(undefined);
    expect(sourceLink({ file_url: '/static/x' }, `${SERVER}/kb`)).to.equal(`${SERVER}/kb/static/x`);
    expect(sourceLink({ file_url: '/../admin' }, `${SERVER}/kb`)).to.equal(undefined);
  });

  it('never leaves the server’s own origin, whatever a file’s address says', () => {
    const parts = fc.constantFrom(
      '/',
      '\\',
      '@',
      ':',
      '.',
      '//',
      'http://',
      'evil.test',
      '%2f',
      '#',
      '?',
      ' ',
      '\t',
      'a',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const link = sourceLink({ file_url: pieces.join('') }, SERVER);

        expect(link === undefined || new URL(link).origin === SERVER).to.equal(true);
      }),
      { numRuns: 500 },
    );
  });
});
