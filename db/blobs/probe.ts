import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isStorageAway, type S3Place } from '../../src/core/blobs.js';
import { createS3Blobs, s3Asker } from './s3.js';
import { spool } from './spool.js';

/** What keeps a bucket from being of use to the service, each with what to do about it. Leaves nothing in it. */
export async function faultsOfStorage(place: S3Place): Promise<readonly string[]> {
  const incoming = await mkdtemp(join(tmpdir(), 'bellwether-probe-'));
  const { bucket } = place;
  const blobs = createS3Blobs({ bucket, prefix: `${place.prefix}probe/` }, s3Asker(place), incoming);
  const key = randomUUID();
  const put = async (text: string) =>
    blobs.put(key, await spool(incoming, Buffer.from(text)), { isNew: true });
  const read = async () => {
    const open = await blobs.open(key);
    return open && (await buffer(open.bytes())).toString();
  };
  try {
    await put('first');
    await put('second');
    const kept = await read();
    for await (const { key: listed } of blobs.list()) if (listed === key) break;
    await blobs.delete([key]);
    return [
      ...(kept === 'second'
        ? [`${bucket} replaces what is there although it is asked not to: ${CONDITIONS}`]
        : []),
      ...((await read()) === undefined ? [] : [`${bucket} still gives what was deleted. ${PERMISSIONS}`]),
    ];
  } catch (fault) {
    if (!isStorageAway(fault)) throw fault;
    return [inWords((fault as Error).cause, place)];
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

const CONDITIONS = 'it must know conditional writes (If-None-Match).';
const PERMISSIONS = 'The key needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket.';
const CREDENTIALS = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';

function inWords(cause: unknown, { bucket, endpoint, region }: S3Place): string {
  const { name = '', message = '' } = (cause ?? {}) as Partial<Error>;
  switch (name) {
    case 'NoSuchBucket':
      return `There is no bucket ${bucket}. Make it, or correct BLOBS_URL.`;
    case 'AccessDenied':
    case 'Forbidden':
      return `The key may not do everything in ${bucket} that the service has to. ${PERMISSIONS}`;
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `The credentials are not accepted. ${CREDENTIALS}`;
    case 'CredentialsProviderError':
      return `There are no credentials. ${CREDENTIALS}`;
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
      return `${bucket} is not in the region ${region ?? 'of this machine'}. Name its region in BLOBS_URL.`;
    default:
      return `${endpoint ?? `S3 in ${region ?? 'no region'}`} cannot be used (${[name, message].filter(Boolean).join(': ')}). Check BLOBS_URL and the network.`;
  }
}
