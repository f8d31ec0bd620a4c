import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Claims } from './claims.js';
import { giveBack, makeKey, type SigningKey, signLaunch } from './signing.js';

/** A tool that believes everything: enough to see what the platform sends, and to sign what it expects. */
export interface StandInTool {
  readonly url: string;
  /** The forms that were posted to it, by path. */
  readonly forms: readonly { readonly path: string; readonly fields: Readonly<Record<string, string>> }[];
  /** Its parameters of the authorisation request; those that are undefined are left out. */
  asks(change: Readonly<Record<string, string | undefined>>): void;
  /** What it signs with. */
  key(): SigningKey;
  /** A token in its own name. */
  sign(claims: Claims, kid?: string): string;
  /** Signs with another key from now on, and publishes that alone. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
}

const REGISTERED = `<script>window.parent.postMessage({ subject: 'org.imsglobal.lti.close' }, '*')</script>`;

export async function startStandInTool(authUrl: () => string): Promise<StandInTool> {
  const forms: { path: string; fields: Record<string, string> }[] = [];
  let key: SigningKey = await makeKey('first');
  const keys = [key];
  let change: Readonly<Record<string, string | undefined>> = {};

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname: path } = new URL(req.url ?? '/', 'http://tool');
    const fields = Object.fromEntries(new URLSearchParams(await text(req)));
    forms.push({ path, fields });
    if (path === '/lti/jwks.json') {
      const keys = [{ ...key.publicJwk, kid: key.kid, alg: 'RS256', use: 'sig' }];
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
    } else if (path === '/lti/login') {
      const asked = { ...request(fields, `http://${req.headers.host ?? ''}/lti/launch`), ...change };
      const query = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined);
      const location = `${authUrl()}?${new URLSearchParams(query).toString()}`;
      res.writeHead(302, { location, 'set-cookie': 'tool=1; Path=/' }).end();
    } else if (path === '/lti/register') res.writeHead(200, { 'content-type': 'text/html' }).end(REGISTERED);
    else if (req.method === 'GET') res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>A page</h1>');
    else res.writeHead(303, { location: '/lti/activity/a-launch' }).end();
  }
  const server = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    forms,
    asks: (changed) => (change = changed),
    key: () => key,
    sign: (claims, kid = key.kid) => signLaunch(claims, { key, header: { kid } }),
    rotate: async () => {
      key = await makeKey('second');
      keys.push(key);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      giveBack(keys.splice(0));
    },
  };
}

function request(login: Readonly<Record<string, string>>, redirectUri: string): Record<string, string> {
  return {
    ...{ scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none' },
    client_id: login['client_id'] ?? '',
    redirect_uri: redirectUri,
    login_hint: login['login_hint'] ?? '',
    lti_message_hint: login['lti_message_hint'] ?? '',
    ...{ state: 'a-state', nonce: 'a-nonce' },
  };
}
