import { Router } from 'express';
import { z } from 'zod';
import type { AccessPolicy } from '../../core/access/access.js';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import {
  type Collection,
  type CollectionContent,
  type CollectionSize,
  isExternalId,
} from '../../core/knowledge/collection.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import type { AskCollections } from '../../knowledge/knowledge.js';
import type { AskedInVain } from '../../knowledge/questions/asked-in-vain.js';
import type * as wire from '../contract/knowledge.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf, signalOfLeaving } from '../middleware/request-facts.js';
import { Question } from './document-body.js';
import { type CollectionLookupDeps, createCollectionLookup } from './lookup.js';

export const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
const NOTHING = { name: '', description: '', isShared: false, ocr: false } as const;

type Deps = CollectionLookupDeps &
  Pick<Stores, 'documents' | 'documentFiles'> & {
    readonly ingestion: Pick<Ingestion, 'nudge'>;
  };

/** Knowledge bases; what is in them has routes of its own. */
export function collectionRoutes(deps: Deps): Router {
  const { collections, documents, documentFiles, audit, policy, ingestion } = deps;
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
      if (changed.ocr && !before.ocr && (await documents.requeueScans(changed.id)) > 0) ingestion.nudge();
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

const Name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be one line');
const EXTERNAL_ID =
  'must be the id on the server: a number such as 7, without signs, zeros or blanks before it, or a UUID in lower case';
const Rest = {
  description: z.string().max(10_000).optional(),
  is_shared: z.boolean().optional(),
  ocr: z.boolean().optional(),
};

/** Of a collection on the organisation's knowledge base server. */
const ExternalId = z
  .union([z.string(), z.number()], EXTERNAL_ID)
  .transform(String)
  .refine(isExternalId, EXTERNAL_ID)
  .optional();

export const NewCollection = z.strictObject({ name: Name, ...Rest, external_id: ExternalId });
export const CollectionChange = z.strictObject({ name: Name.optional(), ...Rest });

/** What a body leaves out stays as it was. */
function collectionContent(
  { name, description, is_shared, ocr }: z.output<typeof CollectionChange>,
  before: CollectionContent,
): CollectionContent {
  return {
    name: name ?? before.name,
    description: description ?? before.description,
    isShared: is_shared ?? before.isShared,
    ocr: ocr ?? before.ocr,
  };
}

const EMPTY: CollectionSize = { documents: 0, passages: 0, awaitingVectors: 0 };

function showCollection(
  collection: Collection,
  size: CollectionSize = EMPTY,
  { policy, caller }: { readonly policy: AccessPolicy; readonly caller: Caller },
): wire.Collection {
  return {
    id: collection.id,
    name: collection.name,
    description: collection.description,
    owner: collection.owner,
    organization_id: collection.organizationId,
    is_shared: collection.isShared,
    ocr: collection.ocr,
    place: collection.place,
    ...(collection.externalId === undefined ? {} : { external_id: collection.externalId }),
    documents: size.documents,
    passages: size.passages,
    awaiting_vectors: size.awaitingVectors,
    may_edit: policy.mayEditCollection(caller, collection).allowed,
    created_at: collection.createdAt,
    updated_at: collection.updatedAt,
  };
}

type QueryDeps = CollectionLookupDeps & {
  readonly askCollections: AskCollections;
  readonly inVain: Pick<AskedInVain, 'note'>;
};

/** "Ask the collection": what a question finds in it, before any assistant uses it. */
export function collectionQueryRoutes(deps: QueryDeps): Router {
  const find = createCollectionLookup(deps);

  return Router().post('/lamb/v1/collections/:id/query', async (req, res) => {
    const caller = callerOf(res);
    const collection = await find.toSee(req.params.id, caller, 'query');
    const { query_text, top_k, threshold, parent_context, keep_weak, tags } = parseWith(Question, req.body);
    const {
      passages,
      embeddings = null,
      nothingFits = false,
      failed: [failure],
    } = await deps.askCollections([collection], {
      ...{ query: query_text, topK: top_k, threshold, parentContext: parent_context, keepWeak: keep_weak },
      ...(tags ? { tags } : {}),
      signal: signalOfLeaving(res),
    });
    if (failure) throw failure.fault;
    // Whoever looks after it is trying it out.
    const isTrial = deps.policy.mayEditCollection(caller, collection).allowed;
    if (passages.length === 0 && !isTrial && collection.place === 'here')
      deps.inVain.note([collection], query_text, { activityId: caller.launch?.activityId });
    const found: wire.Findings = {
      ...{ results: passages, count: passages.length, query: query_text, embeddings },
      nothing_fits: nothingFits,
    };
    res.json(found);
  });
}
