import type { Knex } from 'knex';
import type { Client as PostgresConnection } from 'pg';
import type { Database as SqliteConnection, Statement } from 'sqlite3';
import { orAway } from '../engines/postgres-away.js';
import { storable } from './values.js';

export interface StatementText {
  /** One name for one text: PostgreSQL keeps the prepared statement under it. */
  readonly name: string;
  readonly sqlite: string;
  /** Run once on a connection of SQLite before the first use: temporary views and triggers. */
  readonly sqliteSetUp?: string;
  readonly postgres: string;
}

export type Binding = string | number | null;

/** Resolves with the rows, once whatever it changes is committed. */
export type PreparedStatement = (...bindings: readonly Binding[]) => Promise<readonly unknown[]>;

/** What knex has but its types do not tell. */
interface Client<Connection> {
  readonly dialect: string;
  readonly pool: {
    on(event: 'destroyRequest', hear: (eventId: number, connection: Connection) => void): void;
  };
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  emit(event: 'query', query: { readonly sql: string; readonly bindings: readonly Binding[] }): void;
}

/**
 * A statement past the query builder, for what happens at every chat: to build, compile and prepare it each time costs
 * far more than to run it. It has a connection of knex's pool to itself, so it is never part of somebody's transaction.
 */
export function prepareStatement(db: Knex, text: StatementText): PreparedStatement {
  return (db.client as Client<unknown>).dialect === 'sqlite3'
    ? prepareForSqlite(db.client as Client<SqliteConnection>, text)
    : prepareForPostgres(db.client as Client<PostgresConnection>, text);
}

function prepareForPostgres(
  client: Client<PostgresConnection>,
  { name, postgres: text }: StatementText,
): PreparedStatement {
  return (...bindings) =>
    withConnection(client, { sql: text, bindings }, async (connection) => {
      const { rows } = await connection.query<object>({ name, text, values: [...bindings] }).catch(orAway);
      return rows;
    });
}

function prepareForSqlite(
  client: Client<SqliteConnection>,
  { sqlite: sql, sqliteSetUp = '' }: StatementText,
): PreparedStatement {
  const prepared = new WeakMap<SqliteConnection, Statement>();
  finalizeWith(client, prepared);

  async function prepare(connection: SqliteConnection): Promise<Statement> {
    await finished((done) => connection.exec(sqliteSetUp, done));
    const statement = await new Promise<Statement>((resolve, reject) => {
      const made = connection.prepare(sql, (error: Error | null) => {
        if (error) reject(error);
        else resolve(made);
      });
    });
    prepared.set(connection, statement);
    return statement;
  }

  return (...bindings) =>
    withConnection(client, { sql, bindings }, async (connection) => {
      const statement = prepared.get(connection) ?? (await prepare(connection));
      return finished<unknown[]>((done) => statement.all(bindings, done));
    });
}

type PreparedOn = WeakMap<SqliteConnection, Statement>;

const preparedOn = new WeakMap<Client<SqliteConnection>, PreparedOn[]>();

/** SQLite does not close a connection that still has a statement. One listener for all that a pool has. */
function finalizeWith(client: Client<SqliteConnection>, prepared: PreparedOn): void {
  const known = preparedOn.get(client);
  if (known) {
    known.push(prepared);
    return;
  }
  const all = [prepared];
  preparedOn.set(client, all);
  client.pool.on('destroyRequest', (_id, connection) => {
    for (const one of all) one.get(connection)?.finalize();
  });
}

type Done<T> = (error: Error | null, result?: T) => void;

function finished<T>(start: (done: Done<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, result) => {
      if (error) reject(error);
      else resolve(result as T);
    });
  });
}

async function withConnection<Connection, T>(
  client: Client<Connection>,
  query: { readonly sql: string; readonly bindings: readonly Binding[] },
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await client.acquireConnection();
  try {
    // Told like knex's own, so that whoever counts statements misses none.
    client.emit('query', query);
    return await work(connection);
  } finally {
    await client.releaseConnection(connection);
  }
}

/** One column of a row that is written as a JSON array: its values stand where it stands among the fields. */
export interface Field<T> {
  readonly column: string;
  readonly type: 'text' | 'integer' | 'bigint' | 'boolean';
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
