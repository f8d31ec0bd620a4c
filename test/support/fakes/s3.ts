import { createHash } from 'node:crypto';
import { departure, type Exchange, type Fake, sendJson, write } from './ledger-server.js';
import { checksumFault, type S3Credentials, signatureFault, unwrapped } from './s3-signature.js';

export const S3_CREDENTIALS: S3Credentials = {
  accessKeyId: 'AKIATESTTESTTESTTEST',
  secretAccessKey: 'test/secret+0123456789abcdefghijklmnopqr',
};
export const S3_BUCKET = 'school';

/** What goes wrong with requests from now on. */
export interface S3Fault {
  /**
   * `cut` breaks off in the middle of what is read and `stall` falls silent there, `careless` heeds no condition, `wrong` sends other bytes than it has,
   * `gate` answers once the test has released it, `lost` does what is asked and never says so.
   */
  readonly kind:
    'refuse' | 'hang' | 'unavailable' | 'denied' | 'cut' | 'stall' | 'careless' | 'wrong' | 'gate' | 'lost';
  readonly method?: string;
  /** Of keys that contain this. */
  readonly key?: string;
  readonly gate?: string;
  /** So often, then no more. */
  times?: number;
}

export interface S3Object {
  readonly bytes: Buffer;
  /** By the names of their headers. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly modified: Date;
}

/** What a server holds, and how it behaves; a test may look and change. */
export interface S3State {
  readonly objects: Map<string, S3Object>;
  faults: S3Fault[];
}

const STATUS: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  InvalidAccessKeyId: 403,
  SignatureDoesNotMatch: 403,
  NoSuchKey: 404,
  NoSuchBucket: 404,
  PreconditionFailed: 412,
  InvalidRange: 416,
  NotImplemented: 501,
  SlowDown: 503,
};

interface Request extends Exchange {
  readonly key: string;
  readonly state: S3State;
  readonly fault: S3Fault | undefined;
  readonly content: Buffer;
  readonly checksums: ReadonlyMap<string, string>;
}

/** S3 with its one bucket in the path. Its ledger is kept by key. Faults and rows can be had at "/-/" as well. */
export const fakeS3 = (state: S3State, rows: () => Promise<unknown>): Fake => ({
  takesBytes: true,
  subjectOf: (url) => placeIn(url).key,
  kept: (body) => ({ bytes: (body as Buffer).length }),
  answer: async (exchange) => {
    try {
      if (exchange.url.pathname.startsWith('/-/')) await beTold(exchange, state, rows);
      else await answer(exchange, state);
    } catch (error) {
      if (!exchange.left.aborted) throw error;
    }
  },
});

function placeIn(url: URL): { readonly bucket: string; readonly key: string } {
  const [, bucket = '', ...names] = url.pathname.split('/').map(decodeURIComponent);
  return { bucket, key: names.join('/') };
}

/** For tests of another process. */
async function beTold(
  { url, body, res }: Exchange,
  state: S3State,
  rows: () => Promise<unknown>,
): Promise<void> {
  if (url.pathname === '/-/faults') state.faults = JSON.parse(String(body)) as S3Fault[];
  await sendJson(res, 200, url.pathname === '/-/ledger' ? await rows() : [...state.objects.keys()]);
}

async function answer(exchange: Exchange, state: S3State): Promise<void> {
  const { req, row, url, gates, left } = exchange;
  const body = exchange.body as Buffer;
  const { bucket, key } = placeIn(url);
  const fault = faultFor(state, row.method, key);
  row.outcome = fault?.kind ?? row.method;
  if (fault?.kind === 'refuse') {
    exchange.hangUp('reset');
    return;
  }
  if (fault?.kind === 'hang') return departure(left);
  if (fault?.kind === 'unavailable') return refuse(exchange, 'SlowDown');
  if (fault?.kind === 'denied') return refuse(exchange, 'AccessDenied');
  if (fault?.kind === 'gate') await gates.pass(fault.gate ?? '', left);

  const unbelieved = signatureFault(req, body, S3_CREDENTIALS);
  if (unbelieved !== undefined) return refuse(exchange, unbelieved);
  if (bucket !== S3_BUCKET) return refuse(exchange, 'NoSuchBucket');
  const { bytes: content, checksums } = unwrapped(req, body);
  const wrong = checksumFault(content, checksums);
  if (wrong !== undefined) return refuse(exchange, wrong);
  const act = actionFor(row.method, key, url);
  if (!act) return refuse(exchange, 'NotImplemented');
  await act({ ...exchange, key, state, fault, content, checksums });
}

function faultFor(state: S3State, method: string, key: string): S3Fault | undefined {
  const fault = state.faults.find(
    (one) =>
      (one.method === undefined || one.method === method) &&
      (one.key === undefined || key.includes(one.key)) &&
      (one.times ?? 1) > 0,
  );
  if (fault?.times !== undefined) fault.times--;
  return fault;
}

type Action = (request: Request) => Promise<void>;

function actionFor(method: string, key: string, url: URL): Action | undefined {
  if (key === '') {
    if (method === 'GET' && url.searchParams.get('list-type') === '2') return list;
    return method === 'POST' && url.searchParams.has('delete') ? deleteMany : undefined;
  }
  return { PUT: put, GET: get, HEAD: get, DELETE: deleteOne }[method];
}

async function put(request: Request): Promise<void> {
  const { req, key, state, fault, content } = request;
  const mustBeNew = req.headers['if-none-match'] === '*' && fault?.kind !== 'careless';
  if (mustBeNew && state.objects.has(key)) return refuse(request, 'PreconditionFailed');
  const source = req.headers['x-amz-copy-source'];
  if (source !== undefined) return copy(request, String(source));
  state.objects.set(key, { bytes: content, metadata: metadataIn(req.headers), modified: new Date() });
  if (fault?.kind === 'lost') {
    request.hangUp('reset');
    return;
  }
  await send(request, 200, { etag: etagOf(content) });
}

function metadataIn(headers: Exchange['req']['headers']): Readonly<Record<string, string>> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(own.map(([name, value]) => [name, String(value)]));
}

async function copy(request: Request, source: string): Promise<void> {
  const { state, key } = request;
  const { key: from } = placeIn(new URL(`/${source.replace(/^\//, '')}`, 'http://fake'));
  const object = state.objects.get(from);
  if (!object) return refuse(request, 'NoSuchKey');
  state.objects.set(key, { ...object, modified: new Date() });
  const result = `<ETag>${escaped(etagOf(object.bytes))}</ETag>`;
  await send(request, 200, {}, `<CopyObjectResult>${result}</CopyObjectResult>`);
}

async function get(request: Request): Promise<void> {
  const { req, res, row, key, state, fault } = request;
  const object = state.objects.get(key);
  if (!object) return refuse(request, 'NoSuchKey');
  const range = /^bytes=(\d+)-(\d*)$/.exec(req.headers.range ?? '');
  const from = Number(range?.[1] ?? 0);
  const to = Math.min(object.bytes.length, range?.[2] ? Number(range[2]) + 1 : object.bytes.length);
  if (range && from >= object.bytes.length) return refuse(request, 'InvalidRange');

  const bytes = Buffer.from(object.bytes.subarray(from, to));
  const sum = createHash('sha256').update(object.bytes).digest('base64');
  const wantsSum = !range && req.headers['x-amz-checksum-mode'] === 'ENABLED';
  if (fault?.kind === 'wrong' && bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 1;
  res.writeHead(range ? 206 : 200, {
    'content-length': bytes.length,
    'content-type': 'application/octet-stream',
    'last-modified': object.modified.toUTCString(),
    etag: etagOf(object.bytes),
    ...object.metadata,
    ...(range
      ? { 'content-range': `bytes ${String(from)}-${String(to - 1)}/${String(object.bytes.length)}` }
      : {}),
    ...(wantsSum ? { 'x-amz-checksum-sha256': sum } : {}),
  });
  if (fault?.kind === 'cut' || fault?.kind === 'stall') {
    await write(request, bytes.subarray(0, bytes.length / 2));
    if (fault.kind === 'stall') return departure(request.left);
    request.hangUp('close');
    return;
  }
  await new Promise<void>((sent) => res.end(row.method === 'HEAD' ? undefined : bytes, sent));
}

async function deleteOne(request: Request): Promise<void> {
  request.state.objects.delete(request.key);
  await send(request, 204);
}

async function deleteMany(request: Request): Promise<void> {
  if (request.checksums.size === 0) return refuse(request, 'InvalidRequest');
  const keys = [...request.content.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) request.state.objects.delete(key);
  const deleted = keys.map((key) => `<Deleted><Key>${key}</Key></Deleted>`).join('');
  await send(request, 200, {}, `<DeleteResult>${deleted}</DeleteResult>`);
}

async function list(request: Request): Promise<void> {
  const { searchParams } = request.url;
  const prefix = searchParams.get('prefix') ?? '';
  const after = searchParams.get('continuation-token') ?? searchParams.get('start-after') ?? '';
  const limit = Math.min(1_000, Number(searchParams.get('max-keys') ?? 1_000));
  const keys = [...request.state.objects.keys()]
    .filter((key) => key.startsWith(prefix) && key > after)
    .sort();
  const page = keys.slice(0, limit);
  const contents = page.map((key) => {
    const { bytes, modified } = request.state.objects.get(key) as S3Object;
    const facts = `<LastModified>${modified.toISOString()}</LastModified><Size>${String(bytes.length)}</Size>`;
    return `<Contents><Key>${escaped(key)}</Key>${facts}<ETag>${escaped(etagOf(bytes))}</ETag></Contents>`;
  });
  const isCut = keys.length > limit;
  const next = isCut ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>` : '';
  const about = `<Name>${S3_BUCKET}</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${String(page.length)}</KeyCount>`;
  await send(
    request,
    200,
    {},
    `<ListBucketResult>${about}<IsTruncated>${String(isCut)}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  );
}

const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

async function refuse(exchange: Exchange, code: string): Promise<void> {
  exchange.row.outcome = code;
  await send(
    exchange,
    STATUS[code] ?? 400,
    {},
    `<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}

async function send(
  { res, row }: Exchange,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  xml = '',
): Promise<void> {
  res.writeHead(status, { ...(xml === '' ? {} : { 'content-type': 'application/xml' }), ...headers });
  const body =
    xml === '' || row.method === 'HEAD' ? undefined : `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`;
  await new Promise<void>((sent) => res.end(body, sent));
}
