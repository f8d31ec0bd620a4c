import { isRecord, type JsonRecord } from '../metadata/json.js';
import { storable, storableOrNull } from './values.js';

/** How a property is stored: the name of its column, and what becomes of it on the way there and back. */
interface Column<Name extends string, Cell, Value> {
  readonly name: Name;
  write(value: Value): Cell;
  read(cell: Cell): Value;
}

/** By property. */
export type Columns = Readonly<Record<string, Column<string, unknown, unknown>>>;

/** What a database gives for them. */
export type RowOf<Table extends Columns> = {
  readonly [Property in keyof Table as Table[Property]['name']]: ReturnType<Table[Property]['write']>;
};

export type ValuesOf<Table extends Columns> = {
  readonly [Property in keyof Table]: ReturnType<Table[Property]['read']>;
};

/** Some of them: what is absent or undefined is left as it is stored. */
type Given<Table extends Columns> = {
  readonly [Property in keyof Table]?: ValuesOf<Table>[Property] | undefined;
};

export function valuesIn<Table extends Columns>(columns: Table, row: RowOf<Table>): ValuesOf<Table> {
  const values: Record<string, unknown> = {};
  for (const property in columns) {
    const column = columns[property] as Columns[string];
    values[property] = column.read(row[column.name as keyof RowOf<Table>]);
  }
  return values as ValuesOf<Table>;
}

/** The columns of what is given, and no others. */
export function cellsOf<Table extends Columns>(columns: Table, values: Given<Table>): Partial<RowOf<Table>> {
  const cells: Record<string, unknown> = {};
  for (const property in columns) {
    const column = columns[property] as Columns[string];
    const value: unknown = values[property];
    if (value !== undefined) cells[column.name] = column.write(value);
  }
  return cells as Partial<RowOf<Table>>;
}

/** As it is: what is no text, and words that we have chosen ourselves. The type first, as in `plain<Role>()('role')`. */
export const plain =
  <Value>() =>
  <Name extends string>(name: Name): Column<Name, Value, Value> => ({
    name,
    write: (value) => value,
    read: (cell) => cell,
  });

export const number = plain<number>();
export const numberOrNull = plain<number | null>();

export function text<Name extends string>(name: Name): Column<Name, string, string> {
  return { name, write: storable, read: (cell) => cell };
}

export function textOrNull<Name extends string>(name: Name): Column<Name, string | null, string | null> {
  return { name, write: storableOrNull, read: (cell) => cell };
}

/** Null in the database, undefined here. */
export function optionalText<Name extends string>(
  name: Name,
): Column<Name, string | null, string | undefined> {
  return { name, write: storableOrNull, read: (cell) => cell ?? undefined };
}

/** SQLite has numbers for them. */
export function flag<Name extends string>(name: Name): Column<Name, boolean | number, boolean> {
  return { name, write: (value) => value, read: Boolean };
}

export const json =
  <Value>() =>
  <Name extends string>(name: Name): Column<Name, string, Value> => ({
    name,
    write: (value) => JSON.stringify(value),
    read: (cell) => JSON.parse(cell) as Value,
  });

export const jsonOrNull =
  <Value>() =>
  <Name extends string>(name: Name): Column<Name, string | null, Value | null> => ({
    name,
    write: (value) => (value === null ? null : JSON.stringify(value)),
    read: (cell) => (cell === null ? null : (JSON.parse(cell) as Value)),
  });

/** An object as JSON. What another program wrote may be none: that is read as an empty one. */
export function jsonRecord<Name extends string>(name: Name): Column<Name, string, JsonRecord> {
  return { name, write: (value) => JSON.stringify(value), read: recordIn };
}

export function recordIn(cell: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(cell);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
