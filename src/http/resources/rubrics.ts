import { Router } from 'express';
import { z } from 'zod';
import type { AccessPolicy } from '../../core/access/access.js';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { faultOfSize } from '../../core/base/json-size.js';
import { conflict, forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import { rubricMarkdown } from '../../core/rubrics/markdown.js';
import {
  faultsInWords,
  readRubric,
  type RubricContent,
  type StoredRubric,
} from '../../core/rubrics/rubric.js';
import { warningsOf } from '../../core/rubrics/score.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/resources.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

export const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
export const Format = z.object({ format: z.enum(['json', 'markdown']).default('json') });

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

const LIMITS = { bytes: 500_000, values: 20_000, depth: 32 };

type Data = RubricContent['data'];

/** Checked, and kept whole, whatever its keys are called. */
const RubricData = z.unknown().transform((given, ctx): Data => {
  const fault = (message: string, path: readonly (string | number)[] = []) => {
    ctx.addIssue({ code: 'custom', message, path: [...path] });
  };
  const oversize = faultOfSize(given, LIMITS);
  if (given === undefined) fault('is missing');
  else if (oversize) fault(oversize.message);
  else {
    const reading = readRubric(given);
    if (!reading.ok) for (const { path, message } of reading.faults) fault(message, path);
  }
  return given as Data;
});

export const RubricBody = z.strictObject({
  title: z.string().trim().min(1, 'must not be empty').max(500),
  description: z.string().max(10_000).optional(),
  rubric_data: RubricData,
  is_public: z.boolean().optional(),
});

/** `updated_at` of the record the changes were made to: refused when it has been changed since. */
export const RubricChange = RubricBody.extend({ updated_at: z.string().max(50).optional() });

const NOTHING = { description: '', isPublic: false } as const;

/** What a body leaves out the rubric itself may say; else it stays as it was. */
function rubricContent(
  { title, description, rubric_data, is_public }: z.output<typeof RubricBody>,
  before: Pick<RubricContent, 'description' | 'isPublic'> = NOTHING,
): RubricContent {
  const { description: inner } = rubric_data;
  return {
    title,
    description: description ?? (typeof inner === 'string' ? inner.slice(0, 10_000) : before.description),
    data: rubric_data,
    isPublic: is_public ?? before.isPublic,
  };
}

function showRubric(rubric: StoredRubric, mayEdit: boolean): wire.Rubric {
  const reading = readRubric(rubric.data);
  return {
    id: rubric.id,
    title: rubric.title,
    description: rubric.description,
    owner: rubric.owner,
    organization_id: rubric.organizationId,
    is_public: rubric.isPublic,
    rubric_data: rubric.data,
    warnings: reading.ok
      ? warningsOf(reading.rubric)
      : reading.faults.map(({ path, message }) => `${path.join('.')}: ${message}`),
    may_edit: mayEdit,
    created_at: rubric.createdAt,
    updated_at: rubric.updatedAt,
  };
}

/** Finds rubrics for routes. What a caller may not read does not exist for them; that they tried is kept. */
export interface RubricLookup {
  toSee(id: string, caller: Caller, action: string): Promise<StoredRubric>;
  toEdit(id: string, caller: Caller, action: string): Promise<StoredRubric>;
}

type RubricLookupDeps = Pick<Stores, 'rubrics' | 'audit'> & { readonly policy: AccessPolicy };

function createRubricLookup({ rubrics, audit, policy }: RubricLookupDeps): RubricLookup {
  const deny = (caller: Caller, id: string, action: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource: `rubric ${id}`, reason }));

  const toSee = async (id: string, caller: Caller, action: string): Promise<StoredRubric> => {
    const rubric = await rubrics.get(id);
    if (!rubric) throw notFound('The rubric');
    const verdict = policy.maySeeRubric(caller, rubric);
    if (verdict.allowed) return rubric;
    await deny(caller, rubric.id, action, verdict.reason);
    throw notFound('The rubric');
  };

  return {
    toSee,
    async toEdit(id, caller, action) {
      const rubric = await toSee(id, caller, action);
      const verdict = policy.mayEditRubric(caller, rubric);
      if (verdict.allowed) return rubric;
      await deny(caller, rubric.id, action, verdict.reason);
      throw forbidden(verdict.reason);
    },
  };
}
