import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { aDocx, aPdf, aRawPdf, pdfStream } from '../../support/documents.js';
import { withFile } from '../../support/extracting.js';
import { createExtract, read, refused } from '../../support/reader-process.js';

/** The processes that read, by their ids. */
async function readers(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args=']);
  const ours = new RegExp(`^\\s*(\\d+)\\s+${String(process.pid)}\\s.*reader-process`, 'gm');
  return [...stdout.matchAll(ours)].map(([, pid = '']) => pid);
}

/** Waits until nobody reads any more. */
async function nobodyReads(): Promise<void> {
  while ((await readers()).length > 0) await delay(20);
}

/** Says the same text more often than anybody can wait for: each form shows the next one ten times. */
function anEndlessPdf(): Buffer {
  const forms = Array.from({ length: 12 }, (_, at) =>
    pdfStream(
      at === 11 ? 'BT /F 12 Tf (again) Tj ET' : '/X Do '.repeat(10),
      `/Type /XObject /Subtype /Form /BBox [ 0 0 9 9 ] /Resources << /Font << /F 4 0 R >> /XObject << /X ${String(at + 6)} 0 R >> >>`,
    ),
  );
  return aRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 600 800 ] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /XObject << /X 6 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...forms,
  ]);
}

/** Its only page unpacks to a hundred million blanks. */
function aSwollenPdf(): Buffer {
  return aRawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [ 3 0 R ] /MediaBox [ 0 0 600 800 ] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
    pdfStream(deflateSync(Buffer.alloc(100_000_000, ' ')), '/Filter /FlateDecode'),
  ]);
}

describe('reading a document in a process of its own', () => {
  const { execArgv } = process;
  before(() => {
    // What was built needs nothing of what runs the sources, and starts faster without it.
    process.execArgv = [];
  });
  afterEach(nobodyReads);
  after(() => {
    process.execArgv = execArgv;
  });

  it('gives what is in it, and tells how far it is', async () => {
    const steps: number[] = [];

    const document = await read('a.pdf', await aPdf(['One.', 'Two.', 'Three.']), {
      onProgress: (percent) => steps.push(percent),
    });

    expect(document.pages.map(({ markdown }) => markdown)).to.deep.equal(['One.', 'Two.', 'Three.']);
    expect(steps).to.deep.equal([...new Set(steps)].sort((a, b) => a - b));
    expect(steps.length).to.be.greaterThan(2);
    expect(steps.at(-1)).to.be.within(50, 100);
  });

  it('finds the packages it needs', async () => {
    const { format } = await read('a.docx', await aDocx('Text.'));

    expect(format).to.equal('docx');
  });

  it('refuses in the words of whoever read it', async () => {
    expect(await refused(read('a.pdf', ''))).to.equal('The file is empty.');
  });

  it('is ended when it takes too long, even if it never lets go of its thread', async () => {
    expect(await refused(read('a.pdf', anEndlessPdf(), { seconds: 1 }))).to.contain('takes too long to read');
  });

  it('is ended when it takes too much memory outside the heap', async () => {
    expect(await refused(read('a.pdf', aSwollenPdf(), { memoryMb: 150 }))).to.contain(
      'needs too much memory',
    );
  });

  it('is ended when it takes too much memory in the heap', async () => {
    const page = `<html><body>${'<p>a<b>b</b></p>'.repeat(150_000)}</body></html>`;

    expect(await refused(read('a.html', page, { memoryMb: 150 }))).to.contain('needs too much memory');
  });

  it('is ended at once when nobody wants it any more', async () => {
    const gone = new AbortController();
    const why = new Error('nobody waits');

    const reading = read('a.pdf', anEndlessPdf(), {
      signal: gone.signal,
      onProgress: () => {
        gone.abort(why);
      },
    });

    expect(await reading.catch((fault: unknown) => fault)).to.equal(why);
  });

  it('is not begun when nobody wanted it in the first place', async () => {
    const why = new Error('nobody waits');

    expect(
      await read('a.txt', 'Text.', { signal: AbortSignal.abort(why) }).catch((fault: unknown) => fault),
    ).to.equal(why);
  });

  it('is one process for short texts that come one after the other, and ends when nothing more is to come', async () => {
    const { extract, close } = createExtract({ limits: { pages: 500 } });
    const signal = new AbortController().signal;
    const onProgress = () => undefined;
    const seen = new Set<string>();
    for (const filename of ['a.txt', 'b.md', 'c.csv', 'd.html', 'e.txt']) {
      const { pages } = await withFile('Cells, burn\nsugar, x', (path) =>
        extract({ path, filename }, { signal, onProgress }),
      );
      expect(pages[0]?.markdown, filename).to.include('sugar');
      for (const pid of await readers()) seen.add(pid);
    }
    expect([...seen]).to.have.length(1);
    close();
  });

  it('is another one for what is not the short text it is called, or broke the one for short texts', async () => {
    const { extract, close } = createExtract({ limits: { pages: 500, memoryMb: 150 } });
    const signal = new AbortController().signal;
    const onProgress = () => undefined;
    const readAs = (filename: string, bytes: string | Uint8Array) =>
      withFile(bytes, (path) => extract({ path, filename }, { signal, onProgress }));
    const swollen = `<html><body>${'<p>a<b>b</b></p>'.repeat(60_000)}</body></html>`;

    expect(await refused(readAs('a.txt', await aPdf(['One.'])))).to.contain('a PDF');
    expect(await refused(readAs('a.html', swollen))).to.contain('needs too much memory');
    expect((await readAs('a.txt', 'Still here.')).pages[0]?.markdown).to.equal('Still here.');
    close();
  });
});
