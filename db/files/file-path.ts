import { badRequest } from '../../src/core/errors.js';
import { filePathFault } from '../../src/core/files.js';

/** The names along a path, checked and in one spelling: "é" typed in two ways is one file. */
export function namesAlong(path: string): readonly string[] {
  const normal = path.normalize('NFC');
  const fault = filePathFault(normal);
  if (fault !== undefined) throw badRequest(`The file path ${fault}.`, 'path');
  return normal.split('/');
}

/** Names that some systems take for one and the same: here they never stand side by side. */
export function areTwins(name: string, other: string): boolean {
  return name !== other && folded(name) === folded(other);
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
