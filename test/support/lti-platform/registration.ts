import { z } from 'zod';
import { type Exchange, sendJson } from '../fakes/ledger-server.js';
import { GRADE_SCOPES, ROSTER_SCOPE } from './claims.js';
import { pageOf } from './layout.js';
import { html, sendPage } from './markup.js';
import { newClientId } from './registry.js';
import { readToken, signLaunch } from './signing.js';
import { addressOf, type Handler, type Site } from './site.js';

/** Dynamic registration: a tool reads what the platform is and says what it is itself. */

const CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';

export const openIdConfiguration: Handler = async (site, exchange) => {
  if (await site.faults.meets(exchange, 'configuration')) return;
  const at = addressOf(exchange);
  return sendJson(exchange.res, 200, {
    issuer: at,
    token_endpoint: `${at}/mod/lti/token.php`,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256'],
    jwks_uri: `${at}/mod/lti/certs.php`,
    authorization_endpoint: `${at}/mod/lti/auth.php`,
    registration_endpoint: `${at}/mod/lti/openid-registration.php`,
    scopes_supported: ['openid', ROSTER_SCOPE, ...GRADE_SCOPES],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'iss', 'name', 'given_name', 'family_name', 'email'],
    'https://purl.imsglobal.org/spec/lti-platform-configuration': {
      product_family_code: 'moodle',
      version: '4.5.12+ (Build: 20260722)',
      messages_supported: [
        { type: 'LtiResourceLinkRequest' },
        { type: 'LtiDeepLinkingRequest', placements: ['ContentArea'] },
      ],
      variables: ['User.id', 'CourseSection.title'],
    },
  });
};

/** Lets one tool register, once, within the hour; or one that is known bring itself up to date ("Update"). */
export function beginRegistration({ keyring, registrations, registry }: Site, tool?: number): string {
  const clientId = (tool === undefined ? undefined : registry.tool(tool)?.clientId) ?? newClientId();
  const at = Math.floor(Date.now() / 1_000);
  const sub = tool === undefined ? clientId : `update-${String(tool)}-${newClientId()}`;
  registrations.set(sub, { state: 'open', clientId, ...(tool === undefined ? {} : { tool }) });
  const claims = { sub, scope: tool === undefined ? 'reg' : 'reg-update', iat: at, exp: at + 3_600 };
  return signLaunch(claims, { key: keyring.signing() });
}

const Body = z.object({
  response_types: z.array(z.string()).refine((types) => types.includes('id_token')),
  initiate_login_uri: z.string().min(1),
  redirect_uris: z.array(z.string()).min(1),
  client_name: z.string().min(1),
  jwks_uri: z.string().min(1),
  token_endpoint_auth_method: z.literal('private_key_jwt'),
  scope: z.string().default(''),
  logo_uri: z.string().default(''),
  [CONFIGURATION]: z.object({
    domain: z.string().min(1),
    target_link_uri: z.string().min(1),
    claims: z.array(z.string()).default([]),
    custom_parameters: z.record(z.string(), z.string()).default({}),
    messages: z
      .array(z.looseObject({ type: z.string(), target_link_uri: z.string().optional() }))
      .default([]),
  }),
});
type Body = z.output<typeof Body>;
interface Configuration {
  readonly domain: string;
  readonly target_link_uri: string;
  readonly claims: readonly string[];
  readonly custom_parameters: Record<string, string>;
  readonly messages: readonly { readonly type: string; readonly target_link_uri?: string | undefined }[];
}

export const openIdRegistration: Handler = async (site, exchange) => {
  if (await site.faults.meets(exchange, 'registration')) return;
  const subject = subjectIn(exchange);
  const begun = site.registrations.get(subject);
  if (begun?.state !== 'open')
    return refuse(site, exchange, 401, begun ? 'token_already_used' : 'invalid_token');
  const { clientId } = begun;
  const body = Body.safeParse(exchange.body);
  if (!body.success) {
    const [issue] = body.error.issues;
    return refuse(site, exchange, 400, `missing or invalid: ${String(issue?.path.join('.'))}`);
  }
  const configuration = body.data[CONFIGURATION] as Configuration;
  if (new URL(configuration.target_link_uri).host !== configuration.domain)
    return refuse(site, exchange, 400, 'domain_targetlinkuri_mismatch');
  site.registrations.set(subject, { ...begun, state: 'used' });
  const traits = traitsOf(body.data, configuration, clientId);
  // Changed before the tool has heard of it, for good, whatever the tool makes of the answer.
  const tool =
    begun.tool === undefined ? site.registry.addTool(traits) : site.registry.changeTool(begun.tool, traits);
  site.journal.add('registration', { tool: tool.id, clientId, body: exchange.body });
  return sendJson(exchange.res, 200, {
    ...(exchange.body as object),
    client_id: clientId,
    [CONFIGURATION]: { ...configuration, deployment_id: String(tool.id), version: '1.3.0' },
  });
};

/** Names go out only when the tool has asked for them, services only when it has named their scopes. */
function traitsOf(body: Body, configuration: Configuration, clientId: string) {
  const { target_link_uri: launchUrl, claims, custom_parameters: custom, messages } = configuration;
  const scopes = body.scope.split(' ');
  const selection = messages.find(({ type }) => type === 'LtiDeepLinkingRequest');
  return {
    ...{ version: '1.3' as const, name: body.client_name, clientId, launchUrl, custom },
    loginUrl: body.initiate_login_uri,
    redirectUris: body.redirect_uris,
    jwksUrl: body.jwks_uri,
    contentUrl: selection ? (selection.target_link_uri ?? launchUrl) : '',
    privacy: claims.includes('name') ? ('full' as const) : ('minimum' as const),
    container: 'iframe' as const,
    grades: scopes.some((scope) => GRADE_SCOPES.includes(scope)),
    roster: scopes.includes(ROSTER_SCOPE),
    ...{ consumerKey: '', secret: '', icon: body.logo_uri },
    // What Moodle makes of every tool that registers itself.
    ...{ coursevisible: 1 as const, acceptGrades: 'specified' as const },
  };
}

function subjectIn({ req }: Exchange): string {
  try {
    return String(readToken((req.headers.authorization ?? '').replace(/^Bearer /i, '')).claims['sub']);
  } catch {
    return '';
  }
}

async function refuse(site: Site, { res }: Exchange, status: number, why: string): Promise<void> {
  site.journal.add('registration_refused', { why });
  res.writeHead(status, { 'content-type': 'text/html' });
  await new Promise<void>((sent) => res.end(why, sent));
}

/** The page of an administrator who adds a tool: the tool's own page in a frame, until it says that it is done. */
export const registrationPage: Handler = async (site, exchange) => {
  const given = exchange.url.searchParams.get('url') ?? '';
  if (!URL.canParse(given)) return sendPage(exchange, html`<h1>That is not an address</h1>`, 400);
  const address = new URL(given);
  address.searchParams.set('openid_configuration', `${addressOf(exchange)}/mod/lti/openid-configuration.php`);
  address.searchParams.set('registration_token', beginRegistration(site));
  const body = html`<iframe id="registration" title="The tool" src="${address.href}" height="600"></iframe>
    <p id="closed" hidden>The tool is registered. <a href="/course/view.php?id=2">To the course</a></p>
    <script>
      addEventListener('message', ({ data }) => {
        if (data?.subject !== 'org.imsglobal.lti.close') return;
        document.getElementById('registration').remove();
        document.getElementById('closed').hidden = false;
      });
    </script>`;
  return sendPage(exchange, pageOf(exchange, { title: 'Add a tool', body }));
};
