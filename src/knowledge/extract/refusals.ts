import { unreadableDocument } from '../../core/errors.js';
import type { ReadingFault } from '../../core/knowledge/reading-faults.js';

/** The setting of a collection that lets more be read. */
const OCR = 'ocr';

const refusal = (reason: ReadingFault, message: string, param?: string) =>
  unreadableDocument(message, { reason, param });

/** Why a document is not taken in, in words for whoever uploaded it. */
export const isEmpty = () => refusal('empty', 'The file is empty.');

export const hasNoText = () => refusal('no_text', 'The file contains no text.');

export const isScanned = (pages: number) =>
  refusal(
    'scanned',
    `No text was found on ${onPages(pages)} of this PDF. It is probably scanned: switch on text recognition in the ` +
      "collection's settings, and it is read again.",
    OCR,
  );

export const ocrFoundNothing = (pages: number, unread: number) =>
  unread === 0
    ? refusal(
        'nothing_recognised',
        `No text was found on ${onPages(pages)} of this PDF, and none was recognised in its pictures.`,
      )
    : refusal(
        'recognition_gave_up',
        `No text was recognised on ${onPages(pages)} of this PDF: it took too long, or they could not be drawn. ` +
          'Scan it in black and white at 300 dots per inch, or split it.',
      );

export const isPicture = () =>
  refusal(
    'picture',
    "The file is a picture. Its text can be recognised: switch on text recognition in the collection's settings, and " +
      'it is read again. It can also be described by a model, if an administrator sets one for pictures.',
    OCR,
  );

export const hasNoTextInPicture = () =>
  refusal(
    'picture_without_text',
    'No text was recognised in the picture. It could be described by a model, if an administrator sets one for pictures.',
  );

export const isTooLargeAPicture = (width: number, height: number) =>
  refusal(
    'picture_too_large',
    `The picture says it is ${grouped(width)} × ${grouped(height)} dots large, which is too much to be read. Make it smaller.`,
  );

export const ocrIsNotInstalled = () =>
  refusal(
    'recognition_missing',
    'Text recognition is not installed on this server. An administrator can install its optional packages, after ' +
      'which the document can be read again.',
    OCR,
  );

export const needsPassword = (what: string) =>
  refusal(
    'encrypted',
    `The ${what} is protected with a password. Save it without a password, then upload it again.`,
  );

export const isLocked = () =>
  refusal(
    'copy_protected',
    'The e-book is protected against copying (DRM), so nobody but its own reader can open it. Ask its publisher for a copy without protection.',
  );

export const isDamaged = (what: string) =>
  refusal(
    'damaged',
    `The ${what} is damaged or incomplete. Open it in the program it was made with, save it anew and upload it again.`,
  );

export const unpacksToTooMuch = () =>
  refusal(
    'unpacks_to_too_much',
    'The file unpacks to far more than a document holds, so it was not read. Remove large content and save it anew.',
  );

export const isArchiveInArchive = () =>
  refusal('archive_in_archive', 'Archives within archives are not unpacked. Upload it by itself.');

export const holdsTooManyFiles = (allowed: number) =>
  refusal('too_many_files', `The archive holds more than ${grouped(allowed)} files. Split it into several.`);

export const hasTypeDefinition = () =>
  refusal(
    'type_definition',
    'The file defines XML entities of its own, which files of this kind never do, so it was not read. Save it anew in the program it was made with.',
  );

export const hasTooManyPages = (has: number, allowed: number, what = 'pages') =>
  refusal(
    'too_many_pages',
    `The document has ${grouped(has)} ${what}; at most ${grouped(allowed)} are allowed. Split it into several files.`,
  );

export const hasTooMuchText = (allowed: number) =>
  refusal(
    'too_much_text',
    `The document has more than ${grouped(allowed)} characters of text. Split it into several files.`,
  );

export const isCalledOtherwise = (extension: string, seems: string) =>
  refusal(
    'called_otherwise',
    `The file is called .${extension}, but it seems to be ${seems}. Upload it under its right name.`,
  );

export const cannotBeRead = (seems: string, advice: string) =>
  refusal('not_supported', `The file seems to be ${seems}, which cannot be read. ${advice}`);

export const needsTooMuchMemory = () =>
  refusal(
    'too_much_memory',
    'The document needs too much memory to be read. Split it, or save it in a simpler form.',
  );

export const takesTooLong = () =>
  refusal('takes_too_long', 'The document takes too long to read. Split it, or save it in a simpler form.');

export const isNotUnderstood = () =>
  refusal(
    'not_understood',
    'The document could not be read: it is damaged, or built in a way that is not understood. Save it anew and try again.',
  );

function onPages(pages: number): string {
  return pages === 1 ? 'the page' : `any of the ${String(pages)} pages`;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
