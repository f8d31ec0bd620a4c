import { z } from 'zod';
import { faultOfAddress } from '../core/base/text.js';
import { AppError, badRequest, unusableAnswer, upstreamRefused } from '../core/errors.js';
import type { NewPlatform } from '../core/lti/platform.js';
import { ask, jsonIn } from './exchange.js';
import { GRADE_SCOPES } from './grade-service.js';
import { ROSTER_SCOPE } from './names-and-roles.js';
import { Id, nameFrom } from './optional-claims.js';

const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';

const NAME = 'Bellwether';

/** The picture that platforms show beside an activity of ours. */
export function iconUrl(publicUrl: string): string {
  return `${publicUrl}/favicon.svg`;
}

/** Everything a platform needs to know of us, by the addresses it is to use. */
export function registrationRequest(publicUrl: string) {
  const launch = `${publicUrl}/lti/launch`;
  return {
    application_type: 'web',
    response_types: ['id_token'],
    grant_types: ['implicit', 'client_credentials'],
    initiate_login_uri: `${publicUrl}/lti/login`,
    redirect_uris: [launch],
    client_name: NAME,
    client_uri: publicUrl,
    logo_uri: iconUrl(publicUrl),
    jwks_uri: `${publicUrl}/lti/jwks.json`,
    token_endpoint_auth_method: 'private_key_jwt',
    scope: [...GRADE_SCOPES, ROSTER_SCOPE].join(' '),
    [TOOL_CONFIGURATION]: {
      domain: new URL(publicUrl).host,
      description: 'AI assistants for a course',
      target_link_uri: launch,
      // Names, so that teachers know whom they grade. Nothing here needs an e-mail address, so none is asked for.
      claims: ['iss', 'sub', 'name', 'given_name', 'family_name'],
      messages: [
        { type: 'LtiResourceLinkRequest', target_link_uri: launch, label: NAME },
        { type: 'LtiDeepLinkingRequest', target_link_uri: `${publicUrl}/lti/deep-link`, label: NAME },
      ],
    },
  };
}

type Fetch = typeof globalThis.fetch;

const PLATFORM_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-platform-configuration';

const Address = z
  .string()
  .max(2_000)
  .refine((text) => faultOfAddress(text) === undefined);
const Configuration = z.object({
  issuer: Address,
  authorization_endpoint: Address,
  token_endpoint: Address,
  jwks_uri: Address,
  registration_endpoint: Address,
  [PLATFORM_CONFIGURATION]: z
    .object({ product_family_code: z.string().max(200).nullish() })
    .nullish()
    .catch(undefined),
});

/** How a platform describes itself to tools that register themselves. */
export type PlatformConfiguration = z.output<typeof Configuration>;

/** Only at the issuer's own origin: nobody describes a platform but itself. */
export async function readConfiguration(fetch: Fetch, url: string): Promise<PlatformConfiguration> {
  if (!Address.safeParse(url).success) {
    throw badRequest('The address of the platform’s configuration is not one.', 'openid_configuration');
  }
  const reply = await ask(fetch, { url, headers: { accept: 'application/json' } });
  if (reply.status !== 200) throw upstreamRefused('The configuration of the learning platform', reply.status);
  const read = Configuration.safeParse(jsonIn(reply));
  if (!read.success) {
    const what = String(read.error.issues[0]?.path[0] ?? 'everything');
    throw unusableAnswer(`The configuration of the learning platform lacks what is needed: ${what}.`);
  }
  if (new URL(read.data.issuer).origin !== new URL(url).origin) {
    throw unusableAnswer(
      'The configuration of the learning platform names an issuer that is somewhere else.',
    );
  }
  return read.data;
}

export interface Registering {
  readonly configuration: PlatformConfiguration;
  /** Absent where the platform gave none. */
  readonly registrationToken?: string | undefined;
  readonly publicUrl: string;
  /** What administrators call the platform here; its host when absent. */
  readonly name?: string | undefined;
}

const Registered = z.object({
  client_id: Id,
  [TOOL_CONFIGURATION]: z.object({ deployment_id: z.coerce.string().pipe(Id).optional() }).nullish(),
});

/** Registers us with a platform, once, and says what to know it by. */
export async function register(
  fetch: Fetch,
  registering: Registering,
): Promise<Extract<NewPlatform, { kind: '1.3' }>> {
  const { configuration, registrationToken: token, publicUrl } = registering;
  const reply = await ask(fetch, {
    url: configuration.registration_endpoint,
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json' },
      ...(token === undefined ? {} : { authorization: `Bearer ${headerSafe(token)}` }),
    },
    body: JSON.stringify(registrationRequest(publicUrl)),
  });
  if (reply.status < 200 || reply.status > 299) throw notRegistered(reply.status);
  const answer = Registered.safeParse(jsonIn(reply));
  if (!answer.success)
    throw unusableAnswer('The learning platform did not say by which client id it knows us.');
  const deployment = answer.data[TOOL_CONFIGURATION]?.deployment_id;
  return {
    kind: '1.3',
    name: nameFrom(registering.name, nameOf(configuration)),
    enabled: true,
    issuer: configuration.issuer,
    clientId: answer.data.client_id,
    deploymentIds: deployment === undefined ? [] : [deployment],
    authLoginUrl: configuration.authorization_endpoint,
    authTokenUrl: configuration.token_endpoint,
    keySetUrl: configuration.jwks_uri,
  };
}

function headerSafe(token: string): string {
  if (/^[\x21-\x7e]{1,8000}$/.test(token)) return token;
  throw badRequest('The registration token is not one.', 'registration_token');
}

function notRegistered(status: number): AppError {
  if (status !== 401 && status !== 403)
    return upstreamRefused('The registration at the learning platform', status);
  return unusableAnswer(
    'The learning platform refused the registration. Its link works once and for a while only: begin again in the platform.',
  );
}

function nameOf(configuration: PlatformConfiguration): string {
  const family = configuration[PLATFORM_CONFIGURATION]?.product_family_code ?? '';
  const { host } = new URL(configuration.issuer);
  return family === '' ? host : `${family} (${host})`;
}
