import { uniqueName } from '../../support/fakes/fakes.js';
import type { Row, Things } from './access-rows.js';
import { inDatabase } from './users-fixture.js';

const anAddress = () => `${uniqueName('invited')}@example.test`;

async function anOpenInvitation({ world, owner }: Things): Promise<string> {
  const body = { email: anAddress(), organization_id: owner.organizationId };
  await world.service.request('/lamb/v1/invitations', { method: 'POST', body });
  const row = await inDatabase(world.service, (_stores, db) =>
    db('invitations').where('email', body.email).first<{ id: number }>('id'),
  );
  return `/lamb/v1/invitations/${String(row.id)}`;
}

function aList(): FormData {
  const form = new FormData();
  form.append('file', new Blob([`email,name,role\n${anAddress()},Ada,creator\n`]), 'people.csv');
  return form;
}

/** Of accounts: one's own password, and whom administrators invite. */
export const PEOPLE_ROWS: Readonly<Record<string, Row>> = {
  // With a key nobody changes a password: that is for whoever has signed in.
  'POST /lamb/v1/me/password': {
    body: () => ({ current_password: 'the old one', new_password: 'the new one' }),
    expected: [403, 403, 403, 403, 403],
  },
  'GET /lamb/v1/invitations': { expected: [403, 403, 403, 200, 200] },
  'POST /lamb/v1/invitations': {
    body: ({ owner }) => ({ email: anAddress(), organization_id: owner.organizationId }),
    expected: [403, 403, 403, 201, 201],
  },
  'DELETE /lamb/v1/invitations/:id': { path: anOpenInvitation, expected: [403, 403, 403, 204, 204] },
  'POST /lamb/v1/users/import': {
    path: () => '/lamb/v1/users/import',
    body: aList,
    expected: [403, 403, 403, 200, 200],
  },
};
