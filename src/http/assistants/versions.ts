import { Router } from 'express';
import { z } from 'zod';
import type { FaultsOfAssistant } from '../../assistants/check.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { AssistantVersion } from '../../core/assistants/history.js';
import { invalidConfiguration, notFound } from '../../core/errors.js';
import { idIn } from './assistant-address.js';
import { createAssistantLookup, type LookupDeps } from './lookup.js';
import { createAssistantShow } from './assistant-show.js';
import { mustBeSaveable, savedOrThrow } from './assistant-saving.js';
import { diffVersions, showVersion, showVersionFacts } from './assistant-version-body.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

export interface VersionRoutesDeps extends LookupDeps {
  readonly faultsOf: FaultsOfAssistant;
}

const VersionNumber = z.coerce.number().int().positive();
const Address = z.object({ n: VersionNumber });
const DiffQuery = z.object({ with: VersionNumber.optional() });
const Restoring = z.strictObject({ version: z.number().int().positive().optional() });

/** What an assistant was, for those who may read how it is made; and the way back. */
export function assistantVersions(deps: VersionRoutesDeps): Router {
  const { assistants, faultsOf } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);
  const versionOf = async ({ id }: Assistant, number: number): Promise<AssistantVersion> => {
    const version = await assistants.version(id, number);
    if (!version) throw notFound('The version');
    return version;
  };
  const numberIn = (params: unknown) => parseWith(Address, params, 'The address').n;

  return Router()
    .get('/lamb/v1/assistants/:id/versions', async (req, res) => {
      const { id } = await find.toEdit(idIn(req.params), callerOf(res), 'list versions');
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await assistants.versions(id, page), showVersionFacts));
    })
    .get('/lamb/v1/assistants/:id/versions/:n', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'read version');
      res.json(showVersion(await versionOf(assistant, numberIn(req.params))));
    })
    .get('/lamb/v1/assistants/:id/versions/:n/diff', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'compare versions');
      const { with: other = assistant.version } = parseWith(DiffQuery, req.query, 'The query');
      const [from, to] = await Promise.all([
        versionOf(assistant, numberIn(req.params)),
        versionOf(assistant, other),
      ]);
      res.json(diffVersions(from, to));
    })
    .post('/lamb/v1/assistants/:id/versions/:n/restore', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'restore version');
      const old = await versionOf(assistant, numberIn(req.params));
      const { version: expectedVersion = assistant.version } = parseWith(Restoring, req.body ?? {});
      if (!old.metadata)
        throw invalidConfiguration('This version cannot be restored: its metadata is not a JSON object.');
      const ownership = { ownerId: assistant.ownerId, assistantId: assistant.id };
      await mustBeSaveable({ ...old, metadata: old.metadata }, ownership, faultsOf);

      const edit = { userId: caller.userId, expectedVersion };
      const restored = savedOrThrow(await assistants.restoreVersion(assistant.id, old.version, edit));
      res.json(await show.one(restored, caller));
    });
}
