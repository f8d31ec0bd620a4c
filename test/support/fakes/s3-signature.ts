import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { crc32 } from 'node:zlib';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const headerOf = (req: IncomingMessage, name: string) => [req.headers[name] ?? []].flat().join(',');

/** What keeps a request from being believed, as the code of an S3 error; Signature Version 4 in the header. */
export function signatureFault(
  req: IncomingMessage,
  body: Buffer,
  { accessKeyId, secretAccessKey }: S3Credentials,
): string | undefined {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? '',
    );
  if (!given) return 'AccessDenied';
  const [, keyId, day = '', region = '', names = '', signature = ''] = given;
  if (keyId !== accessKeyId) return 'InvalidAccessKeyId';

  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = [
    'AWS4-HMAC-SHA256',
    headerOf(req, 'x-amz-date'),
    scope,
    sha256(canonicalRequest(req, names)),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  if (!timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))) return 'SignatureDoesNotMatch';

  const promised = headerOf(req, 'x-amz-content-sha256');
  const isHash = /^[0-9a-f]{64}$/.test(promised);
  return isHash && promised !== sha256(body) ? 'XAmzContentSHA256Mismatch' : undefined;
}

function canonicalRequest(req: IncomingMessage, names: string): string {
  const [path = '/', query = ''] = (req.url ?? '/').split('?');
  const pairs = query === '' ? [] : query.split('&').map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const headers = names
    .split(';')
    .map((name) => `${name}:${headerOf(req, name).trim().replace(/ +/g, ' ')}\n`);
  return [
    req.method,
    path,
    pairs.sort().join('&'),
    headers.join(''),
    names,
    headerOf(req, 'x-amz-content-sha256'),
  ].join('\n');
}

/** The bytes that are meant, out of the chunks of "aws-chunked" when they came so, and all checksums that came along. */
export function unwrapped(
  req: IncomingMessage,
  body: Buffer,
): { readonly bytes: Buffer; readonly checksums: ReadonlyMap<string, string> } {
  const sent = Object.entries(req.headers)
    .filter(([name]) => name === 'content-md5' || /^x-amz-checksum-(?:sha256|sha1|crc32)$/.test(name))
    .map(([name, value]) => [name, String(value)] as const);
  if (!headerOf(req, 'content-encoding').includes('aws-chunked'))
    return { bytes: body, checksums: new Map(sent) };

  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    at = end + 2;
    if (size === 0) break;
    parts.push(body.subarray(at, at + size));
    at += size + 2;
  }
  const trailers = body
    .toString('latin1', at)
    .split('\r\n')
    .filter((line) => line.startsWith('x-amz-checksum-'))
    .map((line) => line.split(/: ?/, 2) as [string, string]);
  return { bytes: Buffer.concat(parts), checksums: new Map([...sent, ...trailers]) };
}

/** Which of the checksums that were sent is not that of the bytes, by the code of its error. */
export function checksumFault(bytes: Buffer, checksums: ReadonlyMap<string, string>): string | undefined {
  for (const [name, value] of checksums) {
    if (checksumOf(name, bytes) !== value)
      return name === 'content-md5' ? 'BadDigest' : 'XAmzContentChecksumMismatch';
  }
  return undefined;
}

function checksumOf(name: string, bytes: Buffer): string {
  if (name === 'content-md5') return createHash('md5').update(bytes).digest('base64');
  if (!name.endsWith('crc32'))
    return createHash(name.replace('x-amz-checksum-', '')).update(bytes).digest('base64');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
}
