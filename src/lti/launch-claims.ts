import { z } from 'zod';
import { type JsonRecord, own } from '../core/base/json.js';
import { faultOfAddress } from '../core/base/text.js';
import { Id, Subject } from './optional-claims.js';
import { refusedLaunch } from './refusals.js';

export const LTI = 'https://purl.imsglobal.org/spec/lti/claim/';
export const DEEP_LINKING = 'https://purl.imsglobal.org/spec/lti-dl/claim/';

/** The claims that are read, by the names they have here. */
const CLAIMS = {
  ...{ iss: 'iss', aud: 'aud', azp: 'azp', exp: 'exp', iat: 'iat', nonce: 'nonce', sub: 'sub' },
  ...{ name: 'name', given_name: 'given_name', family_name: 'family_name' },
  version: `${LTI}version`,
  message_type: `${LTI}message_type`,
  deployment_id: `${LTI}deployment_id`,
  target_link_uri: `${LTI}target_link_uri`,
  roles: `${LTI}roles`,
  context: `${LTI}context`,
  resource_link: `${LTI}resource_link`,
  launch_presentation: `${LTI}launch_presentation`,
  custom: `${LTI}custom`,
  deep_linking_settings: `${DEEP_LINKING}deep_linking_settings`,
  grades: 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint',
  roster: 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice',
} as const;

const Address = z
  .string()
  .max(2_000)
  .refine((text) => faultOfAddress(text) === undefined);

/** Whatever is optional may also be null, or of a kind that nobody expects: then it was not said. */
const Text = z.string().max(20_000).nullish().catch(undefined);
const optional = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).optional().catch(undefined);

const Common = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string()).min(1).max(50)]),
  azp: z.string().nullish(),
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
  sub: Subject,
  ...{ name: Text, given_name: Text, family_name: Text },
  version: z.literal('1.3.0'),
  deployment_id: Id,
  target_link_uri: Address,
  roles: z.array(z.string().max(2_000)).max(200),
  context: optional({ id: Text, title: Text, label: Text }),
  launch_presentation: optional({ locale: Text, document_target: Text, return_url: Text }),
  custom: z.record(z.string(), z.unknown()).optional().catch(undefined),
  grades: optional({
    scope: z.array(z.string().max(500)).max(50).optional().catch(undefined),
    ...{ lineitem: Text, lineitems: Text },
  }),
  roster: optional({ context_memberships_url: Text }),
});

const Claims = z.discriminatedUnion('message_type', [
  Common.extend({
    message_type: z.literal('LtiResourceLinkRequest'),
    resource_link: z.object({ id: Id, title: Text }),
  }),
  Common.extend({
    message_type: z.literal('LtiDeepLinkingRequest'),
    deep_linking_settings: z.object({
      deep_link_return_url: Address,
      accept_types: z.array(z.string()),
      accept_presentation_document_targets: z.array(z.string()),
      accept_multiple: z.boolean().nullish(),
      accept_lineitem: z.boolean().nullish(),
      data: z.string().max(20_000).nullish(),
    }),
  }),
]);

export type LaunchClaims = z.output<typeof Claims>;

/** What a verified message claims, with all there must be. Whether it is true of the platform is yet to be seen. */
export function launchClaims(payload: JsonRecord): LaunchClaims {
  const named = Object.entries(CLAIMS).map(([name, claim]) => [name, own(payload, claim)] as const);
  const claims = Claims.safeParse(Object.fromEntries(named));
  if (claims.success) return claims.data;
  throw refusedLaunch(`claim ${String(claims.error.issues[0]?.path[0])} is missing or not as it must be`);
}
