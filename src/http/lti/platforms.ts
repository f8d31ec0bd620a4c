import { Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../access/administrators.js';
import { deedOf } from '../../core/access/audit.js';
import { notFound } from '../../core/errors.js';
import type { LtiPlatform, PlatformChange } from '../../core/lti/platform.js';
import type { Stores } from '../../core/stores.js';
import type { Lti } from '../../lti/open.js';
import type { Check } from '../../lti/self-test.js';
import type * as wire from '../contract/lti.js';
import { createAdministration, type Deed, type IntakeDeps } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { mustBeFree } from './launch/find-platform.js';
import {
  ChangedPlatformBody,
  changeOf,
  newPlatform,
  NewPlatformBody,
  showPlatform,
} from './platform-body.js';

export const Id = z.object({ id: z.coerce.number().int().positive() });
export const ListQuery = PageQuery.extend({ organization_id: z.coerce.number().int().positive().optional() });

/** By what a platform says which site it is. */
const CLAIMS = ['issuer', 'clientId', 'authLoginUrl', 'authTokenUrl', 'keySetUrl'] as const;

interface Deps extends Pick<Stores, 'audit' | 'organizations' | 'platforms' | 'users'>, IntakeDeps {
  readonly lti: Pick<Lti, 'protocol'>;
}

/** The learning platforms of an organisation, for those who look after it. Secrets go in and never come out. */
export function ltiPlatforms({ audit, organizations, platforms, users, lti, box }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  /** As secrets of a configuration are. */
  const seal = (secret: string) => box.seal(JSON.stringify(secret));

  const platformFor = async (params: unknown, deed: Deed): Promise<LtiPlatform> => {
    await office.mustAdminister(deed);
    const { id } = parseWith(Id, params, 'The address');
    const platform = await platforms.get(id);
    if (!platform) throw notFound('The platform');
    if (overseesOrganization(deed.caller, platform.organizationId)) return platform;
    const facts = { resource: nameOf(platform), reason: 'of another organisation' };
    return office.refuse(deed, facts, notFound('The platform'));
  };
  const keep = ({ caller, action }: Deed, platform: LtiPlatform, reason = '') =>
    audit.record(deedOf(caller, { action, resource: nameOf(platform), reason }));

  return Router()
    .get('/lamb/v1/lti/platforms', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'list LTI platforms' };
      await office.mustAdminister(deed);
      const { organization_id, ...page } = parseWith(ListQuery, req.query, 'The query');
      const everywhere = caller.role === 'system_admin' && organization_id === undefined;
      const organizationId = everywhere
        ? undefined
        : (await office.organization(organization_id ?? caller.organizationId, deed)).id;
      res.json(pageOf(await platforms.list({ organizationId }, page), showPlatform));
    })
    .post('/lamb/v1/lti/platforms', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'create LTI platform' };
      await office.mustAdminister(deed);
      const body = parseWith(NewPlatformBody, req.body);
      const { id } = await office.organization(body.organization_id ?? caller.organizationId, deed);
      const wanted = newPlatform(body, seal);
      await mustBeFree(wanted, id, platforms);
      const made = await platforms.create(id, wanted);
      await keep(deed, made, `in organisation ${String(id)}`);
      res.status(201).json(showPlatform(made));
    })
    .get('/lamb/v1/lti/platforms/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'read LTI platform' };
      res.json(showPlatform(await platformFor(req.params, deed)));
    })
    .patch('/lamb/v1/lti/platforms/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'change LTI platform' };
      const platform = await platformFor(req.params, deed);
      const body = parseWith(ChangedPlatformBody[platform.kind], req.body);
      const change = changeOf(body, seal);
      // Whoever only renames it or switches it off claims nothing.
      if (CLAIMS.some((field) => change[field] !== undefined) || change.enabled === true) {
        await mustBeFree(withChange(platform, change), platform.organizationId, platforms);
      }
      const changed = await platforms.update(platform.id, change);
      if (!changed) throw notFound('The platform');
      await keep(deed, changed, `changed ${Object.keys(body).join(', ')}`);
      res.json(showPlatform(changed));
    })
    .post('/lamb/v1/lti/platforms/:id/test', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'test LTI platform' };
      const platform = await platformFor(req.params, deed);
      const { testPlatform } = await lti.protocol();
      const { ok, checks } = await testPlatform(platform);
      await keep(deed, platform, ok ? 'nothing amiss' : `amiss: ${failedOf(checks)}`);
      const answer: wire.PlatformTest = { ok, checks, last_launch_at: platform.lastLaunchAt };
      res.json(answer);
    })
    .delete('/lamb/v1/lti/platforms/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'delete LTI platform' };
      const platform = await platformFor(req.params, deed);
      if (!(await platforms.delete(platform.id))) throw notFound('The platform');
      await keep(deed, platform);
      res.status(204).end();
    });
}

function failedOf(checks: readonly Check[]): string {
  return checks.flatMap(({ name, ok }) => (ok === false ? [name] : [])).join(', ');
}

/** What a change leaves out stays. */
function withChange(platform: LtiPlatform, change: PlatformChange): LtiPlatform {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...platform, ...Object.fromEntries(given) };
}

function nameOf({ id }: LtiPlatform): string {
  return `LTI platform ${String(id)}`;
}
