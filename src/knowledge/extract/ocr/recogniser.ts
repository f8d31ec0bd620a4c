import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { OCR_LANGUAGES, type OcrLanguage } from '../../../core/knowledge/extracted.js';
import { entryModule } from '../../../paths.js';
import { languageOf } from '../../analysis/detect-language.js';
import { ocrIsNotInstalled } from '../refusals.js';
import { confidenceOf, type RecognisedWord, wordsIn } from './words.js';
import type { Recognised, ToRecognise } from './worker.js';

/** Recognises the text in pictures, one after the other. */
export interface Recogniser {
  /** The words of a PNG, line by line; undefined when the time was up, or it cannot be recognised. */
  read(picture: Uint8Array, ms: number): Promise<readonly RecognisedWord[] | undefined>;
  close(): void;
}

/** In per cent. Below it a page is probably in another language than the pages before. */
const SURE = 75;

/**
 * The first page is read with the models of all the languages, which takes twice as long as with one; once the language
 * is known the next ones are read with its model alone, and with all again where that gives poor words.
 */
export function createRecogniser(languages: readonly OcrLanguage[]): Recogniser {
  mustBeInstalled();
  let worker: Worker | undefined;
  let known: OcrLanguage | undefined;

  const ask = async (asked: ToRecognise, ms: number): Promise<readonly RecognisedWord[] | undefined> => {
    worker ??= new Worker(entryModule('src/knowledge/extract/ocr/worker.js'));
    const answer = await answerOf(worker, asked, ms);
    if (answer && 'tsv' in answer) return wordsIn(answer.tsv);
    // It may be in the middle of something that has no end.
    void worker.terminate();
    worker = undefined;
    return undefined;
  };
  return {
    async read(picture, ms) {
      const until = Date.now() + ms;
      if (known) {
        const words = await ask({ picture, languages: [known] }, ms);
        if (!words || (confidenceOf(words) >= SURE && isNoOther(known, words))) return words;
      }
      const first = known ?? languages[0];
      const ordered = [...(first ? [first] : []), ...languages.filter((each) => each !== first)];
      const words = await ask({ picture, languages: ordered }, until - Date.now());
      known = words && languageIn(words);
      if (!words || !known || known === first) return words;
      // The model that comes first counts most: accents of the others are missed now and then.
      return (await ask({ picture, languages: [known] }, until - Date.now())) ?? words;
    },
    close() {
      void worker?.terminate();
      worker = undefined;
    },
  };
}

function mustBeInstalled(): void {
  const require = createRequire(import.meta.url);
  try {
    for (const name of ['tesseract.js-core', '@napi-rs/canvas', '@tesseract.js-data/eng'])
      require.resolve(name);
  } catch {
    throw ocrIsNotInstalled();
  }
}

function isNoOther(known: OcrLanguage, words: readonly RecognisedWord[]): boolean {
  const language = languageIn(words);
  return language === undefined || language === known;
}

function languageIn(words: readonly RecognisedWord[]): OcrLanguage | undefined {
  const language = languageOf(words.map(({ text }) => text).join(' '));
  return OCR_LANGUAGES.find((each) => each === language);
}

function answerOf(worker: Worker, asked: ToRecognise, ms: number): Promise<Recognised | undefined> {
  return new Promise((resolve) => {
    const end = (answer?: Recognised) => {
      clearTimeout(timer);
      worker.off('message', end).off('error', onEnd).off('exit', onEnd);
      resolve(answer);
    };
    const onEnd = () => {
      end();
    };
    const timer = setTimeout(onEnd, Math.max(0, ms));
    worker.on('message', end).on('error', onEnd).on('exit', onEnd);
    worker.postMessage(asked);
  });
}
