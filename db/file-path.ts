import { badRequest } from '../src/core/errors.js';

const LONGEST_PATH = 1_024;
/** What the usual file systems allow. */
const LONGEST_NAME_BYTES = 255;

/** The names along a path, checked and in one spelling: "é" typed in two ways is one file. */
export function namesAlong(path: string): readonly string[] {
  const normal = path.normalize('NFC');
  const fault = pathFault(normal) ?? firstFault(normal.split('/'), nameFault);
  if (fault !== undefined) throw badRequest(`The file path ${fault}.`, 'path');
  return normal.split('/');
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > LONGEST_PATH) return `is longer than ${String(LONGEST_PATH)} characters`;
  if (/\p{Cc}/u.test(path)) return 'contains a control character';
  if (/\p{Cs}/u.test(path)) return 'is not valid Unicode';
  if (path.includes('\\')) return 'contains a backslash; folders are separated by "/"';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute; it must be relative';
  return undefined;
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'contains an empty name';
  if (name === '.' || name === '..') return `contains "${name}"`;
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES)
    return `contains a name longer than ${String(LONGEST_NAME_BYTES)} bytes`;
  return undefined;
}

function firstFault(
  names: readonly string[],
  fault: (name: string) => string | undefined,
): string | undefined {
  return names.map(fault).find((found) => found !== undefined);
}
