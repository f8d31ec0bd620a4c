import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { conflict, notFound } from '../../core/errors.js';
import type { KnowledgeDocument } from '../../core/knowledge/document.js';
import type { PassageDecision, StoredDecision, StoredPassage } from '../../core/knowledge/passage.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import { withHeadings } from '../../core/knowledge/passage.js';
import type { TestRuns } from '../../knowledge/questions/test-runs.js';
import type * as wire from '../contract/knowledge.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { showPassage } from './document-body.js';
import { Position } from './documents.js';
import { type CollectionLookupDeps, createCollectionLookup, findDocument } from './lookup.js';

/** Of a collection: where much comes first, nothing does. */
const MOST_PINNED = 5;
const LONGEST_CORRECTION = 8_000;

/** What it leaves out stays; `text: null` brings back what was read. */
export const PassageChange = z
  .strictObject({
    off: z.boolean().optional(),
    pinned: z.boolean().optional(),
    text: z.string().trim().min(1, 'must not be empty').max(LONGEST_CORRECTION).nullable().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must have off, pinned or text');

export const Decision = z.object({ decision: z.coerce.number().int().min(1).max(2_147_483_647) });

type Deps = CollectionLookupDeps &
  Pick<Stores, 'documents'> & {
    readonly ingestion: Pick<Ingestion, 'nudge'>;
    readonly testRuns: Pick<TestRuns, 'changed'>;
    readonly analyser: { termsOf(text: string, language: string): readonly string[] };
  };

/** What those who look after a collection decide about single passages. */
export function passageDecisionRoutes(deps: Deps): Router {
  const { documents, audit, ingestion, testRuns, analyser } = deps;
  const find = createCollectionLookup(deps);

  return Router()
    .patch('/lamb/v1/collections/:id/documents/:doc/passages/:n', async (req, res) => {
      const caller = callerOf(res);
      const { n } = parseWith(Position, req.params, 'The address');
      const collection = await find.toEdit(req.params.id, caller, 'change passage');
      const document = await findDocument(documents, collection, req.params.doc);
      const passage = await documents.passage(collection.id, document.id, n);
      if (!passage) throw notFound('The passage');
      const change = parseWith(PassageChange, req.body);
      const decision = decisionOf(passage, change, { document, analyser });
      const changed = await documents.decide(passage, decision, { mostPinned: MOST_PINNED });
      if (!changed) throw notFound('The passage');
      if (changed === 'too many pinned')
        throw conflict(
          `A collection can have ${String(MOST_PINNED)} pinned passages at most. Unpin another one first.`,
        );
      const resource = `passage ${String(n)} of document ${document.id} of collection ${collection.id}`;
      await audit.record(deedOf(caller, { action: 'change passage', resource }));
      ingestion.nudge();
      testRuns.changed(collection.id);
      res.json(showPassage(changed, { mayEdit: true }));
    })
    .get('/lamb/v1/collections/:id/documents/:doc/stale-decisions', async (req, res) => {
      const collection = await find.toEdit(req.params.id, callerOf(res), 'read');
      const { id } = await findDocument(documents, collection, req.params.doc);
      const decisions = await documents.decisions(collection.id, id);
      res.json({ data: decisions.filter(({ applies }) => !applies).map(showDecision) });
    })
    .delete('/lamb/v1/collections/:id/documents/:doc/stale-decisions/:decision', async (req, res) => {
      const caller = callerOf(res);
      const { decision } = parseWith(Decision, req.params, 'The address');
      const collection = await find.toEdit(req.params.id, caller, 'change passage');
      const { id } = await findDocument(documents, collection, req.params.doc);
      if (!(await documents.forgetDecision(collection.id, id, decision))) throw notFound('The decision');
      const resource = `document ${id} of collection ${collection.id}`;
      await audit.record(deedOf(caller, { action: 'change passage', resource }));
      res.status(204).end();
    });
}

function decisionOf(
  passage: StoredPassage,
  change: z.output<typeof PassageChange>,
  { document, analyser }: Pick<Deps, 'analyser'> & { readonly document: KnowledgeDocument },
): PassageDecision {
  const original = passage.original ?? passage.text;
  const before = passage.original === undefined ? undefined : passage.text;
  const wanted = change.text === undefined ? before : (change.text ?? undefined);
  const corrected = wanted === original ? undefined : wanted;
  const words = withHeadings(corrected ?? original, passage.section);
  return {
    off: change.off ?? passage.isOff,
    pinned: change.pinned ?? passage.isPinned,
    corrected,
    terms: analyser.termsOf(words, document.language ?? 'und'),
  };
}

function showDecision({ id, original, page, off, pinned, corrected, updatedAt }: StoredDecision) {
  return {
    ...{ id, original, page, off, pinned, text: corrected, updated_at: updatedAt },
  } satisfies wire.StaleDecision;
}
