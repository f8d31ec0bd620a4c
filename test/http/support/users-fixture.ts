import { randomBytes, randomUUID, scryptSync } from 'node:crypto';
import type { AuditEntry } from '../../../src/core/access/audit.js';
import type { Role } from '../../../src/core/access/caller.js';
import type { PublishScope } from '../../../src/core/assistants/assistant.js';
import type { JsonRecord } from '../../../src/core/base/json.js';
import type { Stores } from '../../../src/core/stores.js';
import { hashToken, newApiKey, newSessionToken, prefixOf } from '../../../src/security/tokens.js';
import type { Service } from '../../support/service.js';
import { inDatabase } from './database-beside.js';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly organizationId: number;
  /** A bearer key of theirs. */
  readonly key: string;
}

export interface PersonFacts {
  /** A new one unless given. */
  readonly organizationId?: number;
  readonly role?: Role;
  readonly password?: string;
  /** What their new organisation has set up; without one it has nothing but the demo. */
  readonly config?: JsonRecord;
}

type Data = Pick<Service, 'dataDir'>;

/** An organisation's configuration that has its assistants speak to this model server. */
export const speakingTo = ({ url }: { readonly url: string }, provider: object = {}): JsonRecord => ({
  setups: { default: { providers: { openai: { base_url: `${url}/v1`, ...provider } } } },
});

export const LONG_AGO = '2020-01-01T00:00:00.000Z';

export { inDatabase };

/** Somebody no other test knows, with a key: a creator in an organisation of their own unless told otherwise. */
export async function aPerson(service: Data, facts: PersonFacts = {}): Promise<Person> {
  const { role = 'creator', password } = facts;
  const passwordHash = password === undefined ? null : quickHash(password);
  return inDatabase(service, async (stores) => {
    const organizationId = facts.organizationId ?? (await anOrganization(stores, facts.config));
    const email = `${randomUUID()}@example.test`;
    const { id } = await stores.users.create({ organizationId, email, name: 'Ada', role, passwordHash });
    return { id, email, organizationId, key: await keyFor(stores, id, null) };
  });
}

/** A hash says itself what it costs to check: this one nearly nothing, where the service's own take a tenth of a second. */
function quickHash(password: string): string {
  const [cost, salt] = [{ N: 2, r: 8, p: 1 }, randomBytes(16)];
  const key = scryptSync(password, salt, 32, cost);
  return ['scrypt', ...Object.values(cost), salt.toString('base64'), key.toString('base64')].join('$');
}

export const aColleagueOf = (
  service: Data,
  { organizationId }: Person,
  role: Role = 'creator',
): Promise<Person> => aPerson(service, { organizationId, role });

export const anExpiredKeyOf = (service: Data, { id }: Person): Promise<string> =>
  inDatabase(service, (stores) => keyFor(stores, id, LONG_AGO));

export async function anExpiredSessionOf(service: Data, { id }: Person): Promise<string> {
  const token = newSessionToken();
  const session = { userId: id, hash: hashToken(token), expiresAt: LONG_AGO };
  await inDatabase(service, (stores) => stores.credentials.addSession(session));
  return token;
}

export async function aSessionOf(service: Data, { id }: Pick<Person, 'id'>): Promise<string> {
  const token = newSessionToken();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await inDatabase(service, ({ credentials }) =>
    credentials.addSession({ userId: id, hash: hashToken(token), expiresAt }),
  );
  return token;
}

export const disable = (service: Data, { id }: Person): Promise<void> =>
  inDatabase(service, async (_stores, db) => {
    await db('users').where({ id }).update({ enabled: false });
  });

export const shareWith = (service: Data, assistantId: number, { id }: Person): Promise<void> =>
  inDatabase(service, ({ assistants }) => assistants.share(assistantId, id, id));

/** Gives an assistant tools past every check, as an older version did, or what they point at has gone since. */
export const putTools = (service: Data, id: number, tools: readonly object[]): Promise<void> =>
  inDatabase(service, async (_stores, db) => {
    const { metadata } = await db('assistants').where({ id }).first<{ metadata: string }>('metadata');
    const changed = { ...(JSON.parse(metadata) as object), tools };
    await db('assistants')
      .where({ id })
      .update({ metadata: JSON.stringify(changed) });
  });

export const publish = (service: Data, assistantId: number, scope: PublishScope, by: Person): Promise<void> =>
  inDatabase(service, async ({ assistants }) => {
    await assistants.setPublished(assistantId, true, scope, by.id);
  });

export type AuditRow = Pick<AuditEntry, 'action' | 'resource' | 'outcome' | 'reason'> & {
  readonly user_id: number;
  readonly organization_id: number;
  readonly run_id: string | null;
};

/** What the audit holds about what this person did or was kept from doing. */
export const auditOf = (service: Data, { id }: Person): Promise<AuditRow[]> =>
  inDatabase(service, (_stores, db) =>
    db('audit').where('user_id', id).orderBy('id').select<AuditRow[]>('*'),
  );

async function anOrganization({ organizations }: Stores, config: JsonRecord = {}): Promise<number> {
  const { id } = await organizations.create({ slug: randomUUID(), name: 'School', isSystem: false, config });
  return id;
}

async function keyFor({ credentials }: Stores, userId: number, expiresAt: string | null): Promise<string> {
  const key = newApiKey();
  const facts = { name: 'test', prefix: prefixOf(key), hash: hashToken(key), trustedProxy: false };
  await credentials.addKey({ userId, expiresAt, ...facts });
  return key;
}
