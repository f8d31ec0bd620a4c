import { load } from 'cheerio/slim';
import type { PartFault } from '../../../core/knowledge/document.js';
import type { ExtractedPage } from '../../../core/knowledge/extracted.js';
import type { ReadFormat } from '../format.js';
import { charsetOf, readChapter } from '../html.js';
import { chapterUnread } from '../part-faults.js';
import { hasTooManyPages, isDamaged, isLocked } from '../refusals.js';
import { cleanLine, decodeText } from '../text.js';
import { openZip, resolved, type SafeZip } from './office-zip.js';

const WHAT = 'e-book';
/** Fonts made unreadable to other programs, which are no text: EPUB 3.3, section 4.2, and Adobe's way before it. */
const OF_FONTS = /idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC/;

/** Its chapters in the order in which they are read. It has no pages of its own: they depend on the screen. */
export const readEpub: ReadFormat = async ({ file, limits, onProgress }) => {
  const zip = await openZip(file.path, { most: limits.unpackedBytes, what: WHAT });
  try {
    const { title, chapters } = await openBook(zip);
    if (chapters.length > limits.pages) throw hasTooManyPages(chapters.length, limits.pages, 'chapters');
    const locked = await lockedParts(zip);
    if (chapters.some((part) => locked.has(part))) throw isLocked();
    const pages: ExtractedPage[] = [];
    const faults: PartFault[] = [];
    let broken: unknown;
    for (const [at, part] of chapters.entries()) {
      try {
        const bytes = await zip.read(part);
        const markdown = readChapter(withEndTags(decodeText(bytes, charsetOf(bytes))));
        pages.push({ page: undefined, markdown });
      } catch (fault) {
        broken ??= fault;
        faults.push(chapterUnread(at + 1));
      }
      onProgress((100 * (at + 1)) / chapters.length);
    }
    if (pages.length === 0) throw (broken as Error | undefined) ?? isDamaged(WHAT);
    return { format: 'epub', title, pages, pageCount: undefined, faults };
  } finally {
    zip.close();
  }
};

interface Book {
  readonly title: string | undefined;
  readonly chapters: readonly string[];
}

async function openBook(zip: SafeZip): Promise<Book> {
  const container = await xmlIn(zip, 'META-INF/container.xml');
  const path = container('rootfile').first().attr('full-path') ?? '';
  const $ = await xmlIn(zip, path);
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const parts = new Map(
    $('manifest > item')
      .toArray()
      .map((each) => $(each))
      .filter((item) => /html/i.test(item.attr('media-type') ?? '') && !isContents(item.attr('properties')))
      .map((item) => [item.attr('id') ?? '', resolved(folder, unescaped(item.attr('href') ?? ''))]),
  );
  const spine = $('spine > itemref')
    .toArray()
    .map((each) => parts.get($(each).attr('idref') ?? ''));
  return {
    title: cleanLine($('metadata').find('dc\\:title').first().text()) || undefined,
    chapters: [...new Set(spine.filter((part) => part !== undefined))],
  };
}

/** The list of chapters, which says nothing that they do not. */
function isContents(properties = ''): boolean {
  return properties.split(/\s+/).includes('nav');
}

async function lockedParts(zip: SafeZip): Promise<ReadonlySet<string>> {
  if (!zip.has('META-INF/encryption.xml')) return new Set();
  const $ = await xmlIn(zip, 'META-INF/encryption.xml');
  const locked = $('*')
    .toArray()
    .filter((each) => /(?:^|:)EncryptedData$/i.test($(each).prop('tagName') ?? ''))
    .map((each) => $(each).html() ?? '')
    .filter((xml) => !OF_FONTS.test(xml))
    .map((xml) => unescaped(/CipherReference[^>]*\bURI\s*=\s*["']([^"']*)/.exec(xml)?.[1] ?? ''));
  return new Set(locked.map((uri) => resolved('', uri)));
}

/** Entities that it defines are not looked at: the parser knows none but those of XML itself. */
async function xmlIn(zip: SafeZip, part: string) {
  if (!zip.has(part)) throw isDamaged(WHAT);
  return load(decodeText(await zip.read(part)), { xml: true });
}

function unescaped(reference: string): string {
  const path = reference.split('#')[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** XHTML closes `<title/>` and `<a id="p3"/>` in place, where HTML would take all that follows for their content. */
function withEndTags(xhtml: string): string {
  return xhtml.replace(
    /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)([^<>]*)\/>/gi,
    '<$1$2></$1>',
  );
}
