import { Router } from 'express';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { badRequest, conflict, forbidden, notConfigured, notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { Source, SourceContent, SourceSettings } from '../../core/knowledge/source.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import { allowedFolder } from '../../knowledge/sources/folder.js';
import type { SourceRuns } from '../../knowledge/sources/source-runs.js';
import type * as wire from '../contract/knowledge.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { type CollectionLookupDeps, createCollectionLookup, mustBeHere } from './lookup.js';
import {
  Deletion,
  NewSource,
  RunList,
  settingsIn,
  showRun,
  showSettings,
  showSource,
  SourceChange,
  usualName,
} from './source-body.js';

const MOST_SOURCES = 20;

type Deps = CollectionLookupDeps &
  Pick<Stores, 'sources' | 'documentFiles'> & {
    readonly settingsOf: (organizationId: number) => Promise<Settings>;
    readonly box: Pick<SecretBox, 'seal'>;
    readonly sourceRuns: Pick<SourceRuns, 'nudge'>;
    readonly ingestion: Pick<Ingestion, 'nudge'>;
    readonly sourceFolders: readonly string[];
  };

/** Where documents of a collection come from and are kept in step with: for those who may change it. */
export function collectionSourceRoutes(deps: Deps): Router {
  const { sources, documentFiles, audit, box, settingsOf, sourceRuns, ingestion } = deps;
  const find = createCollectionLookup(deps);
  const check = createSourceCheck(deps);
  const collectionOf = async (id: string, caller: Caller, action: string) => {
    const collection = await find.toEdit(id, caller, action);
    mustBeHere(collection);
    return collection;
  };
  const sourceOf = async ({ id }: Collection, source: string) => {
    const found = await sources.get(id, source);
    if (!found) throw notFound('The source');
    return found;
  };
  const record = (caller: Caller, action: string, { id, collectionId }: Source) =>
    audit.record(deedOf(caller, { action, resource: `source ${id} of collection ${collectionId}` }));

  return Router()
    .get('/lamb/v1/collections/:id/sources', async (req, res) => {
      const caller = callerOf(res);
      const { id, organizationId } = await collectionOf(req.params.id, caller, 'list sources');
      const listed: wire.SourceList = {
        data: (await sources.list(id)).map(showSource),
        offers: await check.offersFor(caller, organizationId),
      };
      res.json(listed);
    })
    .post('/lamb/v1/collections/:id/sources', async (req, res) => {
      const caller = callerOf(res);
      await find.mustBeAuthor(caller, 'add source');
      const collection = await collectionOf(req.params.id, caller, 'add source');
      const body = parseWith(NewSource, req.body);
      const { moodle } = await settingsOf(collection.organizationId);
      const settings = settingsIn(body, moodle?.siteUrl);
      await check.mayMake(caller, settings, body.token);
      if ((await sources.list(collection.id)).length >= MOST_SOURCES)
        throw conflict(`A collection may have ${String(MOST_SOURCES)} sources at most.`);
      const made = await sources.create(collection.id, {
        ...{ settings, name: body.name ?? usualName(settings), schedule: body.schedule ?? 'off' },
        token: body.token === undefined ? undefined : box.seal(body.token),
      });
      if (!made) throw notFound('The collection');
      await record(caller, 'add source', made);
      sourceRuns.nudge();
      res.status(201).json(showSource(made));
    })
    .get('/lamb/v1/collections/:id/sources/:source', async (req, res) => {
      const collection = await collectionOf(req.params.id, callerOf(res), 'list sources');
      res.json(showSource(await sourceOf(collection, req.params.source)));
    })
    .put('/lamb/v1/collections/:id/sources/:source', async (req, res) => {
      const caller = callerOf(res);
      const collection = await collectionOf(req.params.id, caller, 'change source');
      const before = await sourceOf(collection, req.params.source);
      const content = await changedContent(before, req.body, { ...deps, caller, check });
      const changed = await sources.replace(collection.id, before.id, content);
      if (!changed) throw notFound('The source');
      await record(caller, 'change source', changed);
      sourceRuns.nudge();
      res.json(showSource(changed));
    })
    .delete('/lamb/v1/collections/:id/sources/:source', async (req, res) => {
      const caller = callerOf(res);
      const collection = await collectionOf(req.params.id, caller, 'delete source');
      const { documents } = parseWith(Deletion, req.query, 'The query');
      const source = await sourceOf(collection, req.params.source);
      const deleted = await sources.delete(collection.id, source.id, documents);
      if (!deleted) throw notFound('The source');
      await record(caller, 'delete source', source);
      await documentFiles.delete(deleted.documentIds);
      ingestion.nudge();
      sourceRuns.nudge();
      res.status(204).end();
    })
    .post('/lamb/v1/collections/:id/sources/:source/run', async (req, res) => {
      const caller = callerOf(res);
      const collection = await collectionOf(req.params.id, caller, 'run source');
      const wanted = await sources.want(collection.id, (await sourceOf(collection, req.params.source)).id);
      if (!wanted) throw notFound('The source');
      sourceRuns.nudge();
      res.status(202).json(showSource(wanted));
    })
    .get('/lamb/v1/collections/:id/sources/:source/runs', async (req, res) => {
      const { limit, cursor } = parseWith(RunList, req.query, 'The query');
      const collection = await collectionOf(req.params.id, callerOf(res), 'list sources');
      const { id } = await sourceOf(collection, req.params.source);
      res.json(pageOf(await sources.runs(collection.id, id, { limit, cursor }), showRun));
    });
}

interface SourceCheck {
  /** Refuses what whoever asks may not make, or what could not work. */
  mayMake(caller: Caller, settings: SourceSettings, token: string | undefined): Promise<void>;
  offersFor(caller: Caller, organizationId: number): Promise<wire.SourceList['offers']>;
}

const isOperator = ({ role }: Caller) => role === 'system_admin';
const isAdministrator = ({ role }: Caller) => role === 'org_admin' || role === 'system_admin';

function createSourceCheck({ audit, settingsOf, sourceFolders }: Deps): SourceCheck {
  const refuse = async (caller: Caller, reason: string, words: string) => {
    await audit.record(denialOf(caller, { action: 'add source', resource: 'collection', reason }));
    throw forbidden(words);
  };
  return {
    async mayMake(caller, settings, token) {
      if (settings.kind === 'folder') {
        // A folder is the machine's, which is nobody's but the operator's to hand out.
        if (!isOperator(caller))
          await refuse(
            caller,
            'no administrator',
            'Only an administrator of this service can use its folders.',
          );
        await allowedFolder(settings.path, sourceFolders);
      }
      if (settings.kind === 'moodle' && settings.byOrganization) {
        // That token sees courses which are not everybody's.
        if (!isAdministrator(caller))
          await refuse(
            caller,
            'no administrator',
            'Only an administrator can use the token of the organisation. Use one of your own, which you find in Moodle under your preferences, or ask an administrator.',
          );
        if (settings.siteUrl === '') throw notConfigured('The Moodle of the organisation');
      }
      checkToken(settings, token);
    },

    async offersFor(caller, organizationId) {
      const { moodle } = await settingsOf(organizationId);
      return {
        organization_moodle: isAdministrator(caller) ? (moodle?.siteUrl ?? null) : null,
        folders: isOperator(caller) ? sourceFolders : [],
      };
    },
  };
}

const addressOf = (settings: SourceSettings): string | undefined =>
  settings.kind === 'moodle' ? settings.siteUrl : settings.kind === 'folder' ? undefined : settings.url;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** One is needed where nothing is public, and never goes out where others could read it. */
function checkToken(settings: SourceSettings, token: string | undefined): void {
  const { kind } = settings;
  const needed = kind === 'moodle' && !settings.byOrganization;
  if (needed && token === undefined)
    throw badRequest(
      'Moodle needs a token. You find yours in Moodle under Preferences, Security keys.',
      'token',
    );
  if (token === undefined) return;
  if (!needed && kind !== 'git') throw badRequest('This source takes no token.', 'token');
  const { protocol, hostname } = new URL(addressOf(settings) ?? '');
  if (protocol !== 'https:' && !LOOPBACK.test(hostname))
    throw badRequest('A token is only sent by https: give the address with https://.', 'settings.url');
}

interface ChangeDeps extends Pick<Deps, 'box' | 'settingsOf'> {
  readonly caller: Caller;
  readonly check: SourceCheck;
}

/** What a body leaves out stays as it was; a token stays only for the host that it was given for. */
async function changedContent(before: Source, body: unknown, deps: ChangeDeps): Promise<SourceContent> {
  const { name, schedule, token, settings: given } = parseWith(SourceChange, body);
  const kept = { name: name ?? before.name, schedule: schedule ?? before.schedule };
  if (given === undefined && token === undefined) return { ...before, ...kept };
  const { kind } = before.settings;
  const whole = parseWith(NewSource, { kind, settings: given ?? showSettings(before.settings) });
  const { moodle } = await deps.settingsOf(before.organizationId);
  const settings = settingsIn(whole, moodle?.siteUrl);
  const isElsewhere = hostOf(settings) !== hostOf(before.settings);
  if (isElsewhere && token === undefined && before.token !== undefined)
    throw badRequest('The address is on another host: enter the token for it as well.', 'token');
  const hasToken = token === undefined ? before.token !== undefined : token !== null;
  await deps.check.mayMake(deps.caller, settings, hasToken ? (token ?? 'kept') : undefined);
  if (token === undefined) return { ...kept, settings, token: before.token };
  return { ...kept, settings, token: token === null ? undefined : deps.box.seal(token) };
}

function hostOf(settings: SourceSettings): string | undefined {
  const address = addressOf(settings);
  return address ? new URL(address).origin : undefined;
}
