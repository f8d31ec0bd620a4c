import { Router } from 'express';
import type { AskCollections } from '../../knowledge/ask-collections.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf, signalOfLeaving } from '../middleware/request-facts.js';
import { Question } from './document-body.js';
import { type CollectionLookupDeps, createCollectionLookup } from './lookup.js';

type Deps = CollectionLookupDeps & { readonly askCollections: AskCollections };

/** "Ask the collection": what a question finds in it, before any assistant uses it. */
export function collectionQueryRoutes(deps: Deps): Router {
  const find = createCollectionLookup(deps);

  return Router().post('/lamb/v1/collections/:id/query', async (req, res) => {
    const collection = await find.toSee(req.params.id, callerOf(res), 'query');
    const { query_text, top_k, threshold, parent_context } = parseWith(Question, req.body);
    const {
      passages,
      embeddings = null,
      failed: [failure],
    } = await deps.askCollections([collection], {
      ...{ query: query_text, topK: top_k, threshold, parentContext: parent_context },
      signal: signalOfLeaving(res),
    });
    if (failure) throw failure.fault;
    res.json({ results: passages, count: passages.length, query: query_text, embeddings });
  });
}
