import { buffer } from 'node:stream/consumers';
import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Stores } from '../../core/stores.js';
import type { CheckedPerson } from './check-people.js';
import type * as wire from '../contract/people/invitations.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import type { OwnAddress } from '../middleware/own-address.js';
import { callerOf } from '../middleware/request-facts.js';
import { anInvitation } from './invitations.js';

export const ImportQuery = z.object({
  dry_run: z.enum(['true', 'false']).default('false'),
  organization_id: z.coerce.number().int().positive().optional(),
});

/** Five thousand lines with the longest names and addresses that people have. */
const LIMIT = { bytes: 2 * 1024 * 1024, setting: 'a list of people' };

type Deps = Pick<Stores, 'audit' | 'invitations' | 'organizations' | 'users'> & {
  readonly address: OwnAddress;
};

/** Many people at once, out of a file: all lines are checked, then all that can be invited are, in one go. */
export function peopleImport({ address, audit, invitations, organizations, users }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });

  return Router().post('/lamb/v1/users/import', async (req, res) => {
    const caller = callerOf(res);
    const deed = { caller, action: 'import people' };
    await office.mustAdminister(deed);
    const { dry_run, organization_id } = parseWith(ImportQuery, req.query, 'The query');
    const { id: organizationId } = await office.organization(organization_id ?? caller.organizationId, deed);
    // Loaded by whoever imports: no start waits for what reads forms and tables.
    const [{ receiveForm }, { readPeople }, { checkPeople }] = await Promise.all([
      import('../middleware/upload.js'),
      import('./read-people.js'),
      import('./check-people.js'),
    ]);
    const { files } = await receiveForm(req, res, {
      ...{ limit: LIMIT, mostFiles: 1, wanted: 'one file in the field "file"' },
      ...{ take: buffer, undo: () => Promise.resolve() },
    });
    const people = readPeople(files[0].taken);
    const checked = checkPeople(people, {
      known: await users.emailsIn(organizationId, new Set(people.map(({ email }) => email))),
      mayGive: (role) => role !== 'system_admin' || caller.role === 'system_admin',
    });
    const isDry = dry_run === 'true';
    const made: Invited = isDry
      ? new Map()
      : invited(checked, ({ email, name, given: role }) =>
          anInvitation({ organizationId, email, name, role, createdBy: caller.userId }, { address, req }),
        );
    if (made.size > 0) {
      await invitations.create([...made.values()].map(({ invitation }) => invitation));
      const reason = `invited ${String(made.size)}`;
      const resource = `organisation ${String(organizationId)}`;
      await audit.record(deedOf(caller, { action: deed.action, resource, reason }));
    }
    res.set('Cache-Control', 'no-store').json(reportOf(checked, made, isDry));
  });
}

type MadeInvitation = ReturnType<typeof anInvitation>;
/** By the line that they stand in. */
type Invited = ReadonlyMap<number, MadeInvitation>;
type NewPerson = Extract<CheckedPerson, { readonly status: 'new' }>;

function invited(people: readonly CheckedPerson[], invite: (person: NewPerson) => MadeInvitation): Invited {
  return new Map(
    people.flatMap((person) => (person.status === 'new' ? [[person.line, invite(person)] as const] : [])),
  );
}

function reportOf(people: readonly CheckedPerson[], made: Invited, isDry: boolean): wire.ImportReport {
  const rows = people.map((person) => showRow(person, made.get(person.line)?.url));
  const count = (status: wire.ImportedRow['status']) => rows.filter((row) => row.status === status).length;
  return {
    ...{ dry_run: isDry, created: count('created'), exists: count('exists'), refused: count('refused') },
    expires_at: [...made.values()][0]?.invitation.expiresAt ?? null,
    rows,
  };
}

function showRow(person: CheckedPerson, url: string | undefined): wire.ImportedRow {
  const { line, email, name, status } = person;
  return {
    ...{ line, email, name, status: status === 'new' ? 'created' : status },
    ...(person.status === 'refused' ? { reason: person.reason, message: person.message } : {}),
    ...(url === undefined ? {} : { url }),
  };
}
