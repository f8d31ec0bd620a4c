import type { Knex } from 'knex';
import type {
  LtiPlatform,
  Platform11,
  Platform13,
  PlatformChange,
  PlatformStore,
} from '../../../src/core/lti/platform.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { byId, pageOf } from '../../query/paging.js';
import { orConflict, orConflictWhenUsed } from '../../query/unique-violation.js';
import { isRowId, now, storable, storableOrNull } from '../../query/values.js';

interface PlatformRow {
  readonly id: number;
  readonly organization_id: number;
  readonly kind: LtiPlatform['kind'];
  readonly name: string;
  readonly enabled: boolean | number;
  readonly issuer: string | null;
  readonly client_id: string | null;
  /** JSON. */
  readonly deployment_ids: string | null;
  readonly auth_login_url: string | null;
  readonly auth_token_url: string | null;
  readonly key_set_url: string | null;
  readonly consumer_key: string | null;
  readonly shared_secret: string | null;
  readonly site_url: string | null;
  readonly last_launch_at: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

const TAKEN = 'A platform with this issuer and client id, or this consumer key, is registered already.';
const IN_USE =
  'People have come from this platform. Switch it off instead, so that what they did stays theirs.';

/** Not with every launch: what is remembered of platforms is forgotten with every change. */
const LATELY_MS = 60_000;

export function createPlatformStore(db: Knex): PlatformStore {
  return {
    async create(organizationId, platform) {
      const at = now();
      const row = {
        organization_id: organizationId,
        kind: platform.kind,
        ...columnsOf(platform),
        created_at: at,
        updated_at: at,
      };
      const [made] = (await db('lti_platforms').insert(row, '*').catch(orConflict(TAKEN))) as [PlatformRow];
      return toPlatform(made);
    },

    async get(id) {
      if (!isRowId(id)) return undefined;
      const row = await db<PlatformRow>('lti_platforms').where('id', id).first();
      return row && toPlatform(row);
    },

    async ofIssuer(issuer) {
      const rows = await db<PlatformRow>('lti_platforms').where('issuer', storable(issuer)).orderBy('id');
      return rows.map(toPlatform) as (LtiPlatform & Platform13)[];
    },

    async ofConsumerKey(consumerKey) {
      const rows = await db<PlatformRow>('lti_platforms')
        .where('consumer_key', storable(consumerKey))
        .orderBy('id');
      return rows.map(toPlatform) as (LtiPlatform & Platform11)[];
    },

    async enabled() {
      const rows = await db<PlatformRow>('lti_platforms').where('enabled', true).orderBy('id');
      return rows.map(toPlatform);
    },

    async countWaiting() {
      const waiting = db('lti_platforms').where('enabled', false).whereNull('last_launch_at');
      const [{ count }] = (await waiting.count({ count: '*' })) as [{ readonly count: number | string }];
      return Number(count);
    },

    async launched(id) {
      const at = now();
      const lately = new Date(Date.parse(at) - LATELY_MS).toISOString();
      await db('lti_platforms')
        .where('id', id)
        .where((before) => {
          void before.whereNull('last_launch_at').orWhere('last_launch_at', '<', lately);
        })
        .update({ last_launch_at: at });
    },

    async list({ organizationId }, page) {
      const found = db('lti_platforms').select('*');
      if (organizationId !== undefined) found.where('organization_id', organizationId);
      const { data, nextCursor } = await pageOf(found, byId<PlatformRow>('id'), page);
      return { data: data.map(toPlatform), nextCursor };
    },

    async update(id, change) {
      if (!isRowId(id)) return undefined;
      const [changed] = (await db('lti_platforms')
        .where('id', id)
        .update({ ...columnsOf(change), updated_at: now() }, '*')
        .catch(orConflict(TAKEN))) as PlatformRow[];
      return changed && toPlatform(changed);
    },

    async delete(id) {
      if (!isRowId(id)) return false;
      const forget = db('lti_platforms').where('id', id).del();
      return (await forget.catch(orConflictWhenUsed(IN_USE))) > 0;
    },
  };
}

/** Of what is given alone. */
function columnsOf(platform: PlatformChange): Readonly<Record<string, string | boolean | null>> {
  const texts = {
    name: platform.name,
    issuer: platform.issuer,
    client_id: platform.clientId,
    deployment_ids: platform.deploymentIds && JSON.stringify(platform.deploymentIds),
    auth_login_url: platform.authLoginUrl,
    auth_token_url: platform.authTokenUrl,
    key_set_url: platform.keySetUrl,
    consumer_key: platform.consumerKey,
    shared_secret: platform.sharedSecret,
    site_url: platform.siteUrl,
  };
  return {
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([column, text]) =>
        text === undefined ? [] : [[column, storableOrNull(text)]],
      ),
    ),
    ...(platform.enabled === undefined ? {} : { enabled: platform.enabled }),
  };
}

function toPlatform(row: PlatformRow): LtiPlatform {
  const facts = {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    enabled: Boolean(row.enabled),
    lastLaunchAt: row.last_launch_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (row.kind === '1.1') {
    return {
      ...facts,
      kind: '1.1',
      consumerKey: row.consumer_key ?? '',
      sharedSecret: row.shared_secret ?? '',
      siteUrl: row.site_url ?? undefined,
    };
  }
  return {
    ...facts,
    kind: '1.3',
    issuer: row.issuer ?? '',
    clientId: row.client_id ?? '',
    deploymentIds: JSON.parse(row.deployment_ids ?? '[]') as string[],
    authLoginUrl: row.auth_login_url ?? '',
    authTokenUrl: row.auth_token_url ?? '',
    keySetUrl: row.key_set_url ?? '',
  };
}
