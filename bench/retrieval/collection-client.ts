import { setTimeout as delay } from 'node:timers/promises';
import type { BenchService } from '../service.js';

/** A knowledge base of a running service, reached as its pages reach it. */

const FILES_A_REQUEST = 20;
const LOOK_EVERY_MS = 100;

export interface UploadedFile {
  readonly name: string;
  readonly text: string;
}

/** Its id. */
export async function makeCollection(service: BenchService): Promise<string> {
  const { id } = await call<{ readonly id: string }>(service, '', { name: 'Bench' });
  return id;
}

/** Returns when everything that was uploaded can be found. */
export async function upload(
  service: BenchService,
  id: string,
  files: readonly UploadedFile[],
  onDone: (done: number) => void = () => undefined,
): Promise<void> {
  for (let at = 0; at < files.length; at += FILES_A_REQUEST)
    await call(service, `/${id}/documents`, asForm(files.slice(at, at + FILES_A_REQUEST)));
  await allRead(service, id, onDone);
}

export async function sizeOf(service: BenchService, id: string) {
  return await call<{ readonly passages: number; readonly awaiting_vectors: number }>(service, `/${id}`);
}

function asForm(files: readonly UploadedFile[]): FormData {
  const form = new FormData();
  for (const { name, text } of files) form.append('file', new Blob([text]), name);
  return form;
}

async function allRead(service: BenchService, id: string, onDone: (done: number) => void): Promise<void> {
  for (;;) {
    const { by_status: counts } = await call<{
      readonly by_status: Readonly<Record<'queued' | 'processing' | 'ready' | 'failed', number>>;
    }>(service, `/${id}/documents?limit=1`);
    if (counts.failed > 0) throw new Error(`${String(counts.failed)} files could not be read.`);
    onDone(counts.ready);
    if (counts.queued + counts.processing === 0) return;
    await delay(LOOK_EVERY_MS);
  }
}

async function call<Body>(service: BenchService, path: string, body?: object): Promise<Body> {
  const isForm = body instanceof FormData;
  const response = await fetch(`${service.url}/lamb/v1/collections${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${service.adminKey}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
  });
  if (!response.ok) throw new Error(`${path} answered ${String(response.status)}: ${await response.text()}`);
  return (await response.json()) as Body;
}
