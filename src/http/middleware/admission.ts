import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Caller } from '../../core/access/caller.js';
import { unauthenticated } from '../../core/errors.js';
import type { CredentialStore } from '../../core/stores.js';
import type { VisitorLimits } from '../links/visitor-limits.js';
import { mustBeInReach } from '../lti/activity/allowed-routes.js';
import { identify } from './caller.js';
import { MCP_PATH } from './own-address.js';
import type { RequestLimit } from './rate-limit.js';
import { addressOf, setCaller } from './request-facts.js';

export interface AdmissionDeps {
  readonly credentials: CredentialStore;
  readonly limit: RequestLimit;
  readonly visitorLimits: Pick<VisitorLimits, 'request'>;
}

/** Reads nothing of a request's body until all that is asked before it has been answered. */
export type Admit = <Body>(
  req: IncomingMessage,
  res: ServerResponse,
  way: { readonly path: string; readonly readBody: () => Body | Promise<Body> },
) => Promise<Body>;

/**
 * The order in which a request is let in, written here alone: the router and the fast path of chats both go by it, so
 * a step that is added here is added for every request, and one that is added elsewhere is missed by nearly every chat.
 */
export function createAdmission({ credentials, limit, visitorLimits }: AdmissionDeps): Admit {
  return async (req, res, { path, readBody }) => {
    const caller = await identify(req.headers, credentials);
    setCaller(res, caller);
    // Browsers write answers to their disk, where the next person at the machine finds them. A route that knows better says so.
    res.setHeader('Cache-Control', 'no-store');
    mustBeMeantForHere(caller, path);
    const asked = { method: req.method ?? '', path };
    mustBeInReach(caller, asked);
    await limit(caller);
    if (caller.link) await visitorLimits.request({ ...caller, link: caller.link }, asked, addressOf(res));
    return readBody();
  };
}

/** What comes after it reads the body: as files, or as JSON. */
export function admitting(admit: Admit): RequestHandler {
  return (req, res, next) => admit(req, res, { path: `${req.baseUrl}${req.path}`, readBody: next });
}

/** An access token's audience is the MCP endpoint (RFC 8707): no other route takes it, now or later. */
function mustBeMeantForHere({ via }: Caller, path: string): void {
  if (via === 'oauth' && path !== MCP_PATH) {
    throw unauthenticated('This token is for the MCP endpoint alone. Use an API key here.');
  }
}
