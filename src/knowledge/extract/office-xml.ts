import { load, type CheerioAPI } from 'cheerio';
import { decodeText } from './decode-text.js';
import type { SafeZip } from './office-zip.js';
import { hasTypeDefinition } from './refusals.js';
import { cleanLine } from './text.js';

/** A part of an Office file as text. One that defines entities is refused: it could grow without end, or ask for files. */
export function xmlText(bytes: Buffer): string {
  const text = decodeText(bytes);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw hasTypeDefinition();
  return text;
}

export async function readXml(zip: SafeZip, name: string): Promise<CheerioAPI> {
  return load(xmlText(await zip.read(name)), { xml: true });
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

function resolved(folder: string, target: string): string {
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
