import type { Knex } from 'knex';
import type {
  AgreedGrant,
  OAuthGrant,
  OAuthGrantStore,
  TokenFamily,
  TokenRound,
} from '../../../src/core/access/oauth-grant.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { cellsOf, number, plain, type RowOf, text, valuesIn } from '../../query/columns.js';
import { byId, pageOf } from '../../query/paging.js';
import { isRowId, now as at } from '../../query/values.js';

const AGREED = {
  userId: number('user_id'),
  clientHash: text('client_hash'),
  clientName: text('client_name'),
  redirectUri: text('redirect_uri'),
  resource: text('resource'),
  codeHash: text('code_hash'),
  codeChallenge: text('code_challenge'),
  expiresAt: text('expires_at'),
};
const TOKENS = {
  accessHash: text('access_hash'),
  accessExpiresAt: text('access_expires_at'),
  expiresAt: text('expires_at'),
};
const FAMILY = {
  id: number('id'),
  userId: number('user_id'),
  clientHash: text('client_hash'),
  resource: text('resource'),
  round: number('round'),
  refreshedAt: plain<Timestamp>()('refreshed_at'),
  expiresAt: text('expires_at'),
};
const LISTED = {
  id: number('id'),
  userId: number('user_id'),
  clientName: text('client_name'),
  redirectUri: text('redirect_uri'),
  createdAt: text('created_at'),
  refreshedAt: plain<Timestamp>()('refreshed_at'),
  expiresAt: text('expires_at'),
};

export function createOAuthGrantStore(db: Knex): OAuthGrantStore {
  const grants = () => db('oauth_grants');
  const made = (tokens: TokenRound) => ({ ...cellsOf(TOKENS, tokens), refreshed_at: at() });

  return {
    async agree(grant) {
      const row = { ...cellsOf(AGREED, grant), created_at: at() };
      const [{ id }] = (await grants().insert(row, 'id')) as [{ readonly id: number }];
      return id;
    },

    async trade(codeHash, familyHash, now) {
      const [row] = (await grants()
        .where('code_hash', codeHash)
        .whereNull('family_hash')
        .where('expires_at', '>', now)
        .update({ family_hash: familyHash }, '*')) as (RowOf<typeof AGREED> & { readonly id: number })[];
      if (row) return { id: row.id, ...(valuesIn(AGREED, row) satisfies AgreedGrant) };
      const before = (await grants().where('code_hash', codeHash).whereNotNull('family_hash').first()) as
        { readonly id: number; readonly user_id: number } | undefined;
      return before && { usedBefore: { id: before.id, userId: before.user_id } };
    },

    async begin(id, tokens) {
      await grants().where({ id }).update(made(tokens));
    },

    async family(familyHash) {
      const row = (await grants().where('family_hash', familyHash).whereNotNull('access_hash').first()) as
        RowOf<typeof FAMILY> | undefined;
      return row && (valuesIn(FAMILY, row) satisfies TokenFamily);
    },

    async refresh(id, round, tokens) {
      const next = { ...made(tokens), round: round + 1 };
      return (await grants().where({ id, round }).update(next)) > 0;
    },

    async holding(accessHash) {
      const row = (await grants().where('access_hash', accessHash).first()) as
        RowOf<typeof FAMILY> | undefined;
      return row && valuesIn(FAMILY, row);
    },

    async list(userId, page) {
      const theirs = grants().where('user_id', userId).whereNotNull('access_hash').select('*');
      const { data, nextCursor } = await pageOf(theirs, byId<RowOf<typeof LISTED>>('id'), page);
      return { data: data.map((row): OAuthGrant => valuesIn(LISTED, row)), nextCursor };
    },

    async end(userId, id) {
      if (!isRowId(id)) return false;
      return (await grants().where({ id, user_id: userId }).del()) > 0;
    },

    sweep: (now) => grants().where('expires_at', '<=', now).del(),
  };
}
