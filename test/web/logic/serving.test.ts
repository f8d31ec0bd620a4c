import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECT_ROOT } from '../../support/child-process.js';
import { sharedQuietService, type TestService } from '../../support/test-service.js';

const BUILT = join(PROJECT_ROOT, 'dist/web');
const PAGES = [
  '/',
  '/sign-in',
  '/welcome',
  '/assistants',
  '/assistants/create',
  '/assistants/7/versions',
  '/multi-tool-assistants',
  '/multi-tool-assistants/create',
  '/multi-tool-assistants/7',
  '/chat/x',
  '/knowledge',
  '/knowledge/x/documents/y',
  '/rubrics/x',
  '/files',
  '/runs/x',
  '/usage',
  '/admin/organizations/1',
];

describe('the web UI is served', () => {
  let world: TestService;
  before(async () => {
    world = await sharedQuietService();
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    world.service.request(path, { key: null, headers });
  const assets = async () =>
    (await readdir(join(BUILT, 'assets'))).filter((name) => /\.(?:js|css)$/.test(name));

  it('as one page at every address of its own, asked for anew each time', async () => {
    const answers = await Promise.all(PAGES.map((path) => ask(path)));

    expect(answers.map(({ status }) => status)).to.deep.equal(PAGES.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(answers[0]!.headers.get('cache-control')).to.equal('no-cache');
    expect(answers[0]!.headers.get('content-type')).to.equal('text/html; charset=utf-8');
  });

  it('with what a browser needs to install it as an app', async () => {
    const { status, headers, text } = await ask('/manifest.webmanifest');
    const { icons, start_url } = JSON.parse(text) as {
      icons: { src: string; sizes: string; type: string }[];
      start_url: string;
    };

    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/manifest+json; charset=utf-8');
    expect((await ask('/')).text).to.include('rel="manifest" href="/manifest.webmanifest"');
    expect((await ask(start_url)).status).to.equal(200);
    expect(icons.map(({ sizes }) => sizes)).to.include.members(['192x192', '512x512']);
    for (const { src, type } of icons) {
      const icon = await ask(src);
      expect([icon.status, icon.headers.get('content-type')], src).to.deep.equal([200, type]);
    }
    expect((await ask('/app-icons/none.png')).status).to.equal(404);
  });

  it('and at no other: what is not there is told in the API’s own words', async () => {
    const elsewhere = [
      '/nowhere',
      '/v1/nowhere',
      '/lamb/v1/nowhere',
      '/lti/nowhere',
      '/assets/none.js',
      '/index.html',
    ];

    const answers = await Promise.all(
      elsewhere.map((path) => world.service.request<{ error: unknown }>(path)),
    );

    for (const { status, json } of answers) {
      expect(status).to.equal(404);
      expect(json.error).to.have.property('message');
    }
  });

  it('at an address that is not there as the page that says so, to whoever asks from a browser', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await ask('/');

    for (const path of ['/nowhere', '/lti/nowhere', '/assets/none.js', '/index.html', '/a/b/c']) {
      const { status, text, headers } = await ask(path, {
        accept,
        'if-none-match': page.headers.get('etag')!,
      });
      expect(status, path).to.equal(404);
      expect(text, path).to.equal(page.text);
      expect(headers.get('content-security-policy')).to.equal(page.headers.get('content-security-policy'));
    }
    for (const wish of ['*/*', 'application/json']) {
      const { status, json } = await world.service.request<{ error: { code: string } }>('/nowhere', {
        headers: { accept: wish },
      });
      expect([status, json.error.code], wish).to.deep.equal([404, 'not_found']);
    }
    const posted = await world.service.request('/nowhere', { headers: { accept }, body: {} });
    expect([posted.status, posted.headers.get('content-type')]).to.deep.equal([
      404,
      'application/json; charset=utf-8',
    ]);
  });

  it('under a policy that lets nothing run or load but what was built', async () => {
    const { headers, text } = await ask('/knowledge');
    const policy = headers.get('content-security-policy')?.split('; ');

    expect(policy).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "connect-src 'self'",
      "font-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(policy?.join()).not.to.match(/unsafe|\*|https?:/);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
    expect(headers.get('referrer-policy')).to.equal('no-referrer');
    expect(headers.get('permissions-policy')).to.include('camera=()');
    expect(text).not.to.match(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/);
    expect(text).not.to.match(/(?:src|href)="(?!\/(?!\/))/);
  });

  it('with files that are kept for ever, because their names change with them', async () => {
    const [name = ''] = await assets();

    const { status, headers } = await ask(`/assets/${name}`);

    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(name).to.match(/-[\w-]{8}\.(?:js|css)$/);
  });

  it('squeezed as the browser likes it, and not at all when it does not say', async () => {
    const name = (await assets()).find((each) => each.endsWith('.js')) ?? '';
    const plain = await readFile(join(BUILT, 'assets', name), 'utf8');
    const wishes = ['br, gzip', 'gzip', 'identity'];

    const answers = await Promise.all(
      wishes.map((wish) => ask(`/assets/${name}`, { 'accept-encoding': wish })),
    );

    expect(answers.map(({ headers }) => headers.get('content-encoding'))).to.deep.equal(['br', 'gzip', null]);
    expect(answers.map(({ text }) => text)).to.deep.equal(wishes.map(() => plain));
    expect(answers[0]!.headers.get('vary')).to.equal('Accept-Encoding');
  });

  it('not again to whoever has it', async () => {
    const etag = (await ask('/')).headers.get('etag') ?? '';

    expect(await statusOf('/', { 'if-none-match': etag })).to.equal(304);
    expect(await statusOf('/', { 'if-none-match': '"another"' })).to.equal(200);
  });

  for (const [page, most] of [
    ['index.html', 10],
    ['lti.html', 20],
  ] as const)
    it(`in at most ${String(most)} files before ${page} shows anything`, async () => {
      const html = await readFile(join(BUILT, page), 'utf8');

      expect(html.match(/\/assets\/[^"]+/g)).to.have.length.within(2, most);
    });

  it('from its own folder alone', async () => {
    const paths = [
      '/assets/../../package.json',
      '/assets/..%2f..%2fpackage.json',
      '/assets/%2e%2e/.bellwether-stamp',
    ];

    const statuses = await Promise.all(paths.map((path) => statusOf(path)));

    expect(statuses).to.deep.equal(paths.map(() => 404));
  });

  /** As it is written: `fetch` would tidy the path up, and ask past every cache. */
  function statusOf(path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
    const { hostname, port } = new URL(world.service.url);
    return new Promise((resolve, reject) => {
      request({ hostname, port, path, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once('error', reject)
        .end();
    });
  }
});
