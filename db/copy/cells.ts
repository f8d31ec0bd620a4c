import { storable } from '../query/values.js';

/** A value on its way from one database to the other: the same whichever it comes from. */
export type Cell = string | Buffer | null;

export type Kind = 'boolean' | 'integer' | 'float' | 'text' | 'bytes';

/** By the names that the engines have for them. A type that is not here stops a copy before it begins. */
const KINDS: Readonly<Record<string, Kind>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  real: 'float',
  float: 'float',
  'double precision': 'float',
  text: 'text',
  varchar: 'text',
  'character varying': 'text',
  bytea: 'bytes',
  blob: 'bytes',
};

export function kindOf(type: string): Kind | undefined {
  return KINDS[type.toLowerCase().replace(/\(.*\)$/, '')];
}

/** How a column is read: whole numbers as text, as many are larger than a number of JavaScript can tell exactly. */
export function readBy(column: string, kind: Kind): string {
  return kind === 'bytes' || kind === 'float' ? column : `CAST(${column} AS text)`;
}

/** As the drivers bring what `readBy` asks for. */
export type Read = string | number | Buffer | null;

export function cellOf(value: Read, kind: Kind): Cell {
  if (value === null || typeof value === 'object') return value;
  if (kind === 'boolean') return value === 'true' || value === '1' ? 'true' : 'false';
  return String(value);
}

/** As SQLite takes it; text goes into a column of numbers as a number. */
export function sqliteValue(cell: Cell, kind: Kind): string | number | Buffer | null {
  if (cell === null) return null;
  if (kind === 'boolean') return cell === 'true' ? 1 : 0;
  return kind === 'float' ? Number(cell) : cell;
}

/** As `COPY … FROM STDIN` takes it in its text format. */
export function postgresText(cell: Cell): string {
  if (cell === null) return '\\N';
  return typeof cell === 'string' ? escaped(storable(cell)) : `\\\\x${cell.toString('hex')}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return text.replace(/[\\\n\r\t]/g, (sign) => ESCAPES[sign] ?? sign);
}

/** The same for what is the same in both engines: PostgreSQL has floats of single length and no U+0000. */
export function comparable(cell: Cell, kind: Kind): string | null {
  if (cell === null) return null;
  if (typeof cell !== 'string') return cell.toString('base64');
  if (kind === 'float') return String(Math.fround(Number(cell)));
  return kind === 'text' ? storable(cell) : cell;
}
