import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import type { Caller } from '../core/caller.js';
import type { CredentialHolder } from '../core/stores.js';

const HEADER = 'x-openwebui-user-email';
const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());

/**
 * Whom a request serves. A trusted proxy keeps its own rights and says who is at the other end; when it does not say,
 * nobody is known to be there, least of all the proxy's own account. From anybody else the header means nothing.
 */
export function personServed(
  { trustedProxy, ...caller }: CredentialHolder,
  headers: IncomingHttpHeaders,
): Caller {
  return trustedProxy ? { ...caller, verifiedEmail: Email.safeParse(headers[HEADER]).data } : caller;
}
