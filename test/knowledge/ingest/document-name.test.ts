import { expect } from 'chai';
import {
  checkedName,
  documentName,
  nameInAddress,
  nameOfFetched,
} from '../../../src/knowledge/ingest/fetch-document.js';

const fetched = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  nameOfFetched(new URL(address), new Headers(headers));

describe('the name of a document', () => {
  it('is one line that keeps its ending however long it was', () => {
    const long = documentName(`${'very '.repeat(100)}long.pdf`);

    expect(documentName(' a\n\tb.md ')).to.equal('a b.md');
    expect(long)
      .to.match(/…\.pdf$/)
      .and.to.have.length(200);
    expect(documentName('x'.repeat(300))).to.have.length(200);
  });

  it('is refused when nobody could read what it promises, in words that say what can be read', () => {
    for (const name of ['a.PDF', 'b.docx', 'c.pptx', 'd.htm', 'e.md', 'f.txt', 'g.csv']) checkedName(name);

    for (const name of ['a.exe', 'pdf', '.pdf.zip', 'x.doc', ''])
      expect(() => {
        checkedName(name);
      }, name).to.throw(/can be taken in.*\.pdf.*\.docx/);
  });

  it('is the last part of an address, or its host', () => {
    expect(nameInAddress(new URL('https://x.example/a/Cell%20biology.pdf?v=2#p'))).to.equal(
      'Cell biology.pdf',
    );
    expect(nameInAddress(new URL('https://x.example/a/%E0%A4%A/'))).to.equal('%E0%A4%A');
    expect(nameInAddress(new URL('https://x.example/'))).to.equal('x.example');
  });

  it('is what the server calls what it sends, without folders', () => {
    const named = (disposition: string) =>
      fetched('https://x.example/download', { 'content-disposition': disposition });

    expect(named('attachment; filename="../../etc/notes.md"')).to.equal('notes.md');
    expect(named("attachment; filename=a.txt; filename*=UTF-8''Pr%C3%BCfung%201.pdf")).to.equal(
      'Prüfung 1.pdf',
    );
    expect(named('inline; filename=plain.csv')).to.equal('plain.csv');
    expect(named('inline; filename="C:\\\\x\\\\y.txt"')).to.equal('y.txt');
  });

  it('gets the ending of its type when it has none that says anything', () => {
    const html = { 'content-type': 'text/html; charset=utf-8' };

    expect(fetched('https://x.example/wiki/Cell_(biology)', html)).to.equal('Cell_(biology).html');
    expect(fetched('https://x.example/notes.md', html)).to.equal('notes.md');
    expect(fetched('https://x.example/page.php', html)).to.equal('page.php.html');
    expect(fetched('https://x.example/blob', { 'content-type': 'image/png' })).to.equal('blob');
  });
});
