import { type Child, startChild } from './child-process.js';
import { type Fake, startFake } from './fakes/fakes.js';
import type { LedgerRow } from './fakes/ledger.js';
import { fakeS3, S3_BUCKET, S3_CREDENTIALS, type S3Fault, type S3State } from './fakes/s3.js';

/** Its ledger is kept by key. */
export interface FakeS3 extends Fake<{ readonly bytes: number }> {
  /** For BLOBS_URL, with everything below the prefix. */
  blobsUrl(prefix?: string): string;
  readonly state: S3State;
}

export async function startFakeS3(): Promise<FakeS3> {
  const state: S3State = { objects: new Map(), faults: [] };
  const fake: Fake<{ readonly bytes: number }> = await startFake(fakeS3(state, () => fake.ledger()));
  return { ...fake, state, blobsUrl: (prefix = 'test') => blobsUrlAt(fake.url, prefix) };
}

export interface S3Process extends Child {
  blobsUrl(prefix?: string): string;
  /** In place of those that were told before. */
  faults(faults: readonly S3Fault[]): Promise<void>;
  keys(): Promise<string[]>;
  ledger(): Promise<LedgerRow[]>;
}

/** The same server in a process of its own. */
export async function startS3Process(): Promise<S3Process> {
  const nodeArguments = ['--import=./test/support/runner/with-sources.mjs'];
  const child = await startChild('test/support/fakes/s3-process.ts', {}, { nodeArguments });
  const ask = async <T>(what: string, body?: unknown) => {
    const told = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(`${child.url}/-/${what}`, told)).json()) as T;
  };
  return {
    ...child,
    blobsUrl: (prefix = 'test') => blobsUrlAt(child.url, prefix),
    faults: async (faults) => {
      await ask('faults', faults);
    },
    keys: () => ask('keys'),
    ledger: () => ask('ledger'),
  };
}

const blobsUrlAt = (url: string, prefix: string) =>
  `s3://${S3_BUCKET}/${prefix}?endpoint=${encodeURIComponent(url)}&region=eu-central-1`;

/** For the environment of a service that is to use it. */
export const S3_ENV = {
  AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
};
