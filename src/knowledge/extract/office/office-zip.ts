// Its other entry brings a parser of web pages and a client for fetching them.
import { type CheerioAPI, load } from 'cheerio/slim';
import { Parser } from 'htmlparser2';
import yauzl from 'yauzl';
import { hasTypeDefinition, isDamaged, unpacksToTooMuch } from '../refusals.js';
import { cleanLine, decodeText } from '../text.js';

const MOST_ENTRIES = 20_000;

/** Files packed in one, unpacked in memory one at a time. Their names are only ever looked up, never written to. */
export interface SafeZip {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Counts what really comes out, whatever the archive says of itself. */
  read(name: string): Promise<Buffer>;
  close(): void;
}

export async function openZip(
  path: string,
  { most, what }: { readonly most: number; readonly what: string },
): Promise<SafeZip> {
  const damaged = () => isDamaged(what);
  // Names as bytes: a name that leads out of its folder is no fault here, as nothing is written.
  const zip = await yauzl
    .openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: false,
    })
    .catch(() => {
      throw damaged();
    });
  const close = () => {
    zip.close();
  };
  try {
    const entries = await entriesOf(zip, damaged);
    const read = createReader({ zip, entries, most, damaged });
    return { names: [...entries.keys()], has: (name) => entries.has(name), read, close };
  } catch (fault) {
    close();
    throw fault;
  }
}

type Zip = Awaited<ReturnType<typeof yauzl.openPromise>>;

async function entriesOf(zip: Zip, damaged: () => Error): Promise<Map<string, yauzl.Entry>> {
  if (zip.entryCount > MOST_ENTRIES) throw unpacksToTooMuch();
  const entries = new Map<string, yauzl.Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      const name = Buffer.from(entry.fileNameRaw).toString('utf8').replaceAll('\\', '/');
      if (!entries.has(name)) entries.set(name, entry);
    }
  } catch {
    throw damaged();
  }
  return entries;
}

interface Reading {
  readonly zip: Zip;
  readonly entries: ReadonlyMap<string, yauzl.Entry>;
  readonly most: number;
  readonly damaged: () => Error;
}

function createReader({ zip, entries, most, damaged }: Reading): SafeZip['read'] {
  let left = most;
  return async (name) => {
    const entry = entries.get(name);
    if (!entry || entry.isEncrypted()) throw damaged();
    if (entry.uncompressedSize > left) throw unpacksToTooMuch();
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const part of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > left) break;
        parts.push(part);
      }
    } catch {
      throw damaged();
    }
    if (length > left) throw unpacksToTooMuch();
    if (length !== entry.uncompressedSize) throw damaged();
    left -= length;
    return Buffer.concat(parts);
  };
}

/** A part of an Office file as text. One that defines entities is refused: it could grow without end, or ask for files. */
export function xmlText(bytes: Buffer): string {
  const text = decodeText(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw hasTypeDefinition();
  return text;
}

export async function readXml(zip: SafeZip, name: string): Promise<CheerioAPI> {
  return load(xmlText(await zip.read(name)), { xml: true });
}

export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text(text: string): void;
}

/** Goes through XML from its beginning to its end, without keeping it; for what may have a million elements. */
export function walkXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new Parser({ onopentag: open, onclosetag: close, ontext: text }, { xmlMode: true });
  parser.end(xml);
}

/** From ids to full names of parts, by the kind of relation too: the last part of its type's address. */
export interface Relation {
  readonly id: string;
  readonly kind: string;
  readonly target: string;
}

/** Of a part to other parts of the same file. Those that lead elsewhere are left out. */
export async function relationsOf(zip: SafeZip, part: string): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf('/') + 1;
  const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
  if (!zip.has(name)) return [];
  const $ = await readXml(zip, name);
  return $('Relationship')
    .toArray()
    .map((each) => $(each))
    .filter((each) => each.attr('TargetMode') !== 'External')
    .map((each) => ({
      id: each.attr('Id') ?? '',
      kind: (each.attr('Type') ?? '').split('/').at(-1) ?? '',
      target: resolved(part.slice(0, slash), each.attr('Target') ?? ''),
    }));
}

/** Where a reference in a part of this folder leads. */
export function resolved(folder: string, target: string): string {
  const steps = target.startsWith('/') ? target.slice(1) : folder + target;
  const path: string[] = [];
  for (const step of steps.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
}

/** As its author set it in the properties of the file. */
export async function titleOf(zip: SafeZip): Promise<string | undefined> {
  if (!zip.has('docProps/core.xml')) return undefined;
  const $ = await readXml(zip, 'docProps/core.xml');
  return cleanLine($('dc\\:title').first().text()) || undefined;
}
