import type { RequestHandler } from 'express';
import { unauthenticated } from '../core/errors.js';
import type { CredentialStore } from '../core/stores.js';
import { hashToken } from '../tokens.js';
import { setCaller } from './request-facts.js';

const BEARER = /^Bearer ([\x21-\x7e]{1,300})$/i;

/** Credential → Caller. Nothing in a body or in any other header has a say in who is asking. */
export function requireCaller(credentials: CredentialStore): RequestHandler {
  return async (req, res, next) => {
    const token = BEARER.exec(req.headers.authorization ?? '')?.[1];
    if (token === undefined) throw unauthenticated();
    const caller = await credentials.callerOf(hashToken(token), new Date().toISOString());
    if (!caller) throw unauthenticated('This API key or session token is not valid, or has expired.');
    setCaller(res, caller);
    next();
  };
}
