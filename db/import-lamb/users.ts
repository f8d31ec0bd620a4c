import type { Role } from '../../src/core/access/caller.js';
import { emailKey } from '../stores/users.js';
import { ofTable, skipped, type Kind, type RowContext } from './kind.js';
import { newIdOf } from './memory.js';
import { organizationHere, systemOrganizationOf } from './organizations.js';
import { flagOf, integerOf, textOf, timeOf, wordsOf, type LambRow } from './values.js';

/** Owns what LAMB has deleted; nobody's account. */
export const OWNER_OF_THE_DELETED = 'deleted_assistant@owi.com';

const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-6])\$[./A-Za-z0-9]{53}$/;

export const users: Kind = {
  name: 'user',
  title: 'users',
  ...ofTable('Creator_users'),
  idOf: (row) => integerOf(row['id'])?.toString(),
  exampleOf: (row) => wordsOf(row['user_email']) ?? `user ${textOf(row['id']) ?? '?'}`,

  async importRow(row, ctx) {
    const email = emailKey(textOf(row['user_email']) ?? '');
    if (email === '') return skipped('it has no e-mail address');
    if (email === OWNER_OF_THE_DELETED) return skipped("it is LAMB's own account for what was deleted");
    const existing = await userByEmail(ctx, email);
    if (existing !== undefined) {
      ctx.remark('was here already: keeps name, role and password');
      return { matched: existing };
    }
    return {
      imported: await insertUser(ctx, {
        email,
        name: wordsOf(row['user_name']) ?? email,
        organization_id: await organizationHere(ctx, row['organization_id']),
        role: await roleHere(row, ctx),
        enabled: await isEnabled(row, ctx),
        password_hash: passwordOf(row, ctx),
        created_at: timeOf(row['created_at']) ?? ctx.at,
        updated_at: timeOf(row['updated_at']) ?? ctx.at,
      }),
    };
  },
};

/** The owner of something that names its owner by e-mail. One without an account gets one nobody can use. */
export async function ownerHere(
  ctx: RowContext,
  owner: unknown,
  organizationId: number,
): Promise<number | undefined> {
  const email = emailKey(textOf(owner) ?? '');
  if (email === '') return undefined;
  const existing = await userByEmail(ctx, email);
  if (existing !== undefined) return existing;
  ctx.remark('its owner has no account in LAMB: a disabled one was made');
  return insertUser(ctx, {
    email,
    name: email,
    organization_id: organizationId,
    role: 'creator',
    enabled: false,
    password_hash: null,
    created_at: ctx.at,
    updated_at: ctx.at,
  });
}

/** Nobody becomes administrator of the whole service by being imported. */
async function roleHere(row: LambRow, ctx: RowContext): Promise<Role> {
  const isLearner = wordsOf(row['user_type'])?.toLowerCase() === 'end_user';
  const organizationId = integerOf(row['organization_id']);
  const isOfSystem = organizationId !== undefined && organizationId === (await systemOrganizationOf(ctx));
  const isAdmin = wordsOf(row['role'])?.toLowerCase() === 'admin';
  // Whoever lands in the default organisation because theirs is unknown must not lead it.
  const isKnown = (await newIdOf(ctx, 'organization', organizationId)) !== undefined;
  const leads = isKnown && (await administers(row, ctx));

  if (isLearner) {
    if (leads || isAdmin) ctx.remark('is a learner and an administrator in LAMB: came over as a student');
    return 'student';
  }
  if (isOfSystem && (isAdmin || leads)) {
    ctx.remark('administered all of LAMB: administers the default organisation here, not the service');
    return 'org_admin';
  }
  if (isAdmin && !leads)
    ctx.remark('is an administrator in LAMB without leading an organisation: came over as a creator');
  return leads ? 'org_admin' : 'creator';
}

/** Owner or admin of the organisation they belong to. A person has one organisation here. */
async function administers(row: LambRow, { source, remark }: RowContext): Promise<boolean> {
  const userId = integerOf(row['id']);
  if (userId === undefined) return false;
  const leading = (await source.where('organization_roles', 'user_id', [userId])).filter((entry) =>
    ['owner', 'admin'].includes(wordsOf(entry['role'])?.toLowerCase() ?? ''),
  );
  const own = leading.filter(
    (entry) => integerOf(entry['organization_id']) === integerOf(row['organization_id']),
  );
  if (own.length < leading.length)
    remark('administers an organisation that is not their own: that was left out');
  return own.length > 0;
}

/** Enabled unless LAMB says otherwise: older versions had no such column. */
async function isEnabled(row: LambRow, { source }: RowContext): Promise<boolean> {
  if (row['enabled'] != null && !flagOf(row['enabled'])) return false;
  const organizationId = integerOf(row['organization_id']);
  if (organizationId === undefined) return true;
  const [organization] = await source.where('organizations', 'id', [organizationId]);
  return wordsOf(organization?.['status'])?.toLowerCase() !== 'suspended';
}

function passwordOf(row: LambRow, { remark }: RowContext): string | null {
  const hash = wordsOf(row['password_hash']);
  if (hash === undefined) return null;
  if (BCRYPT.test(hash)) return hash;
  remark('has a password hash of a kind that is not known: needs a new password');
  return null;
}

async function userByEmail({ trx }: RowContext, email: string): Promise<number | undefined> {
  const found = await trx<{ id: number; email: string }>('users').where({ email }).first('id');
  return found?.id;
}

async function insertUser({ trx }: RowContext, row: object): Promise<number> {
  const [made] = (await trx('users').insert(row, ['id'])) as [{ readonly id: number }];
  return made.id;
}
