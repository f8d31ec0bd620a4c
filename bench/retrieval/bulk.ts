import type { ProgressDisplay } from '../../src/commands/progress.js';
import { cpuSecondsOfAll } from '../cpu.js';
import { startService } from '../service.js';
import { makeCollection, upload, type UploadedFile } from './collection-client.js';
import { createZipfText } from './zipf-text.js';

const SEED = 20_261_116;
const LEAST_CHARACTERS = 1_000;
const MOST_CHARACTERS = 3_000;

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
    const id = await makeCollection(service);
    const used = cpuSecondsOfAll(service.pid);
    const since = performance.now();
    await upload(service, id, all, (done) => {
      progress.show({ title: 'files', done, total: files });
    });
    progress.end();
    return {
      files,
      kilobytes: Math.round(all.reduce((sum, { text }) => sum + text.length, 0) / 1_000),
      seconds: (performance.now() - since) / 1_000,
      cpuSeconds: cpuSecondsOfAll(service.pid) - used,
    };
  } finally {
    await service.stop();
  }
}

function shortFiles(count: number): UploadedFile[] {
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
