import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import { CollectionChange, collectionContent, NewCollection, showCollection } from './collection-body.js';
import { type CollectionLookupDeps, createCollectionLookup } from './lookup.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
const NOTHING = { name: '', description: '', isShared: false } as const;

type Deps = CollectionLookupDeps &
  Pick<Stores, 'documentFiles'> & {
    readonly ingestion: Pick<Ingestion, 'nudge'>;
  };

/** Knowledge bases; what is in them has routes of its own. */
export function collectionRoutes(deps: Deps): Router {
  const { collections, documentFiles, audit, policy, ingestion } = deps;
  const find = createCollectionLookup(deps);
  const show = async (collection: Collection, caller: Caller) => {
    const sizes = await collections.sizes([collection.id]);
    return showCollection(collection, sizes.get(collection.id), { policy, caller });
  };
  const keepSharing = async (caller: Caller, { id, isShared }: Collection, wasShared: boolean) => {
    if (isShared === wasShared) return;
    const action = isShared ? 'share' : 'unshare';
    await audit.record(deedOf(caller, { action, resource: `collection ${id}` }));
  };

  return Router()
    .get('/lamb/v1/collections', async (req, res) => {
      const caller = callerOf(res);
      const { limit, cursor, q } = parseWith(ListQuery, req.query, 'The query');
      const page = await collections.list(policy.visibleTo(caller), { q }, { limit, cursor });
      const sizes = await collections.sizes(page.data.map(({ id }) => id));
      res.json(
        pageOf(page, (collection) =>
          showCollection(collection, sizes.get(collection.id), { policy, caller }),
        ),
      );
    })
    .post('/lamb/v1/collections', async (req, res) => {
      const caller = callerOf(res);
      await find.mustBeAuthor(caller, 'create');
      const { external_id: externalId, ...body } = parseWith(NewCollection, req.body);
      if (externalId !== undefined) await find.mustAdminister(caller, 'register');
      const owner = { id: caller.userId, organizationId: caller.organizationId };
      const made = await collections.create(owner, collectionContent(body, NOTHING), externalId);
      if (externalId !== undefined)
        await audit.record(deedOf(caller, { action: 'register', resource: `collection ${made.id}` }));
      await keepSharing(caller, made, false);
      res.status(201).json(await show(made, caller));
    })
    .get('/lamb/v1/collections/:id', async (req, res) => {
      const caller = callerOf(res);
      res.json(await show(await find.toSee(req.params.id, caller, 'read'), caller));
    })
    .put('/lamb/v1/collections/:id', async (req, res) => {
      const caller = callerOf(res);
      const before = await find.toEdit(req.params.id, caller, 'change');
      const content = collectionContent(parseWith(CollectionChange, req.body), before);
      const changed = await collections.replace(before.id, content);
      if (!changed) throw notFound('The collection');
      await keepSharing(caller, changed, before.isShared);
      res.json(await show(changed, caller));
    })
    .delete('/lamb/v1/collections/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(req.params.id, caller, 'delete');
      const deleted = await collections.delete(id);
      if (!deleted) throw notFound('The collection');
      await audit.record(deedOf(caller, { action: 'delete', resource: `collection ${id}` }));
      await documentFiles.delete(deleted.documentIds);
      ingestion.nudge();
      res.status(204).end();
    });
}
