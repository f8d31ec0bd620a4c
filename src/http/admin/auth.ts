import { type Request, Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { unauthenticated } from '../../core/errors.js';
import type { Stores, User } from '../../core/stores.js';
import { isOutdated } from '../../security/password-hash.js';
import type { Passwords } from '../../security/passwords.js';
import { hashToken, newSessionToken } from '../../security/tokens.js';
import type * as wire from '../contract/admin.js';
import { networkOf } from '../middleware/client-address.js';
import { parseWith } from '../middleware/json-body.js';
import type { Peers } from '../peers.js';
import { refusing } from '../middleware/rate-limit.js';
import { addressOf, callerOf, signalOfLeaving } from '../middleware/request-facts.js';

const SESSION_DAYS = 7;

type AuthDeps = Pick<Stores, 'credentials'> & { readonly passwordCheck: PasswordCheck };

/** The one route that needs no credential. */
export function login({ credentials, passwordCheck }: AuthDeps): Router {
  return Router().post('/lamb/v1/auth/login', async (req, res) => {
    const proof = parseWith(Proof, req.body);
    const user = await passwordCheck(proof, {
      ...{ from: addressOf(res), action: 'sign in' },
      signal: signalOfLeaving(res),
    });
    if (!user) throw unauthenticated(WRONG_PROOF);
    res.json(await beginSession(user, credentials));
  });
}

/** As somebody who has just shown who they are goes on. */
export async function beginSession(
  { id, email, name, role, organizationId }: User,
  credentials: Stores['credentials'],
): Promise<wire.SignedIn> {
  const token = newSessionToken();
  const expiresAt = new Date(Date.now() + SESSION_DAYS * 86_400_000).toISOString();
  await credentials.addSession({ userId: id, hash: hashToken(token), expiresAt });
  return { token, expires_at: expiresAt, user: { id, email, name, role, organization_id: organizationId } };
}

export function session({
  credentials,
  organizations,
}: Pick<Stores, 'credentials' | 'organizations'>): Router {
  return Router()
    .post('/lamb/v1/auth/logout', async (req, res) => {
      if (callerOf(res).via === 'session') await credentials.deleteSession(hashToken(bearerOf(req)));
      res.status(204).end();
    })
    .get('/lamb/v1/me', async (_req, res) => {
      const caller = callerOf(res);
      const organization = await organizations.byId(caller.organizationId);
      res.json(me(caller, organization?.name ?? null));
    });
}

function me(
  { userId, email, name, role, organizationId, via }: Caller,
  organization: string | null,
): wire.Me {
  return {
    ...{ id: userId, email, name, role, organization_id: organizationId, via },
    organization_name: organization,
  };
}

export function bearerOf(req: Request): string {
  return (req.headers.authorization ?? '').replace(/^Bearer /i, '');
}

const TRIES_A_MINUTE = 10;
/** A whole institution may come from one address. */
const TRIES_A_MINUTE_FROM_ONE_ADDRESS = 120;

/** What somebody proves an account to be theirs with. */
export const Proof = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(320),
  password: z.string().min(1).max(1024),
});

export const WRONG_PROOF = 'The e-mail address or the password is not right.';

/** Whose account it is, if the password is theirs. Every try counts, wherever it is made; what fails is on the books. */
export type PasswordCheck = (
  proof: z.output<typeof Proof>,
  asked: {
    /** The address they come from. */
    readonly from: string;
    /** What for. */
    readonly action: string;
    /** Ends when they are gone. */
    readonly signal: AbortSignal;
  },
) => Promise<User | undefined>;

type Deps = Pick<Stores, 'users' | 'audit'> & {
  readonly peers: Peers;
  readonly passwords: Passwords;
};

export function createPasswordCheck({ users, audit, peers, passwords }: Deps): PasswordCheck {
  const triesAMinute = (of: string, points: number) =>
    refusing(peers.limiter(`sign-ins of an ${of}`, { points, seconds: 60 }));
  const limitAccount = triesAMinute('account', TRIES_A_MINUTE);
  const limitAddress = triesAMinute('address', TRIES_A_MINUTE_FROM_ONE_ADDRESS);
  return async ({ email, password }, { from: address, action, signal }) => {
    const from = networkOf(address);
    const asker = { name: `address ${from}`, signal };
    await limitAddress(from, 'Too many sign-in attempts from your address.');
    await limitAccount(`${from} ${email}`, 'Too many sign-in attempts.');
    const user = await users.byEmail(email);
    const stored = user?.passwordHash ?? passwords.nobodysHash;
    const matches = await passwords.matches(password, stored, asker);
    if (!user?.enabled || !user.passwordHash || !matches) {
      const whose = { userId: user?.id ?? null, organizationId: user?.organizationId ?? null };
      await audit.record({ ...NOBODY, ...whose, action });
      return undefined;
    }
    if (isOutdated(stored)) {
      const passwordHash = await passwords.hash(password, asker);
      await users.renewPassword(user.id, { from: stored, to: passwordHash });
    }
    return user;
  };
}

const NOBODY = {
  resource: 'account',
  outcome: 'denied',
  reason: 'wrong e-mail or password',
  runId: null,
} as const;
