import { Router } from 'express';
import { z } from 'zod';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { conflict, forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import { faultsInWords, readRubric, type StoredRubric } from '../../core/rubrics/rubric.js';
import { rubricMarkdown } from '../../core/rubrics/markdown.js';
import { warningsOf } from '../../core/rubrics/score.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { RubricBody, RubricChange, rubricContent, showRubric } from './rubric-body.js';
import { createRubricLookup, type RubricLookupDeps } from './rubric-lookup.js';

const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
const Format = z.object({ format: z.enum(['json', 'markdown']).default('json') });

export function rubricRoutes(deps: RubricLookupDeps): Router {
  const { rubrics, audit, policy } = deps;
  const find = createRubricLookup(deps);
  const keepPublishing = async (caller: Caller, { id, isPublic }: StoredRubric, wasPublic: boolean) => {
    if (isPublic === wasPublic) return;
    const action = isPublic ? 'publish' : 'unpublish';
    await audit.record(deedOf(caller, { action, resource: `rubric ${id}` }));
  };

  const show = (caller: Caller) => (rubric: StoredRubric) =>
    showRubric(rubric, policy.mayEditRubric(caller, rubric).allowed);

  return Router()
    .get('/lamb/v1/rubrics', async (req, res) => {
      const { limit, cursor, q } = parseWith(ListQuery, req.query, 'The query');
      const caller = callerOf(res);
      const page = await rubrics.list(policy.visibleTo(caller), { q }, { limit, cursor });
      res.json(pageOf(page, show(caller)));
    })
    .post('/lamb/v1/rubrics', async (req, res) => {
      const caller = callerOf(res);
      if (caller.role === 'student') {
        await audit.record(denialOf(caller, { action: 'create', resource: 'rubric', reason: 'a student' }));
        throw forbidden('Students cannot make rubrics.');
      }
      const content = rubricContent(parseWith(RubricBody, req.body));
      const made = await rubrics.create(
        { id: caller.userId, organizationId: caller.organizationId },
        content,
      );
      await keepPublishing(caller, made, false);
      res.status(201).json(show(caller)(made));
    })
    .post('/lamb/v1/rubrics/preview', (req, res) => {
      // As a model would read it, of what may never be stored.
      const content = rubricContent(parseWith(RubricBody, req.body));
      const reading = readRubric(content.data);
      if (!reading.ok) throw invalidConfiguration(faultsInWords(reading.faults));
      res.json({ markdown: rubricMarkdown(content, reading.rubric), warnings: warningsOf(reading.rubric) });
    })
    .get('/lamb/v1/rubrics/:id', async (req, res) => {
      const { format } = parseWith(Format, req.query, 'The query');
      const caller = callerOf(res);
      const rubric = await find.toSee(req.params.id, caller, 'read');
      if (format === 'json') res.json(show(caller)(rubric));
      // As text that no browser takes for a page: anybody may have written it.
      else res.set('X-Content-Type-Options', 'nosniff').type('text/markdown').send(markdownOf(rubric));
    })
    .put('/lamb/v1/rubrics/:id', async (req, res) => {
      const caller = callerOf(res);
      const before = await find.toEdit(req.params.id, caller, 'change');
      const { updated_at: asOf, ...body } = parseWith(RubricChange, req.body);
      const changed = await rubrics.replace(before.id, rubricContent(body, before), asOf);
      if (!changed) {
        throw asOf === undefined
          ? notFound('The rubric')
          : conflict('Somebody else has changed this rubric meanwhile.');
      }
      await keepPublishing(caller, changed, before.isPublic);
      res.json(show(caller)(changed));
    })
    .delete('/lamb/v1/rubrics/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(req.params.id, caller, 'delete');
      if (!(await rubrics.delete(id))) throw notFound('The rubric');
      await audit.record(deedOf(caller, { action: 'delete', resource: `rubric ${id}` }));
      res.status(204).end();
    });
}

function markdownOf(rubric: StoredRubric): string {
  const reading = readRubric(rubric.data);
  if (reading.ok) return rubricMarkdown(rubric, reading.rubric);
  throw invalidConfiguration(
    `This rubric cannot be rendered until it is mended: ${faultsInWords(reading.faults)}`,
  );
}
