import type { Config } from '../config.js';
import { DEFAULT_ORGANIZATION } from '../core/organizations/config.js';
import type { Organization, Stores, User } from '../core/stores.js';
import type { Passwords } from '../security/passwords.js';
import { hashToken, newApiKey, prefixOf } from '../security/tokens.js';
import { randomBytes } from 'node:crypto';

/** Credentials that were made just now: shown once, kept nowhere. */
export interface MadeCredentials {
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
}

export interface Administrator {
  readonly user: User;
  readonly isFirstStart: boolean;
  readonly made: MadeCredentials;
}

type PeopleStores = Pick<Stores, 'organizations' | 'users' | 'credentials'> & {
  readonly passwords: Passwords;
};

const ASKER = { name: 'the start' };

/**
 * Makes the first organisation and its administrator. Values set in the environment hold at every start,
 * which is also the way back in when they were lost.
 */
export async function ensureAdministrator(
  admin: Config['admin'],
  stores: PeopleStores,
): Promise<Administrator> {
  const organization = await ensureOrganization(stores);
  const existing = await stores.users.byEmail(admin.email);
  if (existing) {
    await Promise.all([
      keepPassword(existing, admin.password, stores),
      keepKey(existing, admin.apiKey, stores),
    ]);
    return { user: existing, isFirstStart: false, made: { password: undefined, apiKey: undefined } };
  }

  const password = admin.password ?? randomBytes(9).toString('base64url');
  const user = await stores.users.create({
    organizationId: organization.id,
    email: admin.email,
    name: 'Administrator',
    role: 'system_admin',
    passwordHash: await stores.passwords.hash(password, ASKER),
  });
  const apiKey = admin.apiKey ?? newApiKey();
  await keepKey(user, apiKey, stores);
  return {
    user,
    isFirstStart: true,
    made: { password: admin.password ? undefined : password, apiKey: admin.apiKey ? undefined : apiKey },
  };
}

async function ensureOrganization({ organizations }: PeopleStores): Promise<Organization> {
  const slug = DEFAULT_ORGANIZATION;
  return (
    (await organizations.bySlug(slug)) ??
    (await organizations.create({ slug, name: 'Default', isSystem: true }))
  );
}

async function keepPassword(
  user: User,
  password: string | undefined,
  { users, passwords }: PeopleStores,
): Promise<void> {
  if (password === undefined) return;
  if (user.passwordHash && (await passwords.matches(password, user.passwordHash, ASKER))) return;
  await users.setPassword(user.id, await passwords.hash(password, ASKER));
}

async function keepKey(user: User, key: string | undefined, { credentials }: PeopleStores): Promise<void> {
  if (key === undefined) return;
  const hash = hashToken(key);
  if (await credentials.callerOf(hash, new Date().toISOString())) return;
  const facts = { name: 'Administrator', prefix: prefixOf(key), trustedProxy: false, expiresAt: null };
  await credentials.addKey({ userId: user.id, hash, ...facts });
}
