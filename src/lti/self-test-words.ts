import type { TokenAnswer, TokenRefusal } from './service-token.js';

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
export function wordsForToken(answer: Extract<TokenAnswer, { ok: false }>, publicUrl: string): string {
  return WORDS[answer.why]({ keys: `${publicUrl}/lti/jwks.json`, status: String(answer.status) });
}
