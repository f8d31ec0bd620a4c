import { unreadableDocument } from '../../core/errors.js';

/** Why a document is not taken in, in words for whoever uploaded it. */
export const isEmpty = () => unreadableDocument('The file is empty.');

export const hasNoText = () => unreadableDocument('The file contains no text.');

export const isScanned = (pages: number) =>
  unreadableDocument(
    `No text was found on ${pages === 1 ? 'the page' : `any of the ${String(pages)} pages`} of this PDF. It is probably ` +
      'scanned: run text recognition (OCR) on it, then upload the result.',
  );

export const needsPassword = (what: string) =>
  unreadableDocument(
    `The ${what} is protected with a password. Save it without a password, then upload it again.`,
  );

export const isLocked = () =>
  unreadableDocument(
    'The e-book is protected against copying (DRM), so nobody but its own reader can open it. Ask its publisher for a copy without protection.',
  );

export const isDamaged = (what: string) =>
  unreadableDocument(
    `The ${what} is damaged or incomplete. Open it in the program it was made with, save it anew and upload it again.`,
  );

export const unpacksToTooMuch = () =>
  unreadableDocument(
    'The file unpacks to far more than a document holds, so it was not read. Remove large content and save it anew.',
  );

export const hasTypeDefinition = () =>
  unreadableDocument(
    'The file defines XML entities of its own, which files of this kind never do, so it was not read. Save it anew in the program it was made with.',
  );

export const hasTooManyPages = (has: number, allowed: number, what = 'pages') =>
  unreadableDocument(
    `The document has ${grouped(has)} ${what}; at most ${grouped(allowed)} are allowed. Split it into several files.`,
  );

export const hasTooMuchText = (allowed: number) =>
  unreadableDocument(
    `The document has more than ${grouped(allowed)} characters of text. Split it into several files.`,
  );

export const isCalledOtherwise = (extension: string, seems: string) =>
  unreadableDocument(
    `The file is called .${extension}, but it seems to be ${seems}. Upload it under its right name.`,
  );

export const cannotBeRead = (seems: string, advice: string) =>
  unreadableDocument(`The file seems to be ${seems}, which cannot be read. ${advice}`);

export const needsTooMuchMemory = () =>
  unreadableDocument(
    'The document needs too much memory to be read. Split it, or save it in a simpler form.',
  );

export const takesTooLong = () =>
  unreadableDocument('The document takes too long to read. Split it, or save it in a simpler form.');

export const isNotUnderstood = () =>
  unreadableDocument(
    'The document could not be read: it is damaged, or built in a way that is not understood. Save it anew and try again.',
  );

function grouped(count: number): string {
  return count.toLocaleString('en');
}
