import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { AppError, badRequest, forbidden } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import {
  newAuthorizationCode,
  type OAuthSecrets,
  type RegisteredClient,
} from '../../security/oauth-secrets.js';
import { hashToken } from '../../security/tokens.js';
import type * as wire from '../contract/oauth.js';
import { parseWith } from '../middleware/json-body.js';
import { baseUrlOf, MCP_PATH, type OwnAddress } from '../middleware/own-address.js';
import { callerOf } from '../middleware/request-facts.js';
import { isLoopback, isRegistered, withAnswer } from './redirect-uri.js';

export interface ConsentDeps extends Pick<Stores, 'oauthGrants' | 'audit'> {
  readonly oauthSecrets: OAuthSecrets;
  readonly address: OwnAddress;
}

/** RFC 6749 section 4.1.2: a short time, ten minutes at most. */
const CODE_MINUTES = 5;

/** What stands in the address of the page (RFC 6749 section 4.1.1, 7636, 8707). What else there is, is ignored. */
export const AuthorizationRequest = z.object({
  client_id: z.string().min(1).max(3_000),
  redirect_uri: z.string().min(1).max(300),
  response_type: z.literal('code'),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be a challenge of the method S256'),
  code_challenge_method: z.literal('S256'),
  state: z.string().max(2_000).optional(),
  resource: z.string().max(2_000).optional(),
});
export const Decision = AuthorizationRequest.extend({ decision: z.enum(['allow', 'deny']) });
type Asked = z.output<typeof AuthorizationRequest>;

/**
 * Where the page asks what it is to show, and tells what the person has decided. Nothing is kept between the two. It is
 * for people who have signed in: a key, or a program that was let in, lets in nobody else.
 *
 * No fault is told to the program by sending the person there, which would make this a way to any address that somebody
 * has registered (RFC 9700 section 4.11.2): the page says what is wrong.
 */
export function oauthConsent({ oauthGrants, audit, oauthSecrets: secrets, address }: ConsentDeps): Router {
  const check = (asked: Asked, req: Request) => {
    const client = secrets.clientOf(asked.client_id);
    if (!client) throw refused('unknown_client', 'This program is not registered here.', 'client_id');
    if (!isRegistered(asked.redirect_uri, client.redirectUris)) {
      const message = 'The program wants people sent to an address that it has not registered.';
      throw refused('wrong_redirect_uri', message, 'redirect_uri');
    }
    const issuer = baseUrlOf(address, req);
    const resource = `${issuer}${MCP_PATH}`;
    if (asked.resource !== undefined && !isSame(asked.resource, resource)) {
      throw badRequest(`Programs can be let in at ${resource} alone.`, 'resource');
    }
    return { client, issuer, resource: asked.resource ?? resource };
  };

  return Router()
    .get('/lamb/v1/oauth/authorization', (req, res) => {
      signedInCaller(res);
      const asked = parseWith(AuthorizationRequest, req.query, 'What the program asks');
      res.json(show(asked, check(asked, req).client));
    })
    .post('/lamb/v1/oauth/authorization', async (req, res) => {
      const caller = signedInCaller(res);
      const { decision, ...asked } = parseWith(Decision, req.body);
      const { client, issuer, resource } = check(asked, req);
      const answer = { state: asked.state, iss: issuer };
      if (decision === 'deny') {
        res.json(sentTo(asked, { error: 'access_denied', ...answer }));
        return;
      }
      const code = newAuthorizationCode();
      const id = await oauthGrants.agree({
        userId: caller.userId,
        clientHash: hashToken(asked.client_id),
        clientName: client.name,
        redirectUri: asked.redirect_uri,
        resource,
        codeHash: hashToken(code),
        codeChallenge: asked.code_challenge,
        expiresAt: new Date(Date.now() + CODE_MINUTES * 60_000).toISOString(),
      });
      await audit.record(deedOf(caller, { action: 'connect program', resource: `connection ${String(id)}` }));
      res.json(sentTo(asked, { code, ...answer }));
    });
}

function signedInCaller(res: Response): Caller {
  const caller = callerOf(res);
  if (caller.via !== 'session') throw forbidden('Only somebody who has signed in may let a program in.');
  return caller;
}

/** With a code that the page has words for. */
function refused(code: 'unknown_client' | 'wrong_redirect_uri', message: string, param: string): AppError {
  return new AppError(message, { status: 400, type: 'invalid_request_error', code, param });
}

function show({ redirect_uri }: Asked, { name }: RegisteredClient): wire.AskingProgram {
  return { client_name: name, redirect_uri, is_local: isLoopback(redirect_uri) };
}

function sentTo({ redirect_uri }: Asked, answer: Parameters<typeof withAnswer>[1]): wire.Decided {
  return { redirect_to: withAnswer(redirect_uri, answer) };
}

/** However it is spelt. */
function isSame(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}
