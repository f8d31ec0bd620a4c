import { setImmediate, setTimeout } from 'node:timers';
import sqlite3 from 'sqlite3';

/** As the service gathers what ends together. */
const GATHERING_MS = 10;

/**
 * A file with as much in it for each chat as the service's own: three rows of 46 columns, twelve entries in its trees, one
 * statement, on disk when it is said to be. Chats that end together are written together.
 */
export async function openRecords(file) {
  const db = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise((resolve, reject) => db.exec(SCHEMA, (error) => (error ? reject(error) : resolve())));
  const looking = db.prepare('SELECT is_active FROM people WHERE id = ?');
  const writing = db.prepare('INSERT INTO recorded SELECT value FROM json_each(?)');

  let waiting = [];
  let isBusy = false;
  function flush() {
    const group = waiting;
    waiting = [];
    isBusy = group.length > 0;
    if (!isBusy) return;
    writing.run(JSON.stringify(group.map(({ rows }) => rows)), (error) => {
      for (const { resolve, reject } of group) error ? reject(error) : resolve();
      if (group.length > 1) setTimeout(flush, GATHERING_MS);
      else flush();
    });
  }

  /** Whoever looks in the same turn of the event loop sees the same. */
  let shared;
  function lookNow(id) {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        shared = undefined;
        looking.get(id, (error, row) => (error ? reject(error) : resolve(row?.is_active === 1)));
      });
    });
  }

  return {
    look: (id) => (shared ??= lookNow(id)),
    record: (rows) =>
      new Promise((resolve, reject) => {
        waiting.push({ rows, resolve, reject });
        if (!isBusy) setImmediate(flush);
        isBusy = true;
      }),
  };
}

const columns = (count) => Array.from({ length: count }, (_, i) => `c${i}`).join(', ');
const values = (count) => Array.from({ length: count }, (_, i) => (i % 2 ? `'some text'` : i)).join(', ');

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE people (id INTEGER PRIMARY KEY, is_active INTEGER);
  INSERT INTO people VALUES (1, 1);
  CREATE TABLE runs (id TEXT PRIMARY KEY, at TEXT, ${columns(18)});
  CREATE INDEX runs_by_at ON runs (at);
  CREATE INDEX runs_by_person ON runs (c0, at);
  CREATE INDEX runs_by_assistant ON runs (c2, at);
  CREATE INDEX runs_by_organization ON runs (c4, at);
  CREATE TABLE steps (run TEXT, position INTEGER, ${columns(13)}, PRIMARY KEY (run, position));
  CREATE TABLE ledger (id INTEGER PRIMARY KEY, run TEXT, at TEXT, tokens INTEGER, ${columns(7)});
  CREATE INDEX ledger_by_at ON ledger (at);
  CREATE INDEX ledger_by_person ON ledger (c0, at);
  CREATE INDEX ledger_by_run ON ledger (run);
  CREATE TEMP VIEW recorded AS SELECT NULL AS value;
  CREATE TEMP TRIGGER write_recorded INSTEAD OF INSERT ON recorded BEGIN
    INSERT INTO runs VALUES (NEW.value ->> 'id', NEW.value ->> 'at', ${values(18)});
    INSERT INTO steps VALUES (NEW.value ->> 'id', 0, ${values(13)});
    INSERT INTO ledger (run, at, tokens, ${columns(7)})
      VALUES (NEW.value ->> 'id', NEW.value ->> 'at', NEW.value ->> '$.usage.total_tokens', ${values(7)});
  END;`;
