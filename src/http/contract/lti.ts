import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes of learning platforms and of this tool's own registration answer with. */

export const Platform = z.object({
  id: z.number(),
  organization_id: z.number(),
  kind: z.enum(['1.3', '1.1']),
  name: z.string(),
  issuer: z.string().exactOptional(),
  client_id: z.string().exactOptional(),
  deployment_ids: z.array(z.string()).exactOptional(),
  auth_login_url: z.string().exactOptional(),
  auth_token_url: z.string().exactOptional(),
  key_set_url: z.string().exactOptional(),
  consumer_key: z.string().exactOptional(),
  shared_secret: z.string().exactOptional().describe('Never the secret itself: a mask where there is one.'),
  site_url: z.string().nullable().exactOptional(),
  enabled: z.boolean(),
  last_launch_at: Moment.nullable(),
  created_at: Moment,
  updated_at: Moment,
});
export type Platform = Told<typeof Platform>;

export const LtiTool = z
  .object({
    login_url: z.string(),
    launch_url: z.string(),
    deep_link_url: z.string(),
    jwks_url: z.string(),
    register_url: z.string(),
    launch_url_1p1: z.string(),
    domain: z.string(),
    icon_url: z.string(),
    https: z.boolean(),
  })
  .describe('What a platform has to be told about us.');
export type LtiTool = Told<typeof LtiTool>;

export const PlatformTest = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({
      name: z.enum(['address', 'deployments', 'keys', 'clock', 'sign_in', 'access_token']),
      ok: z.boolean().nullable().describe('Null when it could not be told.'),
      message: z.string(),
    }),
  ),
  last_launch_at: Moment.nullable(),
});
export type PlatformTest = Told<typeof PlatformTest>;

export const RegistrationLink = z.object({
  url: z.string(),
  expires_at: Moment,
});
export type RegistrationLink = Told<typeof RegistrationLink>;

export const LtiKey = z.object({
  kid: z.string(),
  created_at: Moment,
  signs: z.boolean(),
  retired_at: Moment.nullable(),
});
export type LtiKey = Told<typeof LtiKey>;

export const LtiKeys = z.object({ data: z.array(LtiKey) });

export const VisitToken = z.object({ token: z.string(), expires_at: Moment });

export const PublicKeys = z
  .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
  .describe('A JSON Web Key Set (RFC 7517).');
