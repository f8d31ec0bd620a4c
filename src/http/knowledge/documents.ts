import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { nameInAddress } from '../../knowledge/ingest/fetch-document.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import type { TestRuns } from '../../knowledge/questions/test-runs.js';
import type * as wire from '../contract/knowledge.js';
import { sendDocument } from '../middleware/download.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import {
  DocumentChange,
  DocumentList,
  FromAddress,
  MOST_TAGS,
  showDocument,
  showPassage,
  TagChange,
} from './document-body.js';
import { type CollectionLookupDeps, createCollectionLookup, findDocument, mustBeHere } from './lookup.js';

export const Position = z.object({ n: z.coerce.number().int().min(0).max(2_147_483_647) });

export type DocumentDeps = CollectionLookupDeps &
  Pick<Stores, 'documents' | 'documentFiles' | 'sources'> & {
    readonly settingsOf: (organizationId: number) => Promise<Settings>;
    readonly ingestion: Pick<Ingestion, 'nudge'>;
    readonly testRuns: Pick<TestRuns, 'changed'>;
  };

/** What is in a collection, and what is being made of it. Uploads come as forms and are taken elsewhere. */
export function collectionDocumentRoutes(deps: DocumentDeps): Router {
  const { documents, documentFiles, sources, audit, policy, settingsOf, ingestion, testRuns } = deps;
  const find = createCollectionLookup(deps);
  const viewOf = async ({ id, organizationId }: Collection, shown: readonly KnowledgeDocument[] = []) => ({
    wantsVectors: (await settingsOf(organizationId)).embeddings !== undefined,
    sources: shown.some(({ sourceId }) => sourceId !== undefined) ? await sources.list(id) : [],
  });
  const mayEdit = (collection: Collection, caller: Caller) => ({
    mayEdit: policy.mayEditCollection(caller, collection).allowed,
  });

  return Router()
    .get('/lamb/v1/collections/:id/documents', async (req, res) => {
      const { limit, cursor, q, status } = parseWith(DocumentList, req.query, 'The query');
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      mustBeHere(collection);
      const page = await documents.list(collection.id, { q, status }, { limit, cursor });
      const view = await viewOf(collection, page.data);
      const shown: wire.DocumentPage = {
        ...pageOf(page, (document) => showDocument(document, view)),
        by_status: await documents.countByStatus(collection.id),
      };
      res.json(shown);
    })
    .post('/lamb/v1/collections/:id/documents', async (req, res) => {
      const caller = callerOf(res);
      await find.mustBeAuthor(caller, 'upload');
      const collection = await find.toEdit(req.params.id, caller, 'upload');
      mustBeHere(collection);
      const { url } = parseWith(FromAddress, req.body);
      const facts = { id: randomUUID(), bytes: 0, sha256: undefined };
      const added = await documents.add(collection.id, {
        ...{ ...facts, filename: nameInAddress(url), sourceUrl: url.href },
      });
      if (!added) throw notFound('The collection');
      ingestion.nudge();
      res.status(202).json({ documents: [showDocument(added.document, await viewOf(collection))] });
    })
    .get('/lamb/v1/collections/:id/documents/:doc', async (req, res) => {
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      const document = await findDocument(documents, collection, req.params.doc);
      res.json(showDocument(document, await viewOf(collection, [document])));
    })
    .patch('/lamb/v1/collections/:id/documents/:doc', async (req, res) => {
      const caller = callerOf(res);
      const collection = await find.toEdit(req.params.id, caller, 'change document');
      const { id } = await findDocument(documents, collection, req.params.doc);
      const changed = await documents.change(collection.id, id, parseWith(DocumentChange, req.body));
      if (!changed) throw notFound('The document');
      const resource = `document ${id} of collection ${collection.id}`;
      await audit.record(deedOf(caller, { action: 'change document', resource }));
      testRuns.changed(collection.id);
      res.json(showDocument(changed, await viewOf(collection, [changed])));
    })
    .get('/lamb/v1/collections/:id/tags', async (req, res) => {
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      const data: readonly wire.Tag[] = await documents.tags(collection.id);
      res.json({ data });
    })
    .post('/lamb/v1/collections/:id/tags', async (req, res) => {
      const caller = callerOf(res);
      const collection = await find.toEdit(req.params.id, caller, 'change document');
      mustBeHere(collection);
      const { documents: ids, add, remove } = parseWith(TagChange, req.body);
      const changed = await documents.changeTags(collection.id, ids, { add, remove, most: MOST_TAGS });
      const resource = `collection ${collection.id}`;
      await audit.record(deedOf(caller, { action: 'change document', resource }));
      res.json({ changed });
    })
    .delete('/lamb/v1/collections/:id/documents/:doc', async (req, res) => {
      const caller = callerOf(res);
      const collection = await find.toEdit(req.params.id, caller, 'delete document');
      const { id } = await findDocument(documents, collection, req.params.doc);
      if (!(await documents.delete(collection.id, id))) throw notFound('The document');
      const resource = `document ${id} of collection ${collection.id}`;
      await audit.record(deedOf(caller, { action: 'delete', resource }));
      await documentFiles.delete([id]);
      ingestion.nudge();
      testRuns.changed(collection.id);
      res.status(204).end();
    })
    .post('/lamb/v1/collections/:id/documents/:doc/reingest', async (req, res) => {
      const caller = callerOf(res);
      const collection = await find.toEdit(req.params.id, caller, 'reingest document');
      const { id } = await findDocument(documents, collection, req.params.doc);
      const queued = await documents.requeue(collection.id, id);
      if (!queued) throw notFound('The document');
      ingestion.nudge();
      res.status(202).json(showDocument(queued, await viewOf(collection, [queued])));
    })
    .get('/lamb/v1/collections/:id/documents/:doc/passages', async (req, res) => {
      const { limit, cursor } = parseWith(PageQuery, req.query, 'The query');
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      const { id } = await findDocument(documents, collection, req.params.doc);
      const view = mayEdit(collection, callerOf(res));
      const page = await documents.passages(collection.id, id, { limit, cursor });
      res.json(pageOf(page, (passage) => showPassage(passage, view)));
    })
    .get('/lamb/v1/collections/:id/documents/:doc/passages/:n', async (req, res) => {
      const { n } = parseWith(Position, req.params, 'The address');
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      const { id } = await findDocument(documents, collection, req.params.doc);
      const passage = await documents.passage(collection.id, id, n);
      if (!passage) throw notFound('The passage');
      const [section] = await documents.sections([passage.sectionId]);
      const view = mayEdit(collection, callerOf(res));
      res.json({ ...showPassage(passage, view), section_text: section?.text ?? passage.text });
    })
    .get('/lamb/v1/collections/:id/documents/:doc/file', async (req, res) => {
      const collection = await find.toSee(req.params.id, callerOf(res), 'read');
      const document = await findDocument(documents, collection, req.params.doc);
      await sendDocument(res, document, await documentFiles.open(document.id));
    });
}
