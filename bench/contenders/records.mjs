import { setImmediate, setTimeout } from 'node:timers';
import sqlite3 from 'sqlite3';

/** As the service gathers what ends together. */
const GATHERING_MS = 10;

/**
 * A file with as much in it for each chat as the service's own: a row for the run, one for each of its steps and one for each
 * call of the model, with as many columns and indexes, in one statement, on disk when it is said to be. Chats that end
 * together are written together.
 */
export async function openRecords(file) {
  const db = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  await new Promise((resolve, reject) => db.exec(SCHEMA, (error) => (error ? reject(error) : resolve())));
  const looking = db.prepare('SELECT is_active FROM people WHERE id = ?');
  const writing = db.prepare(WRITING);

  let waiting = [];
  let isBusy = false;
  function flush() {
    const group = waiting;
    waiting = [];
    isBusy = group.length > 0;
    if (!isBusy) return;
    writing.run(JSON.stringify(group.map(({ record }) => record)), (error) => {
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
    /** The columns of the run; as two more the columns of its steps, and of its calls of the model. */
    record: (record) =>
      new Promise((resolve, reject) => {
        waiting.push({ record, resolve, reject });
        if (!isBusy) setImmediate(flush);
        isBusy = true;
      }),
  };
}

const columns = (count, of = '') => Array.from({ length: count }, (_, i) => `${of}c${i}`).join(', ');
const told = (count) => Array.from({ length: count }, (_, i) => `json_extract(value, '$[${i}]')`).join(', ');

/** The columns that are told; the others, d and so on, are what they are when nothing special has happened. */
const RUN = 14;
const STEP = 10;
const CALL = 8;

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE people (id INTEGER PRIMARY KEY, is_active INTEGER);
  INSERT INTO people VALUES (1, 1);
  CREATE TABLE runs (${columns(RUN)}, d0, d1, d2, d3, d4, d5, PRIMARY KEY (c0));
  CREATE INDEX runs_by_at ON runs (c1);
  CREATE INDEX runs_by_person ON runs (c2, c1);
  CREATE INDEX runs_by_assistant ON runs (c3, c1);
  CREATE INDEX runs_by_organization ON runs (c4, c1);
  CREATE TABLE steps (run, position, ${columns(STEP)}, d0, d1, d2, PRIMARY KEY (run, position));
  CREATE TABLE ledger (id INTEGER PRIMARY KEY, run, at, ${columns(CALL)});
  CREATE INDEX ledger_by_at ON ledger (at);
  CREATE INDEX ledger_by_person ON ledger (c0, at);
  CREATE INDEX ledger_by_run ON ledger (run);
  CREATE TEMP VIEW recorded AS
    SELECT ${Array.from({ length: RUN }, (_, i) => `NULL AS c${i}`).join(', ')}, NULL AS steps, NULL AS calls;
  CREATE TEMP TRIGGER write_recorded INSTEAD OF INSERT ON recorded BEGIN
    INSERT INTO runs (${columns(RUN)}) VALUES (${columns(RUN, 'NEW.')});
    INSERT INTO steps (run, position, ${columns(STEP)})
      SELECT NEW.c0, key, ${told(STEP)} FROM jsonb_each(NEW.steps);
    INSERT INTO ledger (run, at, ${columns(CALL)})
      SELECT NEW.c0, NEW.c1, ${told(CALL)} FROM jsonb_each(NEW.calls);
  END;`;

const WRITING = `
  INSERT INTO recorded
    SELECT ${told(RUN)}, jsonb_extract(value, '$[${RUN}]'), jsonb_extract(value, '$[${RUN + 1}]') FROM jsonb_each(jsonb(?))`;
