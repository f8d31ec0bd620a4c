import { safeLabel } from '../../core/base/text.js';
import type { PartFault } from '../../core/knowledge/document.js';
import type { PartFaultCode } from '../../core/knowledge/reading-faults.js';

interface Facts {
  readonly page?: number | undefined;
  readonly values?: readonly string[];
}

const fault = (code: PartFaultCode, message: string, facts: Facts = {}): PartFault => ({
  ...{ message, code },
  ...facts,
});

/** What was not taken in of a document that otherwise was, in words for whoever uploaded it. */
export const pageUnread = (page: number) =>
  fault('page_unread', `Page ${String(page)} could not be read.`, { page, values: [String(page)] });

export const slideUnread = (page: number) =>
  fault('slide_unread', `Slide ${String(page)} could not be read.`, { page, values: [String(page)] });

export const chapterUnread = (number: number) =>
  fault('chapter_unread', `Part ${String(number)} of the e-book could not be read.`, {
    values: [String(number)],
  });

export const sheetHidden = (name: string) =>
  fault('sheet_hidden', `The sheet "${safeLabel(name)}" is hidden and was left out.`, {
    values: [safeLabel(name)],
  });

export const sheetUnread = (name: string) =>
  fault('sheet_unread', `The sheet "${safeLabel(name)}" could not be read.`, { values: [safeLabel(name)] });

export const quoteNotClosed = () =>
  fault('quote_not_closed', 'A quotation mark is never closed, so quotation marks were read as text.');

export const breaksOff = () =>
  fault('breaks_off', 'The file breaks off before its end. What comes before was read.');

export function pagesWithoutText(pages: readonly number[], isRecognised: boolean): PartFault[] {
  const have = pages.length === 1 ? 'has' : 'have';
  return isRecognised
    ? onPages(
        pages,
        'pages_nothing_recognised',
        `${have} no text: empty, or a picture in which no text was recognised.`,
      )
    : onPages(
        pages,
        'pages_without_text',
        `${have} no text: empty, or a picture: text recognition can be switched on in the collection's settings.`,
      );
}

export function pagesNotRecognised(pages: readonly number[]): PartFault[] {
  return onPages(
    pages,
    'pages_not_recognised',
    'could not be recognised: it took too long, or the page could not be drawn. Upload the rest as a file of its own.',
  );
}

/** None where it is about no page. */
function onPages(pages: readonly number[], code: PartFaultCode, what: string): PartFault[] {
  if (pages.length === 0) return [];
  const ranges = rangesOf(pages);
  const some = ranges.slice(0, MOST_RANGES);
  const isCut = ranges.length > MOST_RANGES;
  const message = `${pages.length === 1 ? 'Page' : 'Pages'} ${listed([...some, ...(isCut ? ['others'] : [])])} ${what}`;
  return [fault(code, message, { page: pages[0], values: [...some, ...(isCut ? ['…'] : [])] })];
}

const MOST_RANGES = 20;

/** Page numbers in order, such as `3–7`, `9`. */
function rangesOf(pages: readonly number[]): string[] {
  const ranges: { first: number; last: number }[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  return ranges.map(({ first, last }) =>
    first === last ? String(first) : `${String(first)}–${String(last)}`,
  );
}

function listed(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}` : words.join('');
}
