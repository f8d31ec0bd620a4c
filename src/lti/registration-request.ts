import { GRADE_SCOPES } from './grade-service.js';
import { ROSTER_SCOPE } from './names-and-roles.js';

export const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';

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
