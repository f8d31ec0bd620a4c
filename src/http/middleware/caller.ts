import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { deepFreeze, memoizeByObject } from '../../core/base/memo.js';
import { unauthenticated } from '../../core/errors.js';
import type { CredentialHolder, CredentialStore } from '../../core/stores.js';
import { hashToken } from '../../security/tokens.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/** Credential → Caller. Nothing in a body has a say in who is asking, and no other header but a trusted proxy's. */
export async function identify(headers: IncomingHttpHeaders, credentials: CredentialStore): Promise<Caller> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthenticated();
  const holder = await credentials.callerOf(hashToken(token), new Date().toISOString());
  if (!holder) throw unauthenticated('This API key or session token is not valid, or has expired.');
  return personServed(holder, headers);
}

const HEADER = 'x-openwebui-user-email';
const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());

/**
 * Whom a request serves. A trusted proxy keeps its own rights and says who is at the other end; when it does not say,
 * nobody is known to be there, least of all the proxy's own account. From anybody else the header means nothing.
 */
function personServed(holder: CredentialHolder, headers: IncomingHttpHeaders): Caller {
  const caller = callerIn(holder);
  return holder.trustedProxy ? { ...caller, verifiedEmail: Email.safeParse(headers[HEADER]).data } : caller;
}

const callerIn = memoizeByObject(
  ({ trustedProxy: _trusted, expiresAt: _end, ...caller }: CredentialHolder): Caller => deepFreeze(caller),
);
