import { extname } from 'node:path';
import { oneLine, safeLabel } from '../../core/base/text.js';
import { unsupportedMediaType } from '../../core/errors.js';
import { acceptsName, supportedExtensions } from '../extract/accepted-names.js';

const LONGEST = 200;

/** What servers say of what they send, for names that say nothing. */
const ENDING_OF_TYPE: Readonly<Record<string, string>> = {
  'application/pdf': '.pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
  'text/csv': '.csv',
};

/** A name from anywhere as one short line that keeps its ending. */
export function documentName(name: string): string {
  const line = oneLine(name, Infinity);
  if (line.length <= LONGEST) return line;
  const ending = extname(line).slice(0, 20);
  return oneLine(line.slice(0, -ending.length || undefined), LONGEST - ending.length) + ending;
}

/** Refuses what nobody here could read. */
export function checkedName(name: string): void {
  if (acceptsName(name)) return;
  throw unsupportedMediaType(
    `"${safeLabel(name)}" is not of a kind that can be taken in. Supported are ${supportedExtensions.map((one) => `.${one}`).join(', ')}.`,
  );
}

/** Until more is known of it: the last part of its path, or the host. */
export function nameInAddress({ pathname, hostname }: URL): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? '';
  const name = documentName(decoded(last));
  return name === '' ? hostname : name;
}

/** A name whose ending tells what the bytes are: as the server calls them, else by its address and the type it gives. */
export function nameOfFetched(address: URL, headers: Headers): string {
  const given = documentName(nameInDisposition(headers.get('content-disposition') ?? ''));
  const name = given === '' ? nameInAddress(address) : given;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const ending = ENDING_OF_TYPE[type];
  if (acceptsName(name) || ending === undefined) return name;
  return documentName(`${name}${ending}`);
}

/** Without folders: a server may say whatever it likes. */
function nameInDisposition(disposition: string): string {
  const encoded = /filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition);
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2] ?? '') : decoded(encoded.trim());
  return name.split(/[/\\]/).at(-1) ?? '';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
