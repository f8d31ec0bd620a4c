import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isDamaged, needsPassword } from '../refusals.js';

export const WHAT = 'PDF';

const require = createRequire(import.meta.url);
try {
  require('@napi-rs/canvas');
} catch {
  // pdf.js makes one as soon as it is loaded, of the class that comes with what draws. Text is read without it.
  Object.assign(globalThis, { DOMMatrix: Object });
}
// It brings along what engines lack, and puts its own `JSON` and `push` in the place of Node's, which are as good and many
// times as fast.
const native = [JSON, Array.prototype, Function.prototype].map((owner) => ({
  owner,
  members: Object.getOwnPropertyDescriptors<object>(owner),
}));
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.min.mjs');
const { WorkerMessageHandler } = await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
for (const { owner, members } of native) Object.defineProperties(owner, members);

export type Pdf = Awaited<ReturnType<typeof getDocument>['promise']>;
export type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

/** A larger picture is left out of its page: unpacked, it takes four bytes a dot. */
const MOST_DOTS = 50_000_000;

const folder = dirname(require.resolve('pdfjs-dist/package.json'));
/** With the slash at its end that pdf.js wants. */
const part = (name: string) => join(folder, name, '/');

// It looks for its other half here before it looks for a file.
Object.assign(globalThis, { pdfjsWorker: { WorkerMessageHandler } });

/** Nothing in it is run, and what it needs beyond its own bytes comes with pdf.js: character maps, fonts, decoders. */
export async function openPdf(bytes: Buffer): Promise<Pdf> {
  try {
    return await getDocument({
      data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      ...{ isEvalSupported: false, useSystemFonts: false, disableFontFace: true, enableXfa: false },
      ...{ cMapUrl: part('cmaps'), cMapPacked: true, wasmUrl: part('wasm'), iccUrl: part('iccs') },
      ...{ standardFontDataUrl: part('standard_fonts'), maxImageSize: MOST_DOTS, verbosity: 0 },
    }).promise;
  } catch (fault) {
    throw fault instanceof Error && fault.name === 'PasswordException'
      ? needsPassword(WHAT)
      : isDamaged(WHAT);
  }
}
