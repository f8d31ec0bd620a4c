import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgressDisplay } from '../../src/commands/progress.js';
import { type BenchService, startService } from '../service.js';
import { createZipfText } from './zipf-text.js';

const FILES_A_REQUEST = 20;
const SEED = 20_261_116;
const LEAST_CHARACTERS = 1_000;
const MOST_CHARACTERS = 3_000;
const LOOK_EVERY_MS = 500;
/** As Linux has it on every machine that Node runs on. */
const TICKS_A_SECOND = 100;

export interface BulkResult {
  readonly files: number;
  readonly kilobytes: number;
  readonly seconds: number;
  /** Of the service and of all processes it has started, from the first upload until the last document is found. */
  readonly cpuSeconds: number;
}

/** Short files of four kinds, uploaded as the pages do it and taken in by the service as it runs anywhere. */
export async function measureBulk(files: number, progress: ProgressDisplay): Promise<BulkResult> {
  const all = shortFiles(files);
  const service = await startService('http://127.0.0.1:9');
  try {
    const { id } = await call<{ readonly id: string }>(service, '', { name: 'Bulk' });
    const used = cpuSecondsOf(service.pid);
    const since = performance.now();
    for (let at = 0; at < all.length; at += FILES_A_REQUEST)
      await call(service, `/${id}/documents`, asForm(all.slice(at, at + FILES_A_REQUEST)));
    await allRead(service, id, (done) => {
      progress.show({ title: 'files', done, total: files });
    });
    progress.end();
    return {
      files,
      kilobytes: Math.round(all.reduce((sum, { text }) => sum + text.length, 0) / 1_000),
      seconds: (performance.now() - since) / 1_000,
      cpuSeconds: cpuSecondsOf(service.pid) - used,
    };
  } finally {
    await service.stop();
  }
}

interface ShortFile {
  readonly name: string;
  readonly text: string;
}

function shortFiles(count: number): ShortFile[] {
  const zipf = createZipfText(SEED);
  return Array.from({ length: count }, (_, n) => {
    const wanted = LEAST_CHARACTERS + ((n * 37) % (MOST_CHARACTERS - LEAST_CHARACTERS));
    const markdown = `# File ${String(n)}\n\n${zipf.document(wanted)}`;
    const paragraphs = markdown.split(/\n{2,}/);
    const kinds = [
      { ending: 'md', text: markdown },
      { ending: 'txt', text: paragraphs.join('\n\n').replaceAll('#', '') },
      {
        ending: 'html',
        text: `<html><body>${paragraphs.map((each) => `<p>${each}</p>`).join('')}</body></html>`,
      },
      {
        ending: 'csv',
        text: `place,text\n${paragraphs.map((each, at) => `${String(at)},"${each}"`).join('\n')}`,
      },
    ];
    const { ending, text } = kinds[n % kinds.length] ?? { ending: 'md', text: markdown };
    return { name: `file-${String(n)}.${ending}`, text };
  });
}

function asForm(files: readonly ShortFile[]): FormData {
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

/** With the children that it has now and those that have ended, as Linux adds them up. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // After the name, which may hold anything: its own times in user mode and in the kernel, then those of ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_A_SECOND;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSecondsOf(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${String(pid)}/task`).flatMap((thread) =>
    readFileSync(`/proc/${String(pid)}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((child) => child.trim() !== '')
      .map(Number),
  );
}
