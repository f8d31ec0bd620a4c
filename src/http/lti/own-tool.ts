import { type Response, Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { forbidden } from '../../core/errors.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';
import type { Stores } from '../../core/stores.js';
import type { KeyFacts } from '../../lti/keys.js';
import type { Lti } from '../../lti/open.js';
import { iconUrl } from '../../lti/registration.js';
import type * as wire from '../contract/lti.js';
import { createAdministration, type Deed } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createRegistrationCodes } from './launch/one-time.js';

export const NewRegistration = z.strictObject({
  name: z.string().trim().min(1).max(200).optional(),
  organization_id: z.number().int().positive().optional(),
});

interface Deps extends Pick<Stores, 'audit' | 'organizations' | 'users' | 'tickets'> {
  readonly lti: Lti;
  readonly box: SecretBox;
}

/** What administrators need to make this service known to a platform: addresses, a link, the service's own keys. */
export function ltiTool({ audit, organizations, users, tickets, lti, box }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  const codes = createRegistrationCodes(tickets, box);
  const deedIn = (res: Response, action: string): Deed => ({ caller: callerOf(res), action });

  /** The keys are those of all organisations. */
  const mustAdministerAll = async (deed: Deed): Promise<void> => {
    if (deed.caller.role === 'system_admin') return;
    const facts = { resource: 'LTI keys', reason: 'no system administrator' };
    await office.refuse(deed, facts, forbidden('Only system administrators may do this.'));
  };

  return Router()
    .get('/lamb/v1/lti/tool', async (_req, res) => {
      await office.mustAdminister(deedIn(res, 'read LTI addresses'));
      res.json(addressesAt(lti.publicUrl));
    })
    .post('/lamb/v1/lti/registrations', async (req, res) => {
      const deed = deedIn(res, 'make LTI registration link');
      await office.mustAdminister(deed);
      const { name, organization_id } = parseWith(NewRegistration, req.body ?? {});
      const { caller } = deed;
      const { id } = await office.organization(organization_id ?? caller.organizationId, deed);
      const { code, expiresAt } = await codes.make({ organizationId: id, madeBy: caller.userId, name });
      await audit.record(
        deedOf(caller, {
          action: deed.action,
          resource: `organisation ${String(id)}`,
          reason: 'for one hour',
        }),
      );
      const url = `${lti.publicUrl}/lti/register?code=${code}`;
      const link: wire.RegistrationLink = { url, expires_at: expiresAt };
      res.status(201).set('Cache-Control', 'no-store').json(link);
    })
    .get('/lamb/v1/lti/keys', async (_req, res) => {
      await mustAdministerAll(deedIn(res, 'list LTI keys'));
      res.json(showKeys(await lti.keys.list()));
    })
    .post('/lamb/v1/lti/keys/rotate', async (_req, res) => {
      const deed = deedIn(res, 'rotate LTI keys');
      await mustAdministerAll(deed);
      await lti.keys.rotate();
      await audit.record(deedOf(deed.caller, { action: deed.action, resource: 'LTI keys' }));
      res.status(201).json(showKeys(await lti.keys.list()));
    });
}

/** Exactly as a platform has to be told them. */
function addressesAt(publicUrl: string): wire.LtiTool {
  const { host, protocol } = new URL(publicUrl);
  return {
    login_url: `${publicUrl}/lti/login`,
    launch_url: `${publicUrl}/lti/launch`,
    deep_link_url: `${publicUrl}/lti/deep-link`,
    jwks_url: `${publicUrl}/lti/jwks.json`,
    register_url: `${publicUrl}/lti/register`,
    launch_url_1p1: `${publicUrl}/lti/v1p1/launch`,
    domain: host,
    icon_url: iconUrl(publicUrl),
    https: protocol === 'https:',
  };
}

function showKeys(keys: readonly KeyFacts[]): { readonly data: readonly wire.LtiKey[] } {
  return {
    data: keys.map(({ kid, createdAt, signs, retiredAt }) => ({
      ...{ kid, created_at: createdAt, signs, retired_at: retiredAt },
    })),
  };
}
