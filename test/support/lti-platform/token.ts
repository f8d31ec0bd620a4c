import { randomBytes } from 'node:crypto';
import type { Exchange } from '../fakes/ledger-server.js';
import { GRADE_SCOPES, ROSTER_SCOPE } from './claims.js';
import type { Tool } from './school.js';
import { readToken } from './signing.js';
import { fieldsOf, type Handler, type Site } from './site.js';
import { NO_KEYS, type ToolKeys } from './tool-keys.js';

const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Gives tools their access tokens. It says that its JSON is HTML, and does not look whom an assertion is meant for. */
export const createTokenDoor =
  (keys: ToolKeys): Handler =>
  async (site, exchange) => {
    const fields = fieldsOf(exchange);
    const tool = site.registry.toolOf(subjectIn(fields['client_assertion'] ?? ''));
    if (await site.faults.meets(exchange, 'token', tool?.id)) return;
    const fault = await faultOf(fields, tool, keys);
    const scopes = tool && fault === undefined ? granted(tool, fields['scope'] ?? '') : [];
    if (!tool || fault !== undefined || scopes.length === 0) {
      const error = fault ?? 'invalid_scope';
      site.journal.add('token_refused', { tool: tool?.id, error });
      if (error === NO_KEYS) return send(exchange, 404, `<h1>${error}</h1>`);
      return send(exchange, 400, `{\n  "error" : "${error}"\n}\n`);
    }
    return send(exchange, 200, JSON.stringify(give(site, tool, scopes), null, 2));
  };

async function faultOf(
  fields: Readonly<Record<string, string>>,
  tool: Tool | undefined,
  keys: ToolKeys,
): Promise<string | undefined> {
  const { client_assertion: assertion = '', client_assertion_type: type, grant_type: grant, scope } = fields;
  if (assertion.split('.').length !== 3 || type !== ASSERTION || !scope || !grant) return 'invalid_request';
  if (grant !== 'client_credentials') return 'unsupported_grant_type';
  if (!tool) return 'invalid_client';
  return keys.verify(tool, assertion).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
}

/** Scopes it does not know, or not for this tool, are left out without a word. */
function granted({ grades, roster }: Tool, scope: string): string[] {
  const possible = [...(grades ? GRADE_SCOPES : []), ...(roster ? [ROSTER_SCOPE] : [])];
  return scope.split(' ').filter((each) => possible.includes(each));
}

function give(site: Site, tool: Tool, scopes: readonly string[]) {
  const token = randomBytes(16).toString('hex');
  site.tokens.set(token, { tool: tool.id, scopes });
  site.journal.add('token', { tool: tool.id, scopes });
  return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: scopes.join(' ') };
}

function subjectIn(assertion: string): string {
  try {
    return String(readToken(assertion).claims['sub']);
  } catch {
    return '';
  }
}

async function send({ res }: Exchange, status: number, body: string): Promise<void> {
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  await new Promise<void>((sent) => res.end(body, sent));
}
