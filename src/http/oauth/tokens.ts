import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TokenFamily } from '../../core/access/oauth-grant.js';
import type { Stores } from '../../core/stores.js';
import { newTokenFamily, type OAuthSecrets } from '../../security/oauth-secrets.js';
import { hashToken } from '../../security/tokens.js';
import type { Tokens } from '../contract/oauth.js';
import { faultsOf } from '../middleware/json-body.js';
import { oauthFault } from './faults.js';

export interface TokenDeps extends Pick<Stores, 'oauthGrants' | 'users' | 'audit'> {
  readonly oauthSecrets: OAuthSecrets;
}

const ACCESS_SECONDS = 3_600;
/** Since they were last made anew. */
const REFRESH_DAYS = 30;
/**
 * Who shows the token of the round before so soon has lost an answer, or two of their requests came at once: they get the
 * round that is, once more. Later it is a token that somebody else has used.
 */
const REPEATED_MS = 10_000;

const text = z.string().min(1).max(3_000);
export const Exchange = z.object({
  grant_type: z.literal('authorization_code'),
  client_id: text,
  code: text,
  code_verifier: z.string().regex(/^[A-Za-z0-9._~-]{43,128}$/, 'is no verifier of RFC 7636'),
  redirect_uri: text,
  resource: text.optional(),
});
export const Refresh = z.object({
  grant_type: z.literal('refresh_token'),
  client_id: text,
  refresh_token: text,
  resource: text.optional(),
});
export const Revocation = z.object({ token: text, client_id: text });
const GRANTS = ['authorization_code', 'refresh_token'];

const NO_GRANT =
  'The code or token is not valid, was used before, or has expired. Ask the person to sign in again.';

export function createTokenEndpoint({ oauthGrants, users, audit, oauthSecrets: secrets }: TokenDeps) {
  const mustBeClient = (id: string) => {
    if (!secrets.clientOf(id)) throw oauthFault('invalid_client', 'This client is not registered here.');
  };

  /** A code or token in two hands: whoever has it rightly signs in again, and the other has nothing. */
  const usedTwice = async ({ id, userId }: { readonly id: number; readonly userId: number }) => {
    await oauthGrants.end(userId, id);
    const user = await users.byId(userId);
    await audit.record({
      ...{ userId, organizationId: user?.organizationId ?? null, runId: null },
      ...{ action: 'use connection', resource: `connection ${String(id)}`, outcome: 'denied' },
      reason: 'a code or token was used twice: the program is disconnected',
    });
    return oauthFault('invalid_grant', NO_GRANT);
  };

  const issue = (family: string, round: number, now: number) => {
    const { accessToken, refreshToken } = secrets.tokensOf(family, round);
    const stored = {
      accessHash: hashToken(accessToken),
      accessExpiresAt: new Date(now + ACCESS_SECONDS * 1_000).toISOString(),
      expiresAt: new Date(now + REFRESH_DAYS * 86_400_000).toISOString(),
    };
    const answer: Tokens = {
      ...{ access_token: accessToken, token_type: 'Bearer', expires_in: ACCESS_SECONDS },
      ...{ refresh_token: refreshToken, scope: 'mcp' },
    };
    return { stored, answer };
  };

  async function exchange(asked: z.output<typeof Exchange>): Promise<Tokens> {
    const [family, now] = [newTokenFamily(), Date.now()];
    const grant = await oauthGrants.trade(
      hashToken(asked.code),
      hashToken(family),
      new Date(now).toISOString(),
    );
    if (grant === undefined) throw oauthFault('invalid_grant', NO_GRANT);
    if ('usedBefore' in grant) throw await usedTwice(grant.usedBefore);
    const isTheirs =
      grant.clientHash === hashToken(asked.client_id) &&
      grant.redirectUri === asked.redirect_uri &&
      grant.codeChallenge === challengeOf(asked.code_verifier);
    const isFor = asked.resource === undefined || asked.resource === grant.resource;
    if (!isTheirs || !isFor) {
      await oauthGrants.end(grant.userId, grant.id);
      throw isTheirs
        ? oauthFault('invalid_target', 'The person agreed to another resource.')
        : oauthFault('invalid_grant', NO_GRANT);
    }
    const { stored, answer } = issue(family, 0, now);
    await oauthGrants.begin(grant.id, stored);
    return answer;
  }

  async function refresh(asked: z.output<typeof Refresh>): Promise<Tokens> {
    const shown = secrets.readRefreshToken(asked.refresh_token);
    const grant = shown && (await oauthGrants.family(hashToken(shown.family)));
    if (!shown || !grant || !(await isLive(grant)) || grant.clientHash !== hashToken(asked.client_id)) {
      throw oauthFault('invalid_grant', NO_GRANT);
    }
    if (asked.resource !== undefined && asked.resource !== grant.resource) {
      throw oauthFault('invalid_target', 'The person agreed to another resource.');
    }
    const now = Date.now();
    const { stored, answer } = issue(shown.family, shown.round + 1, now);
    if (await oauthGrants.refresh(grant.id, shown.round, stored)) return answer;
    // Read again: another request may have made this round since.
    const current = await oauthGrants.family(hashToken(shown.family));
    if (!current) throw oauthFault('invalid_grant', NO_GRANT);
    const isRepeated =
      current.round === shown.round + 1 && now - Date.parse(current.refreshedAt) < REPEATED_MS;
    if (!isRepeated) throw await usedTwice(current);
    return answer;
  }

  async function isLive({ userId, expiresAt }: TokenFamily): Promise<boolean> {
    const user = await users.byId(userId);
    return user?.enabled === true && expiresAt > new Date().toISOString();
  }

  return {
    async answer(body: unknown): Promise<Tokens> {
      const kind = z.object({ grant_type: text }).safeParse(body).data?.grant_type;
      if (kind !== undefined && !GRANTS.includes(kind)) {
        throw oauthFault('unsupported_grant_type', `grant_type must be ${GRANTS.join(' or ')}.`);
      }
      const asked = parsed(z.discriminatedUnion('grant_type', [Exchange, Refresh]), body);
      mustBeClient(asked.client_id);
      return asked.grant_type === 'refresh_token' ? refresh(asked) : exchange(asked);
    },

    /** RFC 7009: of either token, and the same answer for one that is none. */
    async revoke(body: unknown): Promise<void> {
      const { token, client_id } = parsed(Revocation, body);
      mustBeClient(client_id);
      const shown = secrets.readRefreshToken(token);
      const grant = await (shown
        ? oauthGrants.family(hashToken(shown.family))
        : oauthGrants.holding(hashToken(token)));
      if (grant?.clientHash !== hashToken(client_id)) return;
      await oauthGrants.end(grant.userId, grant.id);
      const user = await users.byId(grant.userId);
      await audit.record({
        ...{ userId: grant.userId, organizationId: user?.organizationId ?? null, runId: null },
        ...{ action: 'disconnect program', resource: `connection ${String(grant.id)}`, outcome: 'done' },
        reason: 'by the program itself',
      });
    },
  };
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const read = schema.safeParse(body);
  if (!read.success) throw oauthFault('invalid_request', faultsOf(read.error).join('; '));
  return read.data;
}

/** RFC 7636 section 4.6, S256. */
function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
