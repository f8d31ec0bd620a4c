import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { AppError } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { OAuthSecrets } from '../../security/oauth-secrets.js';
import { networkOf } from '../middleware/client-address.js';
import { readJsonBodies } from '../middleware/body-reader.js';
import { faultsOf } from '../middleware/json-body.js';
import { baseUrlOf, MCP_PATH, type OwnAddress } from '../middleware/own-address.js';
import type { Peers } from '../peers.js';
import { refusing } from '../middleware/rate-limit.js';
import { addressOf } from '../middleware/request-facts.js';
import { oauthFault, tellOAuthFaults } from './faults.js';
import { redirectUriFault } from './redirect-uri.js';
import { createTokenEndpoint, type TokenDeps } from './tokens.js';

export interface OAuthServerDeps extends TokenDeps {
  readonly peers: Peers;
  readonly address: OwnAddress;
  readonly log: Logger;
}

const SCOPE = 'mcp';
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

const BODY_LIMIT_BYTES = 16 * 1024;
/** A whole institution may come from one address. */
const REGISTRATIONS_A_MINUTE_FROM_ONE_ADDRESS = 60;
const TOKENS_A_MINUTE_FROM_ONE_ADDRESS = 600;

/** All that a program needs that has nothing but the address of the MCP endpoint: what it reads, and where it gets tokens. */
export function oauthServer(deps: OAuthServerDeps): Router {
  const { address, peers, oauthSecrets: secrets } = deps;
  const seldom = (what: string, points: number): RequestHandler => {
    const limit = refusing(peers.limiter(what, { points, seconds: 60 }));
    return async (_req, res, next) => {
      await limit(networkOf(addressOf(res)), 'Too many requests from your address.');
      next();
    };
  };
  const tokens = createTokenEndpoint(deps);
  const metadata = resourceMetadata(address);
  const form = [mustBeForm, express.urlencoded({ extended: false, limit: BODY_LIMIT_BYTES })];

  return Router()
    .use(['/.well-known', '/oauth/register', '/oauth/token', '/oauth/revoke'], openToPages)
    .get('/.well-known/oauth-protected-resource', metadata)
    .get('/.well-known/oauth-protected-resource/lamb/v1/mcp', metadata)
    .get('/.well-known/oauth-authorization-server', (req, res) => {
      res.json(serverMetadata(baseUrlOf(address, req)));
    })
    .use(
      '/oauth/register',
      seldom('OAuth registrations', REGISTRATIONS_A_MINUTE_FROM_ONE_ADDRESS),
      readJsonBodies(BODY_LIMIT_BYTES),
    )
    .post('/oauth/register', (req, res) => {
      res.status(201).json(register(req.body, secrets));
    })
    .use(['/oauth/token', '/oauth/revoke'], seldom('OAuth tokens', TOKENS_A_MINUTE_FROM_ONE_ADDRESS), form)
    .post('/oauth/token', async (req, res) => {
      res.json(await tokens.answer(req.body));
    })
    .post('/oauth/revoke', async (req, res) => {
      await tokens.revoke(req.body);
      res.status(200).end();
    })
    .use(['/oauth/register', '/oauth/token', '/oauth/revoke'], tellOAuthFaults(deps.log));
}

/**
 * Clients that are pages ask from their own origin. There is nothing here that a browser would add by itself, so that any
 * page may; the answers are of the moment.
 */
const openToPages: RequestHandler = (req, res, next) => {
  res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
  if (req.method !== 'OPTIONS') {
    next();
    return;
  }
  res.set({ 'Access-Control-Allow-Methods': 'GET, POST', 'Access-Control-Max-Age': '600' });
  res.set('Access-Control-Allow-Headers', 'Content-Type, MCP-Protocol-Version').status(204).end();
};

const mustBeForm: RequestHandler = (req, _res, next) => {
  if (req.is('urlencoded') === false) {
    throw oauthFault('invalid_request', 'Send a form, as application/x-www-form-urlencoded.');
  }
  next();
};

/** Says, with every 401 of the MCP endpoint, where to read how to sign in (RFC 9728 section 5.1). */
export function challengePrograms(address: OwnAddress): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (thrown instanceof AppError && thrown.status === 401) {
      const invalid = req.headers.authorization === undefined ? '' : 'error="invalid_token", ';
      const where = `${baseUrlOf(address, req)}${RESOURCE_METADATA}${MCP_PATH}`;
      res.setHeader('WWW-Authenticate', `Bearer ${invalid}scope="${SCOPE}", resource_metadata="${where}"`);
    }
    next(thrown);
  };
}

/** RFC 9728. */
function resourceMetadata(address: OwnAddress): RequestHandler {
  return (req, res) => {
    const base = baseUrlOf(address, req);
    res.json({
      resource: `${base}${MCP_PATH}`,
      authorization_servers: [base],
      scopes_supported: [SCOPE],
      bearer_methods_supported: ['header'],
      resource_name: 'Bellwether',
    });
  };
}

/** RFC 8414. */
function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: [SCOPE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Of what a program may say of itself, all that is ever used: pictures, links and texts of law are not even kept. */
export const Registration = z.object({
  redirect_uris: z.array(z.string().min(1).max(300)).min(1).max(10),
  client_name: z.string().max(200).optional(),
});
const LONGEST_NAME = 80;
/** The address bar of a browser has to hold it. */
const LONGEST_CLIENT_ID = 2_000;

function register(body: unknown, secrets: OAuthSecrets) {
  const read = Registration.safeParse(body);
  if (!read.success) throw oauthFault('invalid_client_metadata', faultsOf(read.error).join('; '));
  const { redirect_uris, client_name } = read.data;
  for (const uri of redirect_uris) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) throw oauthFault('invalid_redirect_uri', `${uri} ${fault}.`);
  }
  const name = plainName(client_name ?? '');
  const clientId = secrets.clientIdOf({ name, redirectUris: redirect_uris });
  if (clientId.length > LONGEST_CLIENT_ID) {
    throw oauthFault('invalid_client_metadata', 'The redirect URIs are too long together.');
  }
  return {
    client_id: clientId,
    ...(name === '' ? {} : { client_name: name }),
    redirect_uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: SCOPE,
  };
}

/** Without what would make it look like something else: control, format and bidirectional characters, runs of blanks. */
function plainName(name: string): string {
  return name
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_NAME);
}
