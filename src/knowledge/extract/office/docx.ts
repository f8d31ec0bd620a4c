import { crc32 } from 'node:zlib';
import { load } from 'cheerio';
import { load as loadXml } from 'cheerio/slim';
import mammoth from 'mammoth';
import type { ReadFormat } from '../format.js';
import { writeFormulas } from '../formulas.js';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { openZip, type SafeZip, titleOf, xmlText } from './office-zip.js';
import { isDamaged } from '../refusals.js';

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
    const xml = xmlText(await zip.read(name)).replace(/^\s*<\?xml[^>]*\?>/, '');
    parts.set(name, Buffer.from(PASSED_OVER.test(xml) ? withAllWords(xml) : xml));
  }
  return parts;
}

/** Elements whose words the reader behind does not look for. */
const PASSED_OVER = /<(?:m:oMath|w:(?:fldSimple|ruby|dir|bdo|cr|ptab))[\s/>]/;

/** The same with formulas in a line, and with the words of simple fields, of ruby and of other directions as plain ones. */
function withAllWords(xml: string): string {
  const $ = loadXml(xml, { xml: true });
  writeFormulas($, 'm\\:oMath', (text) => {
    const words = $('<w:t xml:space="preserve"/>').text(text);
    return $('<w:r/>').append(words);
  });
  $('m\\:oMathPara, w\\:fldSimple, w\\:dir, w\\:bdo').each((_, each) => {
    $(each).replaceWith($(each).contents());
  });
  $('w\\:ruby').each((_, each) => {
    $(each).replaceWith($(each).find('w\\:rubyBase').find('w\\:t'));
  });
  $('w\\:cr').replaceWith('<w:br/>');
  $('w\\:ptab').replaceWith('<w:tab/>');
  return $.xml();
}

async function toHtml(buffer: Buffer): Promise<string> {
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    return (await mammoth.convertToHtml({ buffer }, { styleMap: STYLES, convertImage })).value;
  } catch {
    throw isDamaged(WHAT);
  }
}

const STORED = 20;

/** Packs files without compression: for a reader that only takes archives and must get what was checked, no more. */
function storedZip(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, bytes] of files) {
    const name = Buffer.from(path);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(STORED, 0);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(bytes.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\x03\x04'), facts, name, bytes);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([STORED, 0]), facts, place, name);
    offset += 4 + facts.length + name.length + bytes.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
