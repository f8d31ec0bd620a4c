import { expect } from 'chai';
import type { Knex } from 'knex';
import { type Session, whileLocked } from '../../../db/query/session.js';
import { describeOnPostgres } from '../../support/databases.js';

const LOCK = 4_711;

describeOnPostgres('work that one process may be at', (open) => {
  let db: Knex;
  let stopping: AbortController;
  beforeEach(async () => {
    db = await open();
    stopping = new AbortController();
  });
  const locked = <T>(work: (session: Session) => Promise<T>) =>
    whileLocked(db, { lock: LOCK, signal: stopping.signal, work });
  const whoIs = (session: Session) => session.rows<{ pid: number }>('SELECT pg_backend_pid() AS pid');

  it('is done by one at a time, all of it by one connection, and then by the next', async () => {
    const outcome = await locked(async (session) => {
      const [{ pid } = { pid: 0 }] = await whoIs(session);
      const inside = await session.transaction((trx) =>
        trx.raw<{ rows: unknown[] }>('SELECT pg_backend_pid() AS pid'),
      );
      return { second: await locked(whoIs), same: [{ pid }], inside: inside.rows };
    });

    expect(outcome?.second).to.equal(undefined);
    expect(outcome?.inside).to.deep.equal(outcome?.same);
    expect(await locked(whoIs)).to.have.length(1);
  });

  it('is ended by its signal in the middle of a statement, and its connection serves on', async () => {
    const ended = locked((session) => session.rows('SELECT pg_sleep(600)'));
    await until(async () => (await sleepers(db)) === 1);

    stopping.abort();

    expect(await ended).to.equal(undefined);
    expect(await sleepers(db)).to.equal(0);
    expect(await locked(whoIs)).to.have.length(1);
  });

  it('tells what it failed of', async () => {
    const fault: unknown = await locked((session) => session.rows('SELECT nothing')).catch(
      (it: unknown) => it,
    );

    expect(fault).to.have.property('code', '42703');
    expect(await locked(whoIs)).to.have.length(1);
  });
});

async function sleepers(db: Knex): Promise<number> {
  const asleep = await db('pg_stat_activity')
    .whereRaw("datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep(600)%'")
    .select('pid');
  return asleep.length;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) if (Date.now() > deadline) throw new Error('It did not come to that.');
}
