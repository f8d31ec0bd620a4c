import { randomBytes } from 'node:crypto';
import type { Config } from '../config.js';
import { modelIdOf } from '../core/assistants/assistant.js';
import { DEFAULT_ORGANIZATION } from '../core/organizations/config.js';
import type { Organization, Stores, User } from '../core/stores.js';
import { DEMO_QUESTION } from '../organizations/demo-data.js';
import type { Passwords } from '../security/passwords.js';
import { hashToken, newApiKey, prefixOf } from '../security/tokens.js';

/** Credentials that were made just now: shown once, kept nowhere. */
export interface MadeCredentials {
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
}

interface Administrator {
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

export interface StartFacts {
  readonly url: string;
  readonly administrator: Administrator;
  readonly demoAssistantId: number | undefined;
}

/** What a person sees when the service is up, and what to do next. */
export function banner({ url, administrator, demoAssistantId }: StartFacts): string {
  const { user, isFirstStart, made } = administrator;
  if (!isFirstStart) return `\nBellwether is running at ${url}\n\n`;

  const password = made.password ?? 'as set in ADMIN_PASSWORD';
  const key = made.apiKey ?? 'as set in ADMIN_API_KEY';
  return [
    '',
    `Bellwether is running at ${url}`,
    '',
    `  Admin login   ${user.email}`,
    `  Password      ${password}`,
    `  API key       ${key}`,
    '',
    'Keep these: they are not shown again (ADMIN_PASSWORD and ADMIN_API_KEY set new ones).',
    ...(demoAssistantId === undefined
      ? []
      : ['', 'Try it:', '', curl(url, made.apiKey ?? '$ADMIN_API_KEY', demoAssistantId)]),
    '',
    '',
  ].join('\n');
}

function curl(url: string, key: string, assistantId: number): string {
  const body = {
    model: modelIdOf(assistantId),
    stream: true,
    messages: [{ role: 'user', content: DEMO_QUESTION }],
  };
  return [
    `curl -N ${url}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
