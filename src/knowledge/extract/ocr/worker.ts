import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import type { OcrLanguage } from '../../../core/knowledge/extracted.js';

/** The thread that recognises text: it may be ended in the middle of a page. Everything it loads lies on disk. */

/** What it is asked, one picture at a time. */
export interface ToRecognise {
  /** PNG. */
  readonly picture: Uint8Array;
  readonly languages: readonly OcrLanguage[];
}

/** What it answers: Tesseract's table of blocks, lines and words. */
export type Recognised = { readonly tsv: string } | { readonly fault: string };

/** Of Tesseract's C++ API (`TessBaseAPI`) as far as it is used here. */
interface Tesseract {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    /** 0 when it went well. */
    Init(folder: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Of the file `/input`; 1 when it is no picture. */
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
    End(): void;
  };
}

/** ISO 639-3, as the packages with the models are called. */
const MODELS: Readonly<Record<OcrLanguage, string>> = { en: 'eng', es: 'spa', ca: 'cat', eu: 'eus' };
const NEURAL_NETWORK_ONLY = 1;
/** Columns and paragraphs are found by Tesseract itself. */
const PAGE_SEGMENTATION_AUTO = '3';
/** It warns where it has to guess, and guesses worse. */
const DPI = '300';

const require = createRequire(import.meta.url);
const loaded = new Set<OcrLanguage>();
let engine:
  { tesseract: Tesseract; api: InstanceType<Tesseract['TessBaseAPI']>; languages: string } | undefined;

parentPort?.on('message', (asked: ToRecognise) => {
  void recognise(asked)
    .catch((fault: unknown): Recognised => ({ fault: String(fault) }))
    .then((answer) => parentPort?.postMessage(answer));
});

async function recognise({ picture, languages }: ToRecognise): Promise<Recognised> {
  const { tesseract, api } = await engineFor(languages);
  tesseract.FS.writeFile('/input', picture);
  if (api.SetImageFile(1, 0) === 1) return { fault: 'no picture' };
  api.Recognize(null);
  const tsv = api.GetTSVText(0);
  api.Clear();
  return { tsv };
}

async function engineFor(languages: readonly OcrLanguage[]): Promise<NonNullable<typeof engine>> {
  const named = languages.map((language) => MODELS[language]).join('+');
  if (engine?.languages === named) return engine;
  engine?.api.End();
  const tesseract = engine?.tesseract ?? (await loadTesseract());
  for (const language of languages) {
    if (loaded.has(language)) continue;
    tesseract.FS.writeFile(`${MODELS[language]}.traineddata`, modelOf(language));
    loaded.add(language);
  }
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, named, NEURAL_NETWORK_ONLY) !== 0) throw new Error('The models cannot be loaded.');
  api.SetVariable('tessedit_pageseg_mode', PAGE_SEGMENTATION_AUTO);
  api.SetVariable('user_defined_dpi', DPI);
  engine = { tesseract, api, languages: named };
  return engine;
}

async function loadTesseract(): Promise<Tesseract> {
  // Every Node that is supported has SIMD; without the engine before neural networks it is smaller.
  const start = require('tesseract.js-core/tesseract-core-simd-lstm') as (
    options: object,
  ) => Promise<Tesseract>;
  const silent = () => undefined;
  return await start({ TesseractProgress: silent, print: silent, printErr: silent });
}

function modelOf(language: OcrLanguage): Uint8Array {
  const name = MODELS[language];
  const folder = dirname(require.resolve(`@tesseract.js-data/${name}/package.json`));
  return gunzipSync(readFileSync(join(folder, '4.0.0_best_int', `${name}.traineddata.gz`)));
}
