import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import { atTheEnd } from '../../support/at-the-end.js';
import type { Launched } from '../../support/lti-platform/launching.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { type Service, startService } from '../../support/service.js';

/** A service and the platform that launches into it, with what the service has written down. */
export interface Door {
  readonly service: Service;
  readonly platform: LtiPlatform;
  readonly tool: OurTool;
  readonly db: Knex;
}

let door: Promise<Door> | undefined;

/** Started with the first suite that asks, stopped after the last one. */
export function theDoor(): Promise<Door> {
  if (!door) {
    const made = openDoor();
    atTheEnd(async () => closeDoor(await made));
    door = made;
  }
  return door;
}

export async function openDoor(): Promise<Door> {
  const [service, platform] = await Promise.all([startService({ RATE_LIMIT: '0' }), startLtiPlatform()]);
  const db = await openDb({ kind: 'sqlite', file: join(service.dataDir, 'bellwether.db') });
  return { service, platform, db, tool: await platform.addTool(service) };
}

export async function closeDoor({ service, platform, db }: Door): Promise<void> {
  await db.destroy();
  await Promise.all([service.stop(), platform.stop()]);
}

const TABLES = ['users', 'lti_people', 'lti_sessions', 'lti_activities', 'lti_participants'] as const;

export async function rowsOf({ db }: Pick<Door, 'db'>): Promise<Readonly<Record<string, number>>> {
  const counts = await Promise.all(
    TABLES.map(async (table) => {
      const [{ count }] = (await db(table).count({ count: '*' })) as [{ count: number }];
      return [table, count] as const;
    }),
  );
  return Object.fromEntries(counts);
}

export interface AuditRow {
  readonly user_id: number | null;
  readonly organization_id: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: string;
  readonly reason: string;
}

/** Of launches, oldest first. */
export function auditOf({ db }: Pick<Door, 'db'>): Promise<AuditRow[]> {
  return db('audit').where('action', 'like', 'LTI %').orderBy('id');
}

export type Answered = Pick<Launched, 'status' | 'body' | 'headers'>;

/** Turned away with 4xx: nobody is there who was not there before, and one line says why. */
export async function expectRefused<Answer extends Answered>(
  at: Door,
  coming: () => Promise<Answer>,
  { reason, status = 403 }: { readonly reason?: string | RegExp; readonly status?: number } = {},
): Promise<Answer> {
  const [rows, audit] = [await rowsOf(at), await auditOf(at)];
  const answer = await coming();

  expect(answer.status, answer.body).to.equal(status);
  expect(answer.headers.get('location')).to.equal(null);
  expect(await rowsOf(at)).to.deep.equal(rows);
  const added = (await auditOf(at)).slice(audit.length);
  expect(added.map(({ outcome, user_id: user }) => [outcome, user])).to.deep.equal([['denied', null]]);
  if (reason !== undefined) expect(added[0]!.reason).to.match(new RegExp(reason));
  return answer;
}
