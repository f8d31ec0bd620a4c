import { expect } from 'chai';
import type { Router } from 'express';
import { answerCheck, BUILT } from '../../support/described-answers.js';
import { startService } from '../../support/service.js';
import { sharedService } from '../../support/test-service.js';

interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly security: object[] }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly { readonly method: string }[] };
  readonly handle: { readonly stack?: readonly Layer[] };
}

const routesIn = (layers: readonly Layer[]): string[] =>
  layers.flatMap(({ route, handle }) =>
    route
      ? route.stack.map(({ method }) => `${method.toUpperCase()} ${route.path}`)
      : routesIn(handle.stack ?? []),
  );

/** Off the router of a service that was started, whatever its sources look like. */
async function routesOfService(): Promise<string[]> {
  const { express } = (await import(BUILT)) as typeof import('../../support/service-here.js');
  const routers = new Set<Router>();
  const application = express.application as unknown as Record<'use', (...given: unknown[]) => unknown>;
  const { use } = application;
  application.use = function noting(this: { router: Router }, ...given: unknown[]) {
    routers.add(this.router);
    return use.apply(this, given);
  };
  try {
    await (await startService()).stop();
  } finally {
    application.use = use;
  }
  return [...routers].flatMap(({ stack }) => routesIn(stack as unknown as Layer[]));
}

/** As OpenAPI writes an address of Express. */
const inBraces = (route: string): string[] => {
  const [whole = '', inner = ''] = /\{(\/[^}]+)\}/.exec(route) ?? [];
  const ways = whole === '' ? [route] : [route.replace(whole, ''), route.replace(whole, inner)];
  return ways.map((way) => way.replace(/[:*](\w+)/g, '{$1}'));
};

describe('the description of the API', function () {
  this.timeout(60_000);
  let document: ApiDocument;
  let headers: Headers;
  before(async () => {
    const { service } = await sharedService();
    const answer = await service.request<ApiDocument>('/openapi.json', { key: null });
    expect(answer.status).to.equal(200);
    ({ json: document, headers } = answer);
  });

  it('has every route that the router has, and no other', async () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routes = new Set((await routesOfService()).flatMap(inBraces));

    expect(routes).to.include('POST /v1/chat/completions');
    expect([...routes].sort()).to.deep.equal(described.sort());
  });

  it('is OpenAPI 3.1 for everybody, with names that lead somewhere and none that is there twice', () => {
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);

    expect(document.openapi).to.match(/^3\.1\./);
    expect(ids).to.have.length(new Set(ids).size);
    expect(refs).to.not.be.empty;
    expect([...new Set(refs)].filter((ref) => !known.includes(ref))).to.deep.equal([]);
  });

  it('is sent once to whoever keeps it', async () => {
    const { service } = await sharedService();
    // Without the second, fetch asks for it anew.
    const kept = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    const { status, text } = await service.request('/openapi.json', { key: null, headers: kept });

    expect({ status, text }).to.deep.equal({ status: 304, text: '' });
  });

  it('says which routes need no credential', () => {
    const { paths } = document;

    expect(paths['/healthz']?.['get']?.security).to.deep.equal([]);
    expect(paths['/lti/session']?.['post']?.security).to.deep.equal([{ visit: [] }]);
    expect(paths['/v1/models']?.['get']?.security).to.deep.equal([{ bearer: [] }]);
  });
});

describe('what tests make of it', () => {
  const me = { id: 1, email: 'a@b.c', name: 'A', role: 'creator', organization_id: 1, via: 'api_key' };
  const seen = (body: object, status = 200, path = '/lamb/v1/me') => ({
    ...{ method: 'GET', path, status, mediaType: 'application/json', text: JSON.stringify(body) },
  });

  it('takes an answer as it is described', async () => {
    const check = await answerCheck();

    expect(() => {
      check(seen({ ...me, organization_name: null }));
    }).not.to.throw();
  });

  for (const [fault, answer, words] of [
    ['a key that is missing', seen(me), /GET \/lamb\/v1\/me \(200\): \/ .*organization_name/],
    ['a key more', seen({ ...me, organization_name: null, password: 'x' }), /password/],
    ['a value of another kind', seen({ ...me, id: '1', organization_name: null }), /\/id must be number/],
    ['a status that is not described', seen({}, 418), /the status is not in it/],
    ['a route that is not described', seen({}, 200, '/lamb/v1/nowhere'), /no such route/],
  ] as const) {
    it(`fails on ${fault}, and says where`, async () => {
      const check = await answerCheck();

      expect(() => {
        check(answer);
      }).to.throw(words);
    });
  }
});
