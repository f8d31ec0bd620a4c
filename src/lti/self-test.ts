import type { Platform13 } from '../core/lti/platform.js';
import { ask, type Reply } from './exchange.js';
import { GRADE_SCOPES } from './grade-service.js';
import { askForKeySet, keysIn } from './key-sets.js';
import { ROSTER_SCOPE } from './names-and-roles.js';
import { requestToken, type TokenAnswer, type TokenDeps, type TokenRefusal } from './service-token.js';

export interface Check {
  readonly name: 'address' | 'deployments' | 'keys' | 'clock' | 'sign_in' | 'access_token';
  /** Null when it could not be told. */
  readonly ok: boolean | null;
  /** What to do about it, for an administrator. */
  readonly message: string;
}

export interface SelfTest {
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

export interface SelfTestDeps extends TokenDeps {
  readonly publicUrl: string;
}

const CLOCKS_DIFFER_S = 10;
const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

/** Looks at everything that launches and grades of a platform depend on. Nothing is changed at the platform. */
export async function testPlatform(deps: SelfTestDeps, platform: Platform13): Promise<SelfTest> {
  const [keys, signIn, token] = await Promise.all([
    checkKeys(deps, platform),
    checkSignIn(deps, platform),
    checkToken(deps, platform),
  ]);
  const checks = [checkAddress(deps.publicUrl), checkDeployments(platform), ...keys, signIn, token];
  return { ok: checks.every(({ ok }) => ok !== false), checks };
}

/** What can be told of a platform of LTI 1.1, which answers no questions. */
export function testPlatform11(publicUrl: string): SelfTest {
  const address = checkAddress(publicUrl);
  return { ok: address.ok !== false, checks: [address] };
}

function checkAddress(publicUrl: string): Check {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === 'https:') {
    return { name: 'address', ok: true, message: `This service is reached by https at ${publicUrl}.` };
  }
  return LOCAL.includes(hostname)
    ? {
        name: 'address',
        ok: true,
        message: `This service is reached at ${publicUrl}, which works in browsers on this machine only.`,
      }
    : {
        name: 'address',
        ok: false,
        message: `This service is reached at ${publicUrl}. Browsers keep nobody signed in inside a page of the platform without https: set PUBLIC_URL to an https address.`,
      };
}

function checkDeployments({ deploymentIds }: Platform13): Check {
  return deploymentIds.length > 0
    ? { name: 'deployments', ok: true, message: `Deployment ids: ${deploymentIds.join(', ')}.` }
    : {
        name: 'deployments',
        ok: false,
        message:
          'No deployment id is set, so every launch is refused. In Moodle it is in the details of the tool, under “Tool configuration details”.',
      };
}

async function checkKeys({ fetch, now }: SelfTestDeps, { keySetUrl }: Platform13): Promise<readonly Check[]> {
  const name = 'keys';
  let reply: Reply;
  try {
    reply = await askForKeySet(fetch, keySetUrl);
  } catch {
    return [
      {
        name,
        ok: false,
        message: `Nobody answered at ${keySetUrl} within five seconds. Check the address of the key set, and that this server may reach it.`,
      },
    ];
  }
  const keys = await keysIn(reply).catch(() => undefined);
  if (!keys) {
    return [
      {
        name,
        ok: false,
        message: `What ${keySetUrl} answers is no key set (status ${String(reply.status)}). In Moodle the address ends in /mod/lti/certs.php.`,
      },
    ];
  }
  const usable = keys.size > 0;
  const message = usable
    ? `The platform has keys that launches can be verified with (${String(keys.size)}).`
    : 'The key set has no key for RS256 with a key id, so no launch can be verified.';
  return [{ name, ok: usable, message }, clockCheck(reply, now())];
}

function clockCheck({ headers }: Reply, now: number): Check {
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs))
    return { name: 'clock', ok: null, message: 'The platform does not tell its time.' };
  const seconds = Math.round(Math.abs(theirs - now) / 1_000);
  return seconds <= CLOCKS_DIFFER_S
    ? { name: 'clock', ok: true, message: 'The clocks of both servers agree.' }
    : {
        name: 'clock',
        ok: false,
        message: `The clocks of the two servers are ${String(seconds)} seconds apart, so launches may be refused. Set both by a time server.`,
      };
}

async function checkSignIn({ fetch }: SelfTestDeps, { authLoginUrl }: Platform13): Promise<Check> {
  const name = 'sign_in';
  try {
    const { status } = await ask(fetch, {
      url: authLoginUrl,
      headers: { accept: 'text/html' },
      mostBytes: 4_000_000,
    });
    // Without anybody to sign in it cannot do more than complain.
    if (status < 500 && status !== 404 && status !== 410) {
      return { name, ok: true, message: 'The address for signing in answers.' };
    }
    return {
      name,
      ok: false,
      message: `The address for signing in, ${authLoginUrl}, answers with status ${String(status)}. In Moodle it ends in /mod/lti/auth.php.`,
    };
  } catch {
    // People's browsers go there, not this server.
    return {
      name,
      ok: null,
      message: `This server could not reach ${authLoginUrl}. Launches work all the same if people’s browsers can.`,
    };
  }
}

async function checkToken(deps: SelfTestDeps, platform: Platform13): Promise<Check> {
  const name = 'access_token';
  try {
    const answer = await requestToken(deps, platform, [ROSTER_SCOPE, ...GRADE_SCOPES]);
    if (!answer.ok) return { name, ok: false, message: wordsForToken(answer, deps.publicUrl) };
    return {
      name,
      ok: true,
      message:
        'The platform gives access tokens, so it can fetch our keys: grades and names can be exchanged.',
    };
  } catch {
    return {
      name,
      ok: false,
      message: `Nobody answered at ${platform.authTokenUrl} within five seconds. Check the address for access tokens, and that this server may reach it.`,
    };
  }
}

type Words = (at: { readonly keys: string; readonly status: string }) => string;

const WORDS: Readonly<Record<TokenRefusal, Words>> = {
  our_keys_unreachable: ({ keys }) =>
    `The platform could not fetch our keys at ${keys}. In Moodle, open Site administration, Security, HTTP security, and check both “cURL blocked hosts list”, which must not hold the address of this service, and “cURL allowed ports list”, which must hold its port or be empty. Launches work without this; grades, names and the choice of assistants do not.`,
  not_found: ({ keys }) =>
    `There is nothing at the address for access tokens (status 404), or the platform could not fetch our keys at ${keys}. In Moodle the address ends in /mod/lti/token.php; if it does, open Site administration, Security, HTTP security, and check “cURL blocked hosts list” and “cURL allowed ports list”.`,
  client_unknown: () =>
    'The platform does not know our client id, or the tool is not active there yet. Compare the client id, and activate the tool in the platform.',
  scope_refused: () =>
    'The platform gives this tool no service. In Moodle, set “IMS LTI Assignment and Grade Services” and “IMS LTI Names and Role Provisioning” in the settings of the tool.',
  signature_refused: ({ keys }) =>
    `The platform does not accept our signature. Its address of our keys must be ${keys}, and its public key type “Keyset URL”.`,
  clock: () =>
    'The platform finds our signature too old or too new. Set the clocks of both servers by a time server.',
  other: ({ status }) =>
    `The platform gave no access token (status ${status}). Compare the address for access tokens and the client id; in Moodle the address ends in /mod/lti/token.php.`,
};

/** What an administrator does about a token that was refused. */
function wordsForToken(answer: Extract<TokenAnswer, { ok: false }>, publicUrl: string): string {
  return WORDS[answer.why]({ keys: `${publicUrl}/lti/jwks.json`, status: String(answer.status) });
}
