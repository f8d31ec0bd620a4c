import { storable } from './values.js';

/** One column of a row that is written as a JSON array: its values stand where it stands among the fields. */
export interface Field<T> {
  readonly column: string;
  readonly type: 'text' | 'integer' | 'boolean';
  readonly value: (of: T) => unknown;
}

export const packedRow = <T>(fields: readonly Field<T>[], of: T): unknown[] =>
  fields.map(({ value }) => value(of));

/** How JSON spells U+0000 and half a surrogate pair: no text of PostgreSQL can hold them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Many rows as one parameter, so that one prepared statement writes any number of them. */
export function packedRows(rows: readonly (readonly unknown[])[]): string {
  const json = JSON.stringify(rows);
  // One search of the whole instead of one for each text: hardly ever is there anything to find.
  return UNSTORABLE.test(json) ? JSON.stringify(rows, storableValue) : json;
}

function storableValue(_key: string, value: unknown): unknown {
  // To UTF-8 and back, which makes half a pair U+FFFD.
  return typeof value === 'string' ? Buffer.from(storable(value)).toString() : value;
}

type Column = Pick<Field<never>, 'column' | 'type'>;

export const columnsOf = (fields: readonly Column[], of = ''): string =>
  fields.map(({ column }) => `${of}${column}`).join(', ');

/** The values of the row that `row` is, in the order of the fields. */
export const sqliteValues = (fields: readonly Column[], row: string): string =>
  fields.map((_, position) => `json_extract(${row}, '$[${String(position)}]')`).join(', ');

export const postgresValues = (fields: readonly Column[], row: string): string =>
  fields.map(({ type }, position) => `(${row} ->> ${String(position)})::${type}`).join(', ');
