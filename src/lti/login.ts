import { z } from 'zod';
import type { Platform13 } from '../core/lti/platform.js';
import { refusedLaunch } from './refusals.js';

/** A platform that wants somebody signed in. Nothing in it is proved yet. */
export interface Login {
  readonly issuer: string;
  readonly loginHint: string;
  readonly targetLinkUri: string;
  /** To be handed back byte by byte. */
  readonly messageHint?: string | undefined;
  readonly clientId?: string | undefined;
  readonly deploymentId?: string | undefined;
}

export interface SignInRequest {
  readonly login: Pick<Login, 'loginHint' | 'messageHint'>;
  /** Always the same one: Moodle takes none but those registered, to the letter. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
}

const Given = z.string().min(1).max(2_000);
const Optional = z.string().max(2_000).optional();

/** Each at most once: what is sent twice is no text, and refused. */
const LoginParameters = z.object({
  iss: Given,
  login_hint: Given,
  target_link_uri: Given,
  lti_message_hint: z.string().max(8_000).optional(),
  client_id: Optional,
  lti_deployment_id: Optional,
});

/** The parameters of a login initiation, from a query or a form. */
export function readLogin(parameters: unknown): Login {
  const read = LoginParameters.safeParse(parameters);
  if (!read.success) {
    const name = read.error.issues[0]?.path[0];
    throw refusedLaunch(`login parameter ${String(name ?? '')} is missing or not as it must be`);
  }
  const { data } = read;
  return {
    issuer: data.iss,
    loginHint: data.login_hint,
    targetLinkUri: data.target_link_uri,
    messageHint: data.lti_message_hint,
    clientId: data.client_id === '' ? undefined : data.client_id,
    deploymentId: data.lti_deployment_id === '' ? undefined : data.lti_deployment_id,
  };
}

/** Where the browser is sent so that the platform says who is there. */
export function authRequest(
  { authLoginUrl, clientId }: Pick<Platform13, 'authLoginUrl' | 'clientId'>,
  { login, redirectUri, state, nonce }: SignInRequest,
): string {
  const parameters: readonly (readonly [string, string | undefined])[] = [
    ['scope', 'openid'],
    ['response_type', 'id_token'],
    ['response_mode', 'form_post'],
    ['prompt', 'none'],
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ['login_hint', login.loginHint],
    ['lti_message_hint', login.messageHint],
    ['state', state],
    ['nonce', nonce],
  ];
  const query = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  const url = new URL(authLoginUrl);
  url.hash = '';
  // Not by searchParams, which would write anew what the platform's own address holds.
  url.search = [url.search.slice(1), ...query].filter((part) => part !== '').join('&');
  return url.href;
}
