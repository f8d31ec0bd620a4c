import { z } from 'zod';
import { SHORTEST_SECRET } from '../../core/base/redactor.js';
import { faultOfAddress } from '../../core/base/text.js';
import type { LtiPlatform, NewPlatform, PlatformChange } from '../../core/lti/platform.js';
import { MASK } from '../../core/organizations/config-secrets.js';
import type * as wire from '../contract/lti.js';

const Name = z.string().trim().min(1).max(200);
/** As the platform writes it: compared letter by letter at every launch. */
const Id = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\s]+$/u, 'must not have spaces');
const Address = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => faultOfAddress(text) === undefined, 'must be an http:// or https:// URL');
const Secret = z.string().min(SHORTEST_SECRET).max(1_000);

const Fields13 = {
  name: Name,
  issuer: Address,
  client_id: Id,
  deployment_ids: z.array(Id).max(100),
  auth_login_url: Address,
  auth_token_url: Address,
  key_set_url: Address,
  enabled: z.boolean(),
};
const Fields11 = {
  name: Name,
  consumer_key: Id,
  shared_secret: Secret,
  // Null takes it away.
  site_url: Address.nullish(),
  enabled: z.boolean(),
};
const More = { organization_id: z.number().int().positive().optional() };

export const NewPlatformBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('1.3'),
    ...Fields13,
    deployment_ids: Fields13.deployment_ids.default([]),
    enabled: Fields13.enabled.default(true),
    ...More,
  }),
  z.strictObject({
    kind: z.literal('1.1'),
    ...Fields11,
    shared_secret: Secret.refine((text) => text !== MASK, 'must be the secret itself'),
    enabled: Fields11.enabled.default(true),
    ...More,
  }),
]);

/** By kind: a platform remains of its own. */
export const ChangedPlatformBody = {
  '1.3': z.strictObject(Fields13).partial(),
  // Its mask, sent back, means: as it was.
  '1.1': z.strictObject({ ...Fields11, shared_secret: z.union([z.literal(MASK), Secret]) }).partial(),
};

type Seal = (secret: string) => string;
type Changed13 = z.output<(typeof ChangedPlatformBody)['1.3']>;
type Changed11 = z.output<(typeof ChangedPlatformBody)['1.1']>;

export function newPlatform(body: z.output<typeof NewPlatformBody>, seal: Seal): NewPlatform {
  const { name, enabled } = body;
  if (body.kind === '1.1') {
    const { kind, consumer_key, shared_secret, site_url } = body;
    const sharedSecret = seal(shared_secret);
    return { name, enabled, kind, consumerKey: consumer_key, sharedSecret, siteUrl: site_url ?? undefined };
  }
  return {
    ...{ name, enabled, kind: body.kind, issuer: body.issuer, clientId: body.client_id },
    deploymentIds: body.deployment_ids,
    authLoginUrl: body.auth_login_url,
    authTokenUrl: body.auth_token_url,
    keySetUrl: body.key_set_url,
  };
}

export function changeOf(body: Changed13 & Changed11, seal: Seal): PlatformChange {
  const { shared_secret: secret } = body;
  return {
    ...{ name: body.name, enabled: body.enabled, issuer: body.issuer, clientId: body.client_id },
    deploymentIds: body.deployment_ids,
    authLoginUrl: body.auth_login_url,
    authTokenUrl: body.auth_token_url,
    keySetUrl: body.key_set_url,
    consumerKey: body.consumer_key,
    siteUrl: body.site_url,
    sharedSecret: secret === undefined || secret === MASK ? undefined : seal(secret),
  };
}

export function showPlatform(platform: LtiPlatform): wire.Platform {
  const { id, organizationId, kind, name, enabled, lastLaunchAt, createdAt, updatedAt } = platform;
  return {
    ...{ id, organization_id: organizationId, kind, name },
    ...(platform.kind === '1.1'
      ? {
          consumer_key: platform.consumerKey,
          shared_secret: MASK,
          site_url: platform.siteUrl ?? null,
        }
      : {
          issuer: platform.issuer,
          client_id: platform.clientId,
          deployment_ids: platform.deploymentIds,
          auth_login_url: platform.authLoginUrl,
          auth_token_url: platform.authTokenUrl,
          key_set_url: platform.keySetUrl,
        }),
    ...{ enabled, last_launch_at: lastLaunchAt, created_at: createdAt, updated_at: updatedAt },
  };
}
