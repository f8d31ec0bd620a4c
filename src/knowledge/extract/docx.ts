import { load } from 'cheerio';
import mammoth from 'mammoth';
import type { ReadFormat } from './format.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { titleOf, xmlText } from './office-xml.js';
import { openZip, type SafeZip } from './office-zip.js';
import { isDamaged } from './refusals.js';
import { storedZip } from './stored-zip.js';

const WHAT = 'Word document';
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
/** Without text that would be read, and by far the largest. */
const LEFT_OUT = /^(?:customXml|word\/(?:theme|embeddings|media|fonts|charts|diagrams|glossary))\//;

export const readDocx: ReadFormat = async ({ file, limits, onProgress }) => {
  const zip = await openZip(file.path, { most: limits.unpackedBytes, what: WHAT });
  try {
    const buffer = storedZip(await checkedParts(zip));
    const title = await titleOf(zip);
    onProgress(20);
    const html = await toHtml(buffer);
    onProgress(70);
    const $ = load(html);
    $('a[href^="#footnote-ref"], a[href^="#endnote-ref"]').remove();
    const markdown = htmlToMarkdown($);
    const heading = /^# (.+)$/m.exec(markdown)?.[1];
    const pages = [{ page: undefined, markdown }];
    return { format: 'docx', title: title ?? heading, pages, pageCount: undefined, faults: [] };
  } finally {
    zip.close();
  }
};

/** Unpacked and looked through here, so that the reader behind gets nothing else. */
async function checkedParts(zip: SafeZip): Promise<ReadonlyMap<string, Buffer>> {
  const parts = new Map<string, Buffer>();
  for (const name of zip.names.filter((each) => /\.(?:xml|rels)$/i.test(each) && !LEFT_OUT.test(each))) {
    // In the one encoding that everybody reads alike.
    parts.set(name, Buffer.from(xmlText(await zip.read(name)).replace(/^\s*<\?xml[^>]*\?>/, '')));
  }
  return parts;
}

async function toHtml(buffer: Buffer): Promise<string> {
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    return (await mammoth.convertToHtml({ buffer }, { styleMap: STYLES, convertImage })).value;
  } catch {
    throw isDamaged(WHAT);
  }
}
