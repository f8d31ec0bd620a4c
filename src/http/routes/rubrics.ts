import { Router } from 'express';
import { z } from 'zod';
import { deedOf, denialOf } from '../../core/audit.js';
import type { Caller } from '../../core/caller.js';
import { forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import { faultsInWords, readRubric, type StoredRubric } from '../../core/rubric.js';
import { rubricMarkdown } from '../../core/rubric-markdown.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';
import { RubricBody, rubricContent, showRubric } from '../rubric-body.js';
import { createRubricLookup, type RubricLookupDeps } from '../rubric-lookup.js';

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

  return Router()
    .get('/lamb/v1/rubrics', async (req, res) => {
      const { limit, cursor, q } = parseWith(ListQuery, req.query, 'The query');
      const page = await rubrics.list(policy.visibleTo(callerOf(res)), { q }, { limit, cursor });
      res.json(pageOf(page, showRubric));
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
      res.status(201).json(showRubric(made));
    })
    .get('/lamb/v1/rubrics/:id', async (req, res) => {
      const { format } = parseWith(Format, req.query, 'The query');
      const rubric = await find.toSee(req.params.id, callerOf(res), 'read');
      if (format === 'json') res.json(showRubric(rubric));
      // As text that no browser takes for a page: anybody may have written it.
      else res.set('X-Content-Type-Options', 'nosniff').type('text/markdown').send(markdownOf(rubric));
    })
    .put('/lamb/v1/rubrics/:id', async (req, res) => {
      const caller = callerOf(res);
      const before = await find.toEdit(req.params.id, caller, 'change');
      const content = rubricContent(parseWith(RubricBody, req.body), before);
      const changed = await rubrics.replace(before.id, content);
      if (!changed) throw notFound('The rubric');
      await keepPublishing(caller, changed, before.isPublic);
      res.json(showRubric(changed));
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
