import type { PdfPage } from './open.js';

/** The little that is asked of what lies on a page: fields of forms, and text that was put on it afterwards. */
interface Annotation {
  readonly subtype?: string;
  readonly fieldType?: string;
  readonly fieldValue?: string | readonly string[] | null;
  readonly contentsObj?: { readonly str?: string };
  readonly rect: readonly number[];
  readonly hidden?: boolean;
  readonly password?: boolean;
}

/** As pdf.js gives the text of the page itself. */
export interface FilledIn {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
}

const LINE = 1.2;
const LETTER_WIDTH = 0.5;

/** What was typed into the page, in letters of this size: programs make them as large as the field. */
export async function filledIn(page: PdfPage, size: number): Promise<readonly FilledIn[]> {
  // What lies on a page and cannot be read is no reason to lose the page.
  const annotations = (await page.getAnnotations().catch(() => [])) as readonly Annotation[];
  return annotations.flatMap((each) => {
    const [left = 0, bottom = 0, , top = 0] = each.rect;
    const lines = textIn(each).split(/\r\n?|\n/);
    // A single line stands in the middle of its field, beside what the field is called.
    const first = lines.length === 1 ? (top + bottom) / 2 - 0.3 * size : top - LINE * size;
    return lines.map((str, at) => ({
      str,
      transform: [size, 0, 0, size, left, first - at * LINE * size],
      width: str.length * LETTER_WIDTH * size,
    }));
  });
}

function textIn({ subtype, fieldType, fieldValue, contentsObj, hidden, password }: Annotation): string {
  if (hidden === true || password === true) return '';
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return '';
  return typeof fieldValue === 'string' ? fieldValue : (fieldValue ?? []).join(', ');
}
