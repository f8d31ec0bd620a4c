import { AppError, unreadableDocument } from '../../core/errors.js';
import type { PartFault, Work } from '../../core/knowledge/document.js';
import {
  type ExtractedDocument,
  OCR_LANGUAGES,
  type PictureDescriber,
  type PictureWishes,
} from '../../core/knowledge/extracted.js';
import type { PartFaultCode, ReadingFault } from '../../core/knowledge/reading-faults.js';
import type { PassageIndex } from '../../core/knowledge/stores.js';

export interface PictureDeps {
  readonly passages: Pick<PassageIndex, 'languages'>;
  readonly describer: PictureDescriber;
}

/** What is to be made of pictures in this collection: by its own setting, and by its organisation's. */
export async function pictureWishes(
  work: Work,
  { passages, describer }: PictureDeps,
): Promise<PictureWishes> {
  const describe = await describer.isSet(work.organizationId);
  if (!work.ocr) return { describe };
  const there = await passages.languages([work.document.collectionId]);
  const likely = OCR_LANGUAGES.filter((language) => there.includes(language));
  return { describe, ocr: [...likely, ...OCR_LANGUAGES.filter((language) => !likely.includes(language))] };
}

const NO_ANSWER = 'The picture could not be described: the model for pictures did not answer.';
const UNDESCRIBED: PartFault = { message: NO_ANSWER, code: 'picture_not_described' satisfies PartFaultCode };
const notDescribed = (message: string) =>
  unreadableDocument(message, { reason: 'picture_not_described' satisfies ReadingFault });

/** With what a model says of it, if it is a picture that is to be described. */
export async function describePicture(
  read: ExtractedDocument,
  { document, ownerId }: Work,
  { passages, describer, signal }: PictureDeps & { readonly signal: AbortSignal },
): Promise<ExtractedDocument> {
  if (!read.picture) return read;
  try {
    const [language, ...others] = await passages.languages([document.collectionId]);
    const said = await describer.describe(read.picture, {
      ...{ ownerId, signal },
      // Of several languages nobody knows which the picture belongs to.
      language: others.length === 0 && language !== 'und' ? language : undefined,
    });
    const markdown = said.trim();
    if (markdown === '') throw notDescribed(NO_ANSWER);
    return { ...read, pages: [...read.pages, { page: undefined, markdown, origin: 'described' }] };
  } catch (fault) {
    signal.throwIfAborted();
    if (!(fault instanceof AppError)) throw fault;
    if (read.pages.length === 0) throw notDescribed(`${NO_ANSWER} Read it again later.`);
    return { ...read, faults: [...read.faults, UNDESCRIBED] };
  }
}
