import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Caller } from '../../core/access/caller.js';
import { frozen } from '../../core/base/memo.js';
import { oncePer } from '../../core/base/once-per.js';
import type { CredentialHolder } from '../../core/stores.js';

const HEADER = 'x-openwebui-user-email';
const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());

/**
 * Whom a request serves. A trusted proxy keeps its own rights and says who is at the other end; when it does not say,
 * nobody is known to be there, least of all the proxy's own account. From anybody else the header means nothing.
 */
export function personServed(holder: CredentialHolder, headers: IncomingHttpHeaders): Caller {
  const caller = callerIn(holder);
  return holder.trustedProxy ? { ...caller, verifiedEmail: Email.safeParse(headers[HEADER]).data } : caller;
}

const callerIn = oncePer(({ trustedProxy: _trusted, expiresAt: _end, ...caller }: CredentialHolder): Caller =>
  frozen(caller),
);
