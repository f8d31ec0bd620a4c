import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { type Annotation, ANNOTATION_STATES, MOST_ANNOTATIONS } from '../../core/assistants/annotation.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { conflict, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import { createAssistantLookup, Id, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/people/insight.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { maySeeRun } from './insight.js';

const Question = z.string().trim().min(1, 'must not be empty').max(1_000);
const Answer = z.string().trim().min(1, 'must not be empty').max(5_000);
const Status = z.enum(ANNOTATION_STATES, { error: 'must be "draft" or "active"' });

export const NewAnnotation = z.strictObject({
  question: Question,
  answer: Answer,
  status: Status.default('draft'),
  run_id: z.string().min(1).max(100).nullish(),
});
export const AnnotationPatch = z
  .strictObject({ question: Question.optional(), answer: Answer.optional(), status: Status.optional() })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must change something: give a question, an answer or a status',
  });
export const Place = Id.extend({
  annotation: z.coerce.number().int().positive().max(2_147_483_647),
});

type Deps = LookupDeps & Pick<Stores, 'annotations' | 'runs'>;

/** Answers as the teacher wants them, beside the assistant: they are in none of its versions. */
export function annotationRoutes(deps: Deps): Router {
  const { annotations, audit, runs } = deps;
  const find = createAssistantLookup(deps);
  const toAnnotate = (params: unknown, caller: Caller) => find.toEdit(idIn(params), caller, 'annotate');
  const keep = (
    caller: Caller,
    action: string,
    { id, assistantId }: Pick<Annotation, 'id' | 'assistantId'>,
  ) =>
    audit.record(
      deedOf(caller, {
        action,
        resource: `assistant ${String(assistantId)}`,
        reason: `annotation ${String(id)}`,
      }),
    );
  const mustBeIts = async (runId: string, assistant: Assistant, caller: Caller): Promise<void> => {
    const run = await runs.get(runId);
    if (run?.assistantId !== assistant.id || !maySeeRun(caller, assistant, run)) throw notFound('The run');
  };

  return Router()
    .get('/lamb/v1/assistants/:id/annotations', async (req, res) => {
      const { id } = await toAnnotate(req.params, callerOf(res));
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await annotations.list(id, page), showAnnotation));
    })
    .post('/lamb/v1/assistants/:id/annotations', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await toAnnotate(req.params, caller);
      const { run_id: runId = null, ...content } = parseWith(NewAnnotation, req.body);
      if (runId !== null) await mustBeIts(runId, assistant, caller);
      const made = await annotations.create({ ...content, assistantId: assistant.id, runId });
      if (!made) {
        const most = String(MOST_ANNOTATIONS);
        throw conflict(`An assistant may have ${most} corrected answers. Delete one first.`);
      }
      await keep(caller, 'create annotation', made);
      res.status(201).json(showAnnotation(made));
    })
    .patch('/lamb/v1/assistants/:id/annotations/:annotation', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await toAnnotate(req.params, caller);
      const { annotation } = parseWith(Place, req.params, 'The address');
      const changed = await annotations.change(id, annotation, parseWith(AnnotationPatch, req.body));
      if (!changed) throw notFound('The annotation');
      await keep(caller, 'change annotation', changed);
      res.json(showAnnotation(changed));
    })
    .delete('/lamb/v1/assistants/:id/annotations/:annotation', async (req, res) => {
      const caller = callerOf(res);
      const { id: assistantId } = await toAnnotate(req.params, caller);
      const { annotation: id } = parseWith(Place, req.params, 'The address');
      if (!(await annotations.delete(assistantId, id))) throw notFound('The annotation');
      await keep(caller, 'delete annotation', { id, assistantId });
      res.status(204).end();
    });
}

function showAnnotation({
  id,
  question,
  answer,
  status,
  runId,
  createdAt,
  updatedAt,
}: Annotation): wire.Annotation {
  return {
    ...{ id, question, answer, status, run_id: runId },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}
