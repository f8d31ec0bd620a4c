import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** As a stack tells it: both counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Of each built file that was asked about, its map; null where there is none. */
const maps = new Map<string, SourceMap | null>();

/**
 * Where in the sources something is of which a stack tells where it is in the build; the same where no source is known.
 * Told so, and not by `--enable-source-maps`: with that Node reads every map at every start.
 */
export function sourcePosition(built: Position): Position {
  const file = built.file.startsWith('file:') ? fileURLToPath(built.file) : built.file;
  const entry = mapOf(file)?.findEntry(built.line - 1, built.column - 1);
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return built;
  return {
    file: resolve(dirname(file), entry.originalSource),
    line: entry.originalLine + 1,
    column: entry.originalColumn + 1,
  };
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const read = readMap(file);
  maps.set(file, read);
  return read;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
