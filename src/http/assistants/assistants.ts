import { Router } from 'express';
import { z } from 'zod';
import type { Avatars } from '../../assistants/avatars.js';
import type { FaultsOfAssistant } from '../../assistants/check.js';
import type { AccessMigration } from '../../assistants/migrate-on-access.js';
import { deedOf } from '../../core/access/audit.js';
import { notFound } from '../../core/errors.js';
import type { PublishGate } from '../../scenarios/gate.js';
import type * as wire from '../contract/assistants.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { assistantAccess } from './access.js';
import {
  ChangedAssistant,
  changedContent,
  createAssistantShow,
  NewAssistant,
  newContent,
  type ShowDeps,
} from './body.js';
import { assistantAvatar, type AvatarRouteDeps } from './avatar.js';
import { assistantBundles, type BundleRoutesDeps } from './bundles.js';
import { assistantConversion } from './conversion.js';
import {
  createAssistantLookup,
  idIn,
  type LookupDeps,
  mustBeMaker,
  mustBeSaveable,
  savedOrThrow,
} from './lookup.js';
import { assistantStarters, type DraftStartersDeps } from './drafts/draft-starters.js';
import { assistantPreview, type PreviewRoutesDeps } from './drafts/preview.js';
import { assistantTrial, type TrialRoutesDeps } from './drafts/try.js';
import { assistantSharing, type SharingRoutesDeps } from './sharing.js';
import { assistantVersions, type VersionRoutesDeps } from './versions.js';

export interface AssistantRoutesDeps extends LookupDeps, ShowDeps {
  readonly avatars: Avatars;
  readonly faultsOf: FaultsOfAssistant;
  readonly migration: AccessMigration;
  readonly gate: PublishGate;
}

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const ListQuery = PageQuery.extend({
  type: z.enum(['classic', 'multi_tool', 'orchestrator']).optional(),
  q: z.string().max(200).optional(),
  owner: z.string().max(320).optional(),
  tag: z.string().max(200).optional(),
  published: flag.optional(),
  /** Those that somebody shares with the caller by name. */
  shared: z.literal('true').optional(),
  /** One's own that were deleted; the other filters do not go with it. */
  deleted: flag.optional(),
});

export function assistantRoutes(deps: AssistantRoutesDeps): Router {
  const { assistants, audit, avatars, policy, faultsOf, migration, gate } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);

  return Router()
    .get('/lamb/v1/assistants', async (req, res) => {
      const { limit, cursor, deleted, shared, ...given } = parseWith(ListQuery, req.query, 'The query');
      const caller = callerOf(res);
      if (deleted) {
        const bin = await assistants.deletedOf(caller.userId, { limit, cursor });
        const shown = await show.all(bin.data, caller);
        res.json(pageOf(bin, (gone): wire.Assistant => ({ ...shown(gone), deleted_at: gone.deletedAt })));
        return;
      }
      const filter = { ...given, sharedWith: shared && caller.userId };
      const page = await assistants.list(policy.visibleTo(caller), filter, { limit, cursor });
      res.json(pageOf(page, await show.all(page.data, caller)));
    })
    .post('/lamb/v1/assistants', async (req, res) => {
      const caller = callerOf(res);
      await mustBeMaker(caller, 'create', audit);
      const content = newContent(parseWith(NewAssistant, req.body));
      await mustBeSaveable(content, { ownerId: caller.userId, assistantId: undefined }, faultsOf);
      const avatar = await avatars.admit(content.avatar, { caller, assistant: undefined });
      const made = await assistants.create(
        { id: caller.userId, organizationId: caller.organizationId },
        { ...content, avatar },
      );
      res.status(201).json(await show.one(made, caller));
    })
    .get('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const found = await find.toSee(idIn(req.params), caller, 'read');
      res.json(await show.one(await migration.onAccess(found), caller));
    })
    .put('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'change');
      const { version, override, ...body } = parseWith(ChangedAssistant, req.body);
      const content = changedContent(body, assistant);
      if (content.metadata) {
        const ownership = { ownerId: assistant.ownerId, assistantId: assistant.id };
        await mustBeSaveable({ ...content, metadata: content.metadata }, ownership, faultsOf);
      }
      const avatar = body.avatar ? await avatars.admit(body.avatar, { caller, assistant }) : content.avatar;
      const edit = { userId: caller.userId, expectedVersion: version };
      const whole = { ...content, avatar, metadata: content.metadata ?? assistant.metadata };
      const settle = await gate.beforeSaving(assistant, whole, { caller, override });
      const saved = savedOrThrow(await migration.save(assistant, { ...content, avatar }, edit));
      await settle(saved);
      res.json(await show.one(saved, caller));
    })
    .delete('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(idIn(req.params), caller, 'delete');
      if (!(await assistants.delete(id))) throw notFound('The assistant');
      await audit.record(deedOf(caller, { action: 'delete', resource: `assistant ${String(id)}` }));
      res.status(204).end();
    });
}

/** Everything below one assistant's address. */
export function assistantParts(
  deps: SharingRoutesDeps &
    VersionRoutesDeps &
    PreviewRoutesDeps &
    TrialRoutesDeps &
    BundleRoutesDeps &
    AvatarRouteDeps &
    DraftStartersDeps,
): Router {
  return Router()
    .use(assistantSharing(deps))
    .use(assistantVersions(deps))
    .use(assistantConversion(deps))
    .use(assistantAccess(deps))
    .use(assistantPreview(deps))
    .use(assistantTrial(deps))
    .use(assistantAvatar(deps))
    .use(assistantStarters(deps))
    .use(assistantBundles(deps));
}
