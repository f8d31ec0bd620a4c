const LONGEST_PATH = 1_024;
/** What the usual file systems allow. */
const LONGEST_NAME_BYTES = 255;

/** What keeps a path from naming a file of a private store, to follow "The file path"; undefined when nothing does. */
export function filePathFault(path: string): string | undefined {
  return (
    pathFault(path) ??
    path
      .split('/')
      .map(nameFault)
      .find((fault) => fault !== undefined)
  );
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > LONGEST_PATH) return `is longer than ${String(LONGEST_PATH)} characters`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return 'contains a control character';
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
