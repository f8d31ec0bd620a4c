import { stat } from 'node:fs/promises';
import type { Extract, ExtractLimits } from '../../core/knowledge/extracted.js';
import { formatOfName, isLight } from './format.js';
import { createReaders, TooHeavy } from './readers.js';

const DEFAULTS: Omit<ExtractLimits, 'pages'> = {
  characters: 20_000_000,
  unpackedBytes: 200_000_000,
  memoryMb: 1_024,
  seconds: 120,
  ocrSecondsAPage: 120,
  ocrSeconds: 3_600,
};
const SECONDS_PER_MB = 5;
/** What is larger may take long, and then nobody else should wait for the same process. */
const LIGHT_BYTES = 1_000_000;

/** A page that was scanned in colour at 600 dots per inch takes 880 MB until it is read. */
const OCR_MEMORY = 1.5;

type Limits = Pick<ExtractLimits, 'pages'> & Partial<ExtractLimits>;

/**
 * Reads documents in processes of their own: a thread would not do, since when a thread runs out of memory in one large
 * step, Node ends the whole process. A process that reads short texts reads one after the other, as starting it takes far
 * longer than reading them; every other document has a process to itself, which ends with it.
 */
export function createExtract({ limits: given }: { readonly limits: Limits }): {
  readonly extract: Extract;
  /** Ends the processes that wait for more. */
  close(): void;
} {
  const all = { ...DEFAULTS, ...given };
  const readers = createReaders(all.memoryMb);
  const extract: Extract = async (file, { signal, onProgress, onScans, ocr, describe }) => {
    const { size } = await stat(file.path);
    const ms = 1_000 * (all.seconds + (SECONDS_PER_MB * size) / 1_000_000);
    signal.throwIfAborted();
    const named = formatOfName(file.filename);
    const limits = ocr ? { ...all, memoryMb: all.memoryMb * OCR_MEMORY } : all;
    const task = { file, limits, ocr, describe };
    const watch = { ms, signal, onProgress, onScans };
    if (size > LIGHT_BYTES || named === undefined || !isLight(named)) return await readers.alone(task, watch);
    try {
      return await readers.warm(task, watch);
    } catch (fault) {
      if (fault instanceof TooHeavy) return await readers.alone(task, watch);
      throw fault;
    }
  };
  return { extract, close: readers.close };
}
