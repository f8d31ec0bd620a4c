import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { badRequest, conflict, notFound } from '../../core/errors.js';
import type { Collection } from '../../core/knowledge/collection.js';
import type { QuestionTarget, TestQuestion, TestRun, VainQuestion } from '../../core/knowledge/questions.js';
import type { Stores } from '../../core/stores.js';
import { placesOf, type TargetPlaces, type TestRuns } from '../../knowledge/questions/test-runs.js';
import type * as wire from '../contract/knowledge.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { type CollectionLookupDeps, createCollectionLookup, mustBeHere } from './lookup.js';

const MOST_QUESTIONS = 200;
const MOST_TARGETS = 5;
const EXCERPT = 160;

export const Content = z.strictObject({
  question: z.string().trim().min(1, 'must not be empty').max(2_000),
  targets: z
    .array(
      z.strictObject({
        document_id: z.string().max(100),
        chunk_index: z.number().int().min(0).max(2_147_483_647).optional(),
        page: z.number().int().min(1).max(1_000_000).optional(),
      }),
    )
    .min(1, 'name what should be found')
    .max(MOST_TARGETS),
});
export const Run = z.strictObject({ top_k: z.number().int().min(1).max(20).optional() });
export const VainId = z.object({ question: z.coerce.number().int().min(1).max(2_147_483_647) });

type Deps = CollectionLookupDeps &
  Pick<Stores, 'documents' | 'testQuestions' | 'vainQuestions'> & { readonly testRuns: TestRuns };

/** The questions a collection is tested by. They are for those who look after it, and so is what came of them. */
export function testQuestionRoutes(deps: Deps): Router {
  const { documents, testQuestions, testRuns, audit } = deps;
  const toEdit = editableCollection(deps);
  const note = (caller: Caller, { id }: Collection) =>
    audit.record(deedOf(caller, { action: 'change test questions', resource: `collection ${id}` }));
  const contentOf = async (collection: Collection, body: unknown) => {
    const { question, targets } = parseWith(Content, body);
    const resolved: QuestionTarget[] = [];
    for (const [i, target] of targets.entries())
      resolved.push(await resolveTarget(collection.id, { target, i }, documents));
    return { question, targets: resolved };
  };
  const show = async ({ id }: Collection, question: TestQuestion) =>
    showQuestion(question, await placesOf(id, [question], documents), []);

  return Router()
    .get('/lamb/v1/collections/:id/questions', async (req, res) => {
      const { id } = await toEdit(req.params.id, callerOf(res), 'read test questions');
      const [questions, runs] = await Promise.all([testQuestions.list(id), testQuestions.runs(id, 2)]);
      const places = await placesOf(id, questions, documents);
      const [last, before] = runs;
      const all: wire.TestQuestions = {
        data: questions.map((question) => showQuestion(question, places, runs)),
        most: MOST_QUESTIONS,
        run: last ? showRun(last, before, questions) : null,
      };
      res.json(all);
    })
    .post('/lamb/v1/collections/:id/questions', async (req, res) => {
      const caller = callerOf(res);
      const collection = await toEdit(req.params.id, caller, 'change test questions');
      const content = await contentOf(collection, req.body);
      const made = await testQuestions.add(collection.id, content, MOST_QUESTIONS);
      if (!made) throw notFound('The collection');
      if (made === 'too many')
        throw conflict(`A collection can have ${String(MOST_QUESTIONS)} test questions at most.`);
      await note(caller, collection);
      testRuns.changed(collection.id);
      res.status(201).json(await show(collection, made));
    })
    .put('/lamb/v1/collections/:id/questions/:question', async (req, res) => {
      const caller = callerOf(res);
      const collection = await toEdit(req.params.id, caller, 'change test questions');
      const content = await contentOf(collection, req.body);
      const changed = await testQuestions.replace(collection.id, req.params.question, content);
      if (!changed) throw notFound('The test question');
      await note(caller, collection);
      testRuns.changed(collection.id);
      res.json(await show(collection, changed));
    })
    .delete('/lamb/v1/collections/:id/questions/:question', async (req, res) => {
      const caller = callerOf(res);
      const collection = await toEdit(req.params.id, caller, 'change test questions');
      if (!(await testQuestions.delete(collection.id, req.params.question)))
        throw notFound('The test question');
      await note(caller, collection);
      res.status(204).end();
    })
    .post('/lamb/v1/collections/:id/questions/run', async (req, res) => {
      const collection = await toEdit(req.params.id, callerOf(res), 'run test questions');
      const { top_k } = parseWith(Run, req.body ?? {});
      const [before] = await testQuestions.runs(collection.id, 1);
      const run = await testRuns.run(collection, { reason: 'request', topK: top_k });
      if (!run) throw notFound('The collection');
      res.json(showRun(run, before, await testQuestions.list(collection.id)));
    })
    .get('/lamb/v1/collections/:id/questions/runs', async (req, res) => {
      const { limit } = parseWith(PageQuery, req.query, 'The query');
      const { id } = await toEdit(req.params.id, callerOf(res), 'read test questions');
      const [questions, runs] = await Promise.all([
        testQuestions.list(id),
        testQuestions.runs(id, limit + 1),
      ]);
      res.json({ data: runs.slice(0, limit).map((run, i) => showRun(run, runs[i + 1], questions)) });
    });
}

/** The questions for which nothing was found, whoever asked them. */
export function vainQuestionRoutes(deps: Deps): Router {
  const { vainQuestions } = deps;
  const toEdit = editableCollection(deps);
  return Router()
    .get('/lamb/v1/collections/:id/vain-questions', async (req, res) => {
      const { limit, cursor } = parseWith(PageQuery, req.query, 'The query');
      const { id } = await toEdit(req.params.id, callerOf(res), 'read questions asked in vain');
      res.json(pageOf(await vainQuestions.list(id, { limit, cursor }), showVainQuestion));
    })
    .delete('/lamb/v1/collections/:id/vain-questions/:question', async (req, res) => {
      const { question } = parseWith(VainId, req.params, 'The address');
      const { id } = await toEdit(req.params.id, callerOf(res), 'read questions asked in vain');
      if (!(await vainQuestions.delete(id, question))) throw notFound('The question');
      res.status(204).end();
    });
}

function editableCollection(deps: Deps) {
  const find = createCollectionLookup(deps);
  return async (id: string, caller: Caller, action: string): Promise<Collection> => {
    const collection = await find.toEdit(id, caller, action);
    mustBeHere(collection);
    return collection;
  };
}

async function resolveTarget(
  collectionId: string,
  { target, i }: { readonly target: z.output<typeof Content>['targets'][number]; readonly i: number },
  documents: Pick<Stores['documents'], 'get' | 'passage'>,
): Promise<QuestionTarget> {
  const at = `targets.${String(i)}`;
  const document = await documents.get(collectionId, target.document_id);
  if (!document) throw badRequest(`${at}.document_id: there is no such document in this collection.`, at);
  const { id: documentId, filename } = document;
  if (target.chunk_index === undefined) return { documentId, filename, page: target.page };
  const passage = await documents.passage(collectionId, documentId, target.chunk_index);
  if (!passage) throw badRequest(`${at}.chunk_index: the document has no such passage.`, at);
  return { documentId, filename, page: passage.page, text: passage.original ?? passage.text };
}

function showTarget(target: QuestionTarget, places: TargetPlaces): wire.QuestionTarget {
  const { documentId, filename, page, text } = target;
  const [chunk_index] = places.positionsOf(target);
  return {
    ...{ document_id: documentId, filename, page, chunk_index, state: places.stateOf(target) },
    ...(text === undefined ? {} : { excerpt: text.slice(0, EXCERPT).replace(/\p{Cs}$/u, '') }),
  };
}

function showQuestion(
  { id, question, targets, createdAt, updatedAt }: TestQuestion,
  places: TargetPlaces,
  [last, before]: readonly TestRun[],
): wire.TestQuestion {
  return {
    ...{ id, question, targets: targets.map((target) => showTarget(target, places)) },
    ...{ rank: last?.ranks[id], rank_before: before?.ranks[id] },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}

function showRun(
  run: TestRun,
  before: TestRun | undefined,
  questions: readonly TestQuestion[],
): wire.TestRun {
  const asked = questions.map(({ id, question }) => ({ id, question }));
  const wasFound = (at: TestRun | undefined, id: string) => typeof at?.ranks[id] === 'number';
  const isInBoth = ({ id }: wire.AskedQuestion) =>
    id in run.ranks && before !== undefined && id in before.ranks;
  const both = asked.filter(isInBoth);
  return {
    ...{ id: run.id, at: run.at, reason: run.reason, top_k: run.topK, embeddings: run.embeddings ?? null },
    ...{ asked: run.asked, found: run.found, mrr: run.mrr },
    share: run.asked === 0 ? 0 : Math.round((run.found / run.asked) * 10_000) / 10_000,
    newly_found: both.filter(({ id }) => wasFound(run, id) && !wasFound(before, id)),
    lost: both.filter(({ id }) => !wasFound(run, id) && wasFound(before, id)),
  };
}

function showVainQuestion({ id, question, count, lastAskedAt }: VainQuestion): wire.VainQuestion {
  return { id, question, count, last_asked_at: lastAskedAt };
}
