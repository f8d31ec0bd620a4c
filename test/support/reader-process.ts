import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExtractedDocument, ExtractLimits, PictureWishes } from '../../src/core/knowledge/extracted.js';
import { PROJECT_ROOT } from './child-process.js';
import { LIMITS, withFile } from './extracting.js';

/** As they are built, which is also where the programs of processes and threads have to be found. */
const built = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(PROJECT_ROOT, 'dist/src/knowledge/extract', path)).href);

export const { createExtract } = (await built(
  'extract.js',
)) as typeof import('../../src/knowledge/extract/extract.js');
export const { createRecogniser } = (await built(
  'ocr/recogniser.js',
)) as typeof import('../../src/knowledge/extract/ocr/recogniser.js');
const { readDocument } = (await built(
  'read-document.js',
)) as typeof import('../../src/knowledge/extract/read-document.js');

interface Asked extends Partial<ExtractLimits>, PictureWishes {
  readonly signal?: AbortSignal;
  readonly onProgress?: (percent: number) => void;
}

/** Read by a process of its own, with what the collection wishes of pictures. */
export async function read(
  filename: string,
  bytes: string | Uint8Array,
  asked: Asked = {},
): Promise<ExtractedDocument> {
  const {
    signal = new AbortController().signal,
    onProgress = () => undefined,
    ocr,
    describe,
    ...limits
  } = asked;
  const { extract, close } = createExtract({ limits: { pages: 500, ...limits } });
  return await withFile(bytes, (path) =>
    extract({ path, filename }, { signal, onProgress, ocr, describe }),
  ).finally(close);
}

/** Read as it is built, too, in this very process; text in pictures in a thread of it. */
export async function readHere(
  filename: string,
  bytes: string | Uint8Array,
  { ocr, ...limits }: Partial<ExtractLimits> & Pick<PictureWishes, 'ocr'> = {},
): Promise<ExtractedDocument> {
  const document = await withFile(bytes, (path) =>
    readDocument({ path, filename }, { limits: { ...LIMITS, ...limits }, onProgress: () => undefined, ocr }),
  );
  if (!document) throw new Error('The document was left.');
  return document;
}

/** It is an error of the built program, not of the sources that tests run from. */
export async function refused(reading: Promise<unknown>): Promise<string> {
  return await reading.then(
    () => 'It was not refused.',
    (fault: unknown) => {
      const { code, message } = fault as { readonly code?: string; readonly message: string };
      return code === 'unreadable_document' ? message : `Refused otherwise: ${message}`;
    },
  );
}
