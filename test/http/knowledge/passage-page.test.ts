import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createPassageLinks } from '../../../src/security/signed-links.js';
import { aPdf } from '../../support/documents.js';
import { createTestService, endWorld, type TestService } from '../../support/test-service.js';
import { collectionsOf } from '../support/collection-client.js';
import { refusalOf } from '../support/refusal.js';
import { aPerson, inDatabase } from '../support/users-fixture.js';

const SECRET_KEY = 'canary-of-the-passage-tests';
const DAY = 24 * 3_600_000;
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOSTILE = '<script>alert(1)</script> & "<img src=x onerror=alert(2)>" {{7*7}} ${x}';

describe('the page of a passage', function () {
  this.timeout(60_000);
  let world: TestService;
  let of: ReturnType<typeof collectionsOf>;
  let collection: string;
  before(async () => {
    world = await createTestService({ SECRET_KEY });
    of = collectionsOf(world.service, (await aPerson(world.service)).key);
    collection = (await of.make()).id;
  });
  after(() => endWorld(world));

  const open = (link: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(link, { headers: { accept: BROWSER, ...headers } });
  const page = async (link: string, headers?: Readonly<Record<string, string>>) =>
    (await open(link, headers)).text();
  const fileOf = (link: string) => link.replace('#passage', '/file');
  /** Takes a document in and asks for what is in it: its link, as it stands in what was found. */
  const found = async (name: string, content: Parameters<typeof of.takeIn>[2], query: string) => {
    const document = await of.takeIn(collection, name, content);
    expect(document.status, document.error).to.equal('ready');
    const { json } = await of.ask(collection, query, { top_k: 20 });
    const passage = json.results.find(({ metadata }) => metadata.filename === document.filename);
    const { url, data } = passage as unknown as { readonly url: string; readonly data: string };
    return { url, data, document };
  };
  const aNote = (word: string) =>
    found(`${word}.md`, `# Leaves\n\n## Gases\n\nThey pass through ${word}.\n`, word);
  /** Of one document for all tests that only look at it. */
  let made: ReturnType<typeof aNote> | undefined;
  const theNote = () => (made ??= aNote('kandela'));
  const linkedBy = (key: string, now?: () => number) =>
    createPassageLinks(Buffer.from(key), world.service.url, now);

  it('shows the document, the headings above, and the whole section with the passage marked', async () => {
    const filler = (word: string) => `${`The ${word} of leaves is told here at length. `.repeat(30)}\n\n`;
    const text = `# Leaves\n\n${filler('colour')}Gases pass through zozketa.\n\n${filler('shape')}`;
    const { url, data } = await found('leaves.md', text, 'zozketa');

    const html = await page(url);

    const marked = [...html.matchAll(/<mark[^>]*>([^<]*)<\/mark>/g)].map(([, part]) => part);
    expect(html).to.match(/<h1[^>]*>leaves\.md<\/h1>/);
    expect(html).to.match(/<p class="where"[^>]*>Leaves<\/p>/);
    expect(html).to.include('The colour of leaves').and.include('The shape of leaves');
    expect(html.match(/id="passage"/g)).to.have.length(1);
    expect(marked.join('\n\n').replaceAll(/\s+/g, ' ')).to.equal(data.trim().replaceAll(/\s+/g, ' '));
  });

  it('shows what is in a document, its name and its headings as text, never as markup', async () => {
    const { url } = await found(
      `${randomUUID()} <b onclick=x>&.md`,
      `# ${HOSTILE}\n\nzurrumurru ${HOSTILE}\n\n| a | <iframe src=//x> |\n|---|---|\n| 1 | zurrumurru |\n\n\`\`\`\n</pre><svg/onload=x>\n\`\`\`\n`,
      'zurrumurru',
    );

    const html = await page(url);

    expect(html).not.to.match(/<(?:script|img|iframe|svg|b)\b/);
    expect(html).to.include('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;&lt;img src=x');
    expect(html).to.include('{{7*7}} ${x}');
    expect(html).to.match(/<pre [^>]*>[^<]*(?:<mark[^>]*>)?[^<]*&lt;\/pre&gt;/);
  });

  it('runs nothing, loads nothing, is framed by nobody else and not found by search engines', async () => {
    const { url } = await theNote();

    const { status, headers } = await open(url);

    const policy = headers.get('content-security-policy') ?? '';
    expect(status).to.equal(200);
    expect(policy).to.match(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(policy).to.include("frame-ancestors 'self'").and.not.include('unsafe');
    expect(headers.get('x-robots-tag')).to.equal('noindex, nofollow');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('cache-control')).to.equal('private, no-store');
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
  });

  it('speaks the language of who reads it, as far as it can, and says which', async () => {
    const { url } = await theNote();
    const said: Readonly<Record<string, RegExp>> = {
      'eu,es;q=0.8': /<html lang="eu">[^]*Deskargatu dokumentua/,
      'fr, ca-ES;q=0.7, en;q=0.5': /<html lang="ca">[^]*Baixa el document/,
      'en;q=0.3, es-MX;q=0.9': /<html lang="es">[^]*Descargar el documento/,
      'fr-FR': /<html lang="en">[^]*Download the document/,
    };

    for (const [wish, words] of Object.entries(said))
      expect(await page(url, { 'accept-language': wish })).to.match(words);
    const gone = await open(`${world.service.url}/passages/x`, { 'accept-language': 'eu' });
    expect(await gone.text()).to.match(/<html lang="eu">[^]*Pasarte hau ez dago jada hemen/);
    expect(gone.headers.get('content-language')).to.equal('eu');
  });

  it('opens a PDF at the page of the passage', async () => {
    const full = Array.from(
      { length: 45 },
      (_, i) => `Line ${String(i)} tells of something else at some length.`,
    );
    const pdf = await aPdf([full.join('\n'), ['# Sky', 'Here is ostadarra.', ...full].join('\n')]);
    const { url } = await found('sky.pdf', pdf, 'ostadarra');

    const html = await page(url);
    const file = await open(fileOf(url));

    expect(html).to.match(/<p class="where"[^>]*>(?:[^<]* · )?Page 2<\/p>/);
    const [, href = ''] = /<a href="([^"]*)">Open the document at page 2<\/a>/.exec(html) ?? [];
    expect(new URL(href, url).href).to.equal(`${fileOf(url)}#page=2`);
    expect(file.status).to.equal(200);
    expect(file.headers.get('content-type')).to.equal('application/pdf');
    expect(file.headers.get('content-disposition')).to.equal('inline; filename=sky.pdf');
    expect(file.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(file.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(Buffer.from(await file.arrayBuffer()).equals(pdf)).to.equal(true);
  });

  it('hands any other document out to be saved, not to be shown', async () => {
    const { url, document } = await found('page.html', '<h1>Leaves</h1><p>Of mendizale.</p>', 'mendizale');

    const file = await open(fileOf(url));

    expect(document.format).to.equal('html');
    expect(file.headers.get('content-type')).to.equal('application/octet-stream');
    expect(file.headers.get('content-disposition')).to.equal('attachment; filename=page.html');
    expect(file.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
  });

  it('leads to the web page a document came from, and to no other kind of address', async () => {
    const { url, document } = await aNote('itsasoa');
    const from = async (source_url: string) => {
      await inDatabase(world.service, (_stores, db) =>
        db('documents').where({ id: document.id }).update({ source_url }),
      );
      return page(url);
    };

    expect(await from('https://example.edu/?a=1&b="2"')).to.include(
      '<a href="https://example.edu/?a=1&amp;b=&quot;2&quot;" rel="noopener noreferrer nofollow">',
    );
    expect(await from('javascript:alert(1)')).not.to.include('javascript:');
  });

  it('is there as long as the document says the same, also when it was read anew', async () => {
    const { url, document } = await aNote('errekarria');

    await of.send(`/${collection}/documents/${document.id}/reingest`, { method: 'POST', body: {} });
    await of.settled(collection, document.id);

    expect((await open(url)).status).to.equal(200);
  });

  it('is not found, all in the same words, when a link is forged, too old, or leads to what is gone', async () => {
    const { document, data: text } = await theNote();
    const removed = await aNote('bigarren');
    await of.send(`/${collection}/documents/${removed.document.id}`, { method: 'DELETE' });
    const place = { collectionId: collection, documentId: document.id, position: 0, text };
    const links = linkedBy(SECRET_KEY);
    const good = links.linkTo(place);
    const bad = [
      removed.url,
      linkedBy('another key').linkTo(place),
      linkedBy(SECRET_KEY, () => Date.now() - 92 * DAY).linkTo(place),
      links.linkTo({ ...place, text: 'What it said before it was changed.' }),
      links.linkTo({ ...place, position: 99 }),
      links.linkTo({ ...place, collectionId: (await of.make()).id }),
      good.replace('/passages/', '/passages/W'),
      `${world.service.url}/passages/x`,
    ];

    const pages = await Promise.all(bad.flatMap((link) => [page(link), page(fileOf(link))]));
    const told = await Promise.all(
      bad
        .flatMap((link) => [link, fileOf(link)])
        .map((link) => world.service.request(link.slice(world.service.url.length), { key: null })),
    );

    expect((await open(good)).status).to.equal(200);
    expect(new Set(pages).size).to.equal(1);
    expect(pages[0]).to.include('<h1>This passage is no longer here</h1>');
    for (const answer of told) expect(refusalOf(answer, 404).message).to.equal('This passage was not found.');
  });

  it('stays out of the log, link and all', async () => {
    const { url } = await theNote();
    const token = url.split('/').at(-1)!.replace('#passage', '');

    await open(url);
    await open(fileOf(url));

    await world.service.waitForLog(({ route }) => route === '/passages/:token');
    await world.service.waitForLog(({ route }) => route === '/passages/:token/file');
    expect(world.service.output()).not.to.contain(token);
    expect(world.service.output()).not.to.contain(token.split('.')[1]);
  });
});
