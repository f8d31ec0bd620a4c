import type { Knex } from 'knex';
import type { LtiPlatform, Platform11, Platform13, PlatformStore } from '../../../src/core/lti/platform.js';
import type { Timestamp } from '../../../src/core/stores.js';
import {
  cellsOf,
  flag,
  json,
  number,
  plain,
  type RowOf,
  text,
  textOrNull,
  valuesIn,
} from '../../query/columns.js';
import { byId, pageOf } from '../../query/paging.js';
import { orConflict, orConflictWhenUsed } from '../../query/refusals.js';
import { isRowId, now, storable } from '../../query/values.js';

const COMMON = {
  id: number('id'),
  organizationId: number('organization_id'),
  name: text('name'),
  enabled: flag('enabled'),
  lastLaunchAt: plain<Timestamp | null>()('last_launch_at'),
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};
const OF_13 = {
  issuer: text('issuer'),
  clientId: text('client_id'),
  deploymentIds: json<readonly string[]>()('deployment_ids'),
  authLoginUrl: text('auth_login_url'),
  authTokenUrl: text('auth_token_url'),
  keySetUrl: text('key_set_url'),
};
const OF_11 = {
  consumerKey: text('consumer_key'),
  sharedSecret: text('shared_secret'),
  siteUrl: textOrNull('site_url'),
};
const CHANGEABLE = { name: COMMON.name, enabled: COMMON.enabled, ...OF_13, ...OF_11 };

/** Of each kind's own columns, the other kind's are null. */
type PlatformRow = RowOf<typeof COMMON> &
  (({ readonly kind: '1.3' } & RowOf<typeof OF_13>) | ({ readonly kind: '1.1' } & RowOf<typeof OF_11>));

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
        ...cellsOf(CHANGEABLE, platform),
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
        .update({ ...cellsOf(CHANGEABLE, change), updated_at: now() }, '*')
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

function toPlatform(row: PlatformRow): LtiPlatform {
  const common = valuesIn(COMMON, row);
  if (row.kind === '1.3') return { ...common, kind: row.kind, ...valuesIn(OF_13, row) };
  const { siteUrl, ...own } = valuesIn(OF_11, row);
  return { ...common, kind: row.kind, ...own, siteUrl: siteUrl ?? undefined };
}
