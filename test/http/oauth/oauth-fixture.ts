import { createHash, randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { Service } from '../../support/service.js';
import { aSessionOf, type Person } from '../support/users-fixture.js';

export const AUTHORIZATION = '/lamb/v1/oauth/authorization';
export const CALLBACK = 'http://127.0.0.1:7777/callback';
const NO_NAME = 'Test client';

type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;
type ClientInformation = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;

/** What the SDK's own flow asks of a program: it keeps what it is given, and sends its person to an address. */
export interface TestProvider extends OAuthClientProvider {
  /** Where the person was sent. */
  readonly sentTo: () => URL;
  readonly kept: { tokens: Tokens; client: ClientInformation };
}

export function aProvider(name = NO_NAME, redirectUrl = CALLBACK): TestProvider {
  let [sent, verifier] = [undefined as URL | undefined, ''];
  let discovered: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined;
  const state = randomBytes(8).toString('hex');
  const kept: TestProvider['kept'] = { tokens: undefined, client: undefined };
  return {
    kept,
    sentTo: () => {
      if (!sent) throw new Error('Nobody was sent anywhere.');
      return sent;
    },
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    state: () => state,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      sent = url;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState: (state) => {
      discovered = state;
    },
    discoveryState: () => discovered,
    invalidateCredentials: () => {
      kept.tokens = undefined;
    },
  };
}

interface Decision {
  readonly status: number;
  readonly json: { readonly redirect_to: string; readonly error: { readonly code: string } };
}

/** What the consent page sends once somebody has decided, with their session, to the address it was opened at. */
export async function decide(
  service: Service,
  person: Person,
  asked: Readonly<Record<string, string | undefined>>,
  {
    decision = 'allow',
    at = service.url,
  }: { readonly decision?: 'allow' | 'deny'; readonly at?: string } = {},
): Promise<Decision> {
  const session = await aSessionOf(service, person);
  const answer = await fetch(`${at}${AUTHORIZATION}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...asked, decision }),
  });
  return { status: answer.status, json: (await answer.json()) as Decision['json'] };
}

export interface Asked extends Readonly<Record<string, string | undefined>> {
  readonly client_id: string;
  readonly redirect_uri: string;
}

/** A program that speaks the protocol by hand, so that it can also break it. */
export function aProgram(service: Service) {
  const verifier = randomBytes(32).toString('base64url');
  const form = (path: string, fields: Readonly<Record<string, string | undefined>>) => {
    const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
    return service.request<{ error?: string; access_token: string; refresh_token: string }>(path, {
      key: null,
      method: 'POST',
      body: new URLSearchParams(given).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  };
  return {
    verifier,
    async register(redirectUris: readonly string[] = [CALLBACK], more: object = {}) {
      const body = { client_name: NO_NAME, redirect_uris: redirectUris, ...more };
      return service.request<{ client_id: string; error?: string; [field: string]: unknown }>(
        '/oauth/register',
        { key: null, body },
      );
    },
    request: (clientId: string, more: Readonly<Record<string, string | undefined>> = {}): Asked => ({
      client_id: clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state',
      resource: `${service.url}/lamb/v1/mcp`,
      ...more,
    }),
    exchange: (clientId: string, code: string, more: Readonly<Record<string, string | undefined>> = {}) =>
      form('/oauth/token', {
        ...{ grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier },
        ...{ redirect_uri: CALLBACK, resource: `${service.url}/lamb/v1/mcp`, ...more },
      }),
    refresh: (clientId: string, token: string, more: Readonly<Record<string, string>> = {}) =>
      form('/oauth/token', {
        ...{ grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more },
      }),
    form,
  };
}

/** One that anybody may have made: nobody has let it in. */
export async function registered(service: Service, redirectUris?: readonly string[]) {
  const program = aProgram(service);
  return { ...program, clientId: (await program.register(redirectUris)).json.client_id };
}

export const codeIn = (redirectTo: string): string => new URL(redirectTo).searchParams.get('code') ?? '';

/** Registered, let in by this person, and with its tokens. */
export async function connected(service: Service, person: Person) {
  const program = await registered(service);
  const { clientId } = program;
  const { redirect_to } = (await decide(service, person, program.request(clientId))).json;
  const code = codeIn(redirect_to);
  const { json } = await program.exchange(clientId, code);
  return { ...program, code, access: json.access_token, refreshToken: json.refresh_token };
}

/** Whether this token opens the MCP endpoint. */
export async function opens(service: Service, token: string, path = '/lamb/v1/mcp'): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const headers = { accept: 'application/json, text/event-stream' };
  return (await service.request(path, { key: token, body, headers })).status;
}
