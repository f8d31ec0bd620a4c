import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  aDocx,
  aPdf,
  aPptx,
  aZip,
  epubParts,
  openDocumentParts,
  xlsxParts,
} from '../../support/documents.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { collectionsOf, type DocumentRecord, until } from '../support/collection-client.js';
import { everythingIn } from '../support/file-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, type Person } from '../support/users-fixture.js';

interface List<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

interface PassageRecord {
  readonly chunk_index: number;
  readonly section?: string;
  readonly page?: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly section_text?: string;
}

const ROW = '<row><c t="str"><v>Stomata let gases pass.</v></c></row>';

/** A text no other document has. */
const aText = (about = 'stomata') => `# Leaves\n\nGases pass through ${about} in a leaf. ${randomUUID()}\n`;

describe('documents of a collection over HTTP', function () {
  this.timeout(60_000);
  let world: TestService;
  let teacher: Person;
  let of: ReturnType<typeof collectionsOf>;
  let id: string;
  before(async () => {
    world = await sharedService();
    teacher = await aPerson(world.service);
    of = collectionsOf(world.service, teacher.key);
  });
  beforeEach(async () => {
    ({ id } = await of.make());
  });
  const filesHere = () => everythingIn(join(world.service.dataDir, 'documents'));
  const size = async () => (await of.send<{ documents: number; passages: number }>(`/${id}`)).json;

  const SAMPLES: Readonly<Record<string, () => Promise<Uint8Array> | string>> = {
    'notes.pdf': () =>
      aPdf(['# Respiration\nCells breathe.', '# Leaves\nStomata let gases pass.', '', '', 'More.', '']),
    'notes.docx': () => aDocx('Stomata let gases pass through the leaf.'),
    'notes.pptx': () =>
      aPptx([{ title: 'Leaves' }, { title: 'Stomata', bullets: ['Stomata let gases pass.'] }]),
    'notes.html': () =>
      '<html><title>Leaves</title><body><h1>Leaves</h1><p>Stomata let gases pass.</p></body></html>',
    'notes.md': () => '# Leaves\n\nStomata let gases pass.\n',
    'notes.txt': () => 'Stomata let gases pass.\n',
    'notes.csv': () => 'part,task\nstomata,let gases pass\n',
    'notes.xlsx': () => aZip(xlsxParts({ Leaves: ROW, Answers: ROW }, { hidden: ['Answers'] })),
    'notes.odt': () => aZip(openDocumentParts('text', '<text:p>Stomata let gases pass.</text:p>')),
    'notes.epub': () => aZip(epubParts({ one: '<p>Stomata let gases pass.</p>' })),
    'notes.rtf': () => '{\\rtf1\\ansi Stomata let gases pass.}',
    'notes.srt': () => '1\n00:12:30,000 --> 00:12:33,000\nStomata let gases pass.\n',
  };
  const NOT_READ: Readonly<Record<string, DocumentRecord['faults'][number]>> = {
    'notes.pdf': {
      ...{ page: 3, code: 'pages_without_text', values: ['3–4', '6'] },
      message:
        "Pages 3–4 and 6 have no text: empty, or a picture: text recognition can be switched on in the collection's settings.",
    },
    'notes.xlsx': {
      ...{ code: 'sheet_hidden', values: ['Answers'] },
      message: 'The sheet "Answers" is hidden and was left out.',
    },
  };
  for (const [name, content] of Object.entries(SAMPLES)) {
    const fault = NOT_READ[name];
    const also = fault ? ', with a code and values for words in other languages of what was not read' : '';
    it(`are taken in and found${also}: ${name}`, async () => {
      const taken = await of.takeIn(id, name, await content());
      const found = await of.ask(id, 'Which stoma lets gas pass?');

      expect(taken).to.deep.include({
        filename: name,
        status: 'ready',
        stage: 'done',
        progress: 100,
        faults: fault ? [fault] : [],
      });
      expect(taken.passages).to.be.at.least(1);
      expect(found.json).to.include({ query: 'Which stoma lets gas pass?', embeddings: null });
      expect(found.json.results[0]?.data.toLowerCase()).to.contain('stomata');
      expect(found.json.results[0]?.metadata.filename).to.equal(name);
      if (/pdf|pptx/.test(name)) expect(found.json.results[0]?.metadata.page).to.equal(2);
    });
  }

  it('may come several at once, are listed by status and by part of their name, and say why one cannot be read', async () => {
    const { status, json } = await of.upload(id, [
      ['one.md', aText()],
      ['two.txt', aText()],
      ['three.pdf', '%PDF-1.7 and then nothing of the kind'],
    ]);
    for (const { id: document } of json.documents) await of.settled(id, document);
    const list = async (query: string) =>
      (await of.send<List<DocumentRecord>>(`/${id}/documents${query}`)).json.data.map(
        ({ filename }) => filename,
      );

    expect(status).to.equal(202);
    expect(json.documents.map(({ status: at }) => at)).to.deep.equal(['queued', 'queued', 'queued']);
    expect(await list('?status=ready')).to.have.members(['one.md', 'two.txt']);
    expect(await list('?status=failed')).to.deep.equal(['three.pdf']);
    const failed = await of.document(id, json.documents[2]!.id);
    expect(failed).to.include({ status: 'failed', error_code: 'damaged', passages: 0 });
    expect(failed.error, 'is for whoever uploaded it').to.be.a('string').that.matches(/\.$/);
    expect((await of.ask(id, 'nothing of the kind')).json.count).to.equal(0);
    expect(await list('?q=TWO')).to.deep.equal(['two.txt']);
    expect(await size()).to.include({ documents: 2 });
  });

  it('are recognised when the same bytes come again, and leave no second file', async () => {
    const text = aText();
    const first = await of.takeIn(id, 'a.md', text);
    const before = await filesHere();

    const again = await of.upload(id, [['b.md', text]]);
    const elsewhere = await of.takeIn((await of.make()).id, 'a.md', text);

    expect(again.json.documents).to.have.length(1);
    expect(again.json.documents[0]).to.include({
      id: first.id,
      filename: 'a.md',
      duplicate: true,
      status: 'ready',
    });
    expect(first).not.to.have.property('duplicate');
    expect(elsewhere.id).not.to.equal(first.id);
    expect(await filesHere()).to.have.length(before.length + 1);
    expect(first.sha256).to.equal(createHash('sha256').update(text).digest('hex'));
  });

  it('are gone from search, from the list and from disk once they are deleted', async () => {
    const { id: document } = await of.takeIn(id, 'a.md', aText('lenticels'));
    await of.takeIn(id, 'b.md', aText());
    const path = `/${id}/documents/${document}`;

    const { status } = await of.send(path, { method: 'DELETE' });

    expect(status).to.equal(204);
    expect(
      (await of.ask(id, 'lenticels')).json.results.map(({ metadata }) => metadata.filename),
    ).not.to.include('a.md');
    expect((await filesHere()).join()).not.to.contain(document);
    for (const part of ['', '/file', '/passages', '/passages/0']) refusalOf(await of.send(path + part), 404);
    refusalOf(await of.send(path, { method: 'DELETE' }), 404);
    expect(await size()).to.include({ documents: 1 });
  });

  it('go with their collection', async () => {
    const { id: document } = await of.takeIn(id, 'a.md', aText());

    await of.send(`/${id}`, { method: 'DELETE' });

    expect((await filesHere()).join()).not.to.contain(document);
    refusalOf(await of.ask(id, 'stomata'), 404);
  });

  it('can be deleted while they wait or are being taken in', async () => {
    const { json } = await of.upload(
      id,
      Array.from({ length: 10 }, (_, i) => [`${String(i)}.md`, aText().repeat(50)] as const),
    );
    for (const document of json.documents)
      await of.send(`/${id}/documents/${document.id}`, { method: 'DELETE' });
    const last = await of.takeIn(id, 'last.md', aText());

    expect(last.status).to.equal('ready');
    expect(await size()).to.deep.include({ documents: 1, passages: last.passages });
    const found = (await of.ask(id, 'stomata', { top_k: 20 })).json.results;
    expect(new Set(found.map(({ metadata }) => metadata.filename))).to.deep.equal(new Set(['last.md']));
  });

  it('are found as before until taking them in anew is done', async () => {
    const { id: document } = await of.takeIn(id, 'a.md', aText());

    const again = await of.send<DocumentRecord>(`/${id}/documents/${document}/reingest`, { method: 'POST' });
    const meanwhile = await of.ask(id, 'stomata');
    const after = await of.settled(id, document);

    expect([again.status, again.json.status]).to.deep.equal([202, 'queued']);
    expect(meanwhile.json.count).to.equal(1);
    expect(after.status).to.equal('ready');
    expect((await of.ask(id, 'stomata')).json.count).to.equal(1);
  });

  it('show their passages in order, page by page, and each with the section it lies in', async () => {
    const text = `# One\n\n${'Stomata open. '.repeat(300)}\n\n# Two\n\n${'Cells divide. '.repeat(300)}\n`;
    const { id: document, passages } = await of.takeIn(id, 'long.md', text);
    const path = `/${id}/documents/${document}/passages`;

    const seen: PassageRecord[] = [];
    for (let cursor = ''; ;) {
      const { json } = await of.send<List<PassageRecord>>(`${path}?limit=2${cursor}`);
      seen.push(...json.data);
      if (json.next_cursor === null) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    const single = await of.send<PassageRecord>(`${path}/${String(passages - 1)}`);

    expect(seen.map(({ chunk_index }) => chunk_index)).to.deep.equal(seen.map((_, i) => i));
    expect(seen).to.have.length(passages);
    expect(single.json).to.deep.include(seen.at(-1)!);
    expect(single.json.section).to.equal('Two');
    expect(single.json.section_text).to.contain(single.json.text.trim().slice(0, 100));
    refusalOf(await of.send(`${path}/${String(passages)}`), 404);
    refusalOf(await of.send(`${path}/-1`), 400);
  });

  it('come back byte for byte, as something to be saved; a PDF may be shown', async () => {
    const markdown = await of.takeIn(id, 'naïve <x>.md', aText());
    const bytes = await aPdf(['One page about leaves.']);
    const pdf = await of.takeIn(id, 'leaves.pdf', bytes);
    const file = async (document: string) => {
      const headers = { authorization: `Bearer ${teacher.key}` };
      const path = `/lamb/v1/collections/${id}/documents/${document}/file`;
      return fetch(world.service.url + path, { headers });
    };

    const [saved, shown] = [await file(markdown.id), await file(pdf.id)];

    expect(saved.headers.get('content-type')).to.equal('application/octet-stream');
    expect(saved.headers.get('content-disposition')).to.match(/^attachment; .*na%C3%AFve%20%3Cx%3E\.md/);
    expect(saved.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(shown.headers.get('content-type')).to.equal('application/pdf');
    expect(shown.headers.get('content-disposition')).to.equal('inline; filename=leaves.pdf');
    expect(shown.headers.get('content-security-policy')).to.match(/^default-src 'none'/);
    expect(shown.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(Buffer.from(await shown.arrayBuffer()).equals(Buffer.from(bytes))).to.equal(true);
  });

  it('tell how far they are while they are taken in', async () => {
    // It takes longer than the half second between two reports.
    const text = Array.from({ length: 8_000 }, (_, i) => `# Part ${String(i)}\n\n${aText()}\n`).join('\n');
    const { json } = await of.upload(id, [['long.md', text]]);
    const states: DocumentRecord[] = [];

    await until(
      async () => {
        states.push(await of.document(id, json.documents[0]!.id));
        return states.at(-1)!;
      },
      ({ status }) => status === 'ready' || status === 'failed',
    );

    const progress = states.map((state) => state.progress);
    expect(states.at(-1)).to.include({ status: 'ready', progress: 100 });
    expect(progress).to.deep.equal([...progress].sort((a, b) => a - b));
    expect(states.some((state) => state.status === 'processing' && state.progress > 5)).to.equal(true);
    expect((await of.send<{ passages: number }>(`/${id}`)).json.passages).to.be.at.least(8_000);
  });
});
