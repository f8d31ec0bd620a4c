import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import type { Caller } from '../../core/access/caller.js';
import { unauthenticated } from '../../core/errors.js';
import type { CredentialStore } from '../../core/stores.js';
import { hashToken } from '../../security/tokens.js';
import { setCaller } from './request-facts.js';
import { personServed } from './trusted-proxy.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/** Credential → Caller. Nothing in a body has a say in who is asking, and no other header but a trusted proxy's. */
export async function identify(headers: IncomingHttpHeaders, credentials: CredentialStore): Promise<Caller> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw unauthenticated();
  const holder = await credentials.callerOf(hashToken(token), new Date().toISOString());
  if (!holder) throw unauthenticated('This API key or session token is not valid, or has expired.');
  return personServed(holder, headers);
}

export function requireCaller(credentials: CredentialStore): RequestHandler {
  return async (req, res, next) => {
    setCaller(res, await identify(req.headers, credentials));
    next();
  };
}
