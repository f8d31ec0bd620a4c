import { Router } from 'express';
import { z } from 'zod';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import {
  isTemplateTheirs,
  isTemplateVisible,
  type PromptTemplate,
  type PromptTemplateContent,
} from '../../core/assistants/prompt-template.js';
import { conflict, forbidden, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/assistants.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { createAssistantShow, type ShowDeps } from './body.js';
import { createAssistantLookup } from './lookup.js';

const LONGEST_PROMPT = 500_000;
const RowId = z.number().int().min(1).max(2_147_483_647);

export const Id = z.object({ id: z.coerce.number().int().positive() });
export const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
export const Body = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(200),
  description: z.string().max(10_000).optional(),
  system_prompt: z.string().max(LONGEST_PROMPT).optional(),
  prompt_template: z.string().max(LONGEST_PROMPT).optional(),
  is_shared: z.boolean().optional(),
});
export const Application = z.strictObject({
  assistant_id: RowId,
  /** The one that was read, so that no change of somebody else's is lost; else whatever is newest now. */
  version: RowId.optional(),
});

export function promptTemplateRoutes(deps: TemplateDeps): Router {
  const { promptTemplates, audit, policy } = deps;
  const find = createTemplateLookup(deps);
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

  return Router()
    .use('/lamb/v1/prompt-templates', async (req, res, next) => {
      await find.mustBeAuthor(callerOf(res), req.method.toLowerCase());
      next();
    })
    .get('/lamb/v1/prompt-templates', async (req, res) => {
      const { limit, cursor, q } = parseWith(ListQuery, req.query, 'The query');
      const visible = policy.visibleTo(callerOf(res));
      res.json(pageOf(await promptTemplates.list(visible, { q }, { limit, cursor }), show));
    })
    .post('/lamb/v1/prompt-templates', async (req, res) => {
      const { userId: id, organizationId } = callerOf(res);
      const content = contentOf(parseWith(Body, req.body), NOTHING);
      res.status(201).json(show(await promptTemplates.create({ id, organizationId }, content)));
    })
    .get('/lamb/v1/prompt-templates/:id', async (req, res) => {
      res.json(show(await find.toSee(idIn(req.params), callerOf(res), 'read')));
    })
    .put('/lamb/v1/prompt-templates/:id', async (req, res) => {
      const template = await find.toEdit(idIn(req.params), callerOf(res), 'change');
      const content = contentOf(parseWith(Body, req.body), template);
      const changed = await promptTemplates.replace(template.id, content);
      if (!changed) throw notFound('The prompt template');
      res.json(show(changed));
    })
    .delete('/lamb/v1/prompt-templates/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(idIn(req.params), caller, 'delete');
      if (!(await promptTemplates.delete(id))) throw notFound('The prompt template');
      await audit.record(deedOf(caller, { action: 'delete', resource: `prompt template ${String(id)}` }));
      res.status(204).end();
    })
    .use(applying(deps));
}

/** Writes a template's prompts into an assistant, as a new version of it. */
function applying(deps: TemplateDeps): Router {
  const { assistants } = deps;
  const templates = createTemplateLookup(deps);
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);

  return Router().post('/lamb/v1/prompt-templates/:id/apply', async (req, res) => {
    const caller = callerOf(res);
    const { id } = parseWith(Id, req.params, 'The address');
    const template = await templates.toSee(id, caller, 'apply');
    const { assistant_id, version } = parseWith(Application, req.body);
    const assistant = await find.toEdit(assistant_id, caller, 'change');
    const change = {
      ...assistant,
      // Stays as it is stored.
      metadata: undefined,
      systemPrompt: template.systemPrompt || assistant.systemPrompt,
      promptTemplate: template.promptTemplate || assistant.promptTemplate,
    };
    const edit = { userId: caller.userId, expectedVersion: version ?? assistant.version };
    const changed = await assistants.replace(assistant.id, change, edit);
    if (!changed) throw notFound('The assistant');
    if (changed === 'stale')
      throw conflict('The assistant was changed by somebody else meanwhile. Read it again, then apply.');
    res.json(await show.one(changed, caller));
  });
}

const NOTHING = { description: '', systemPrompt: '', promptTemplate: '', isShared: false } as const;

/** What a body leaves out stays as it is. */
function contentOf(
  body: z.output<typeof Body>,
  before: Omit<PromptTemplateContent, 'name'>,
): PromptTemplateContent {
  return {
    name: body.name,
    description: body.description ?? before.description,
    systemPrompt: body.system_prompt ?? before.systemPrompt,
    promptTemplate: body.prompt_template ?? before.promptTemplate,
    isShared: body.is_shared ?? before.isShared,
  };
}

function show(template: PromptTemplate): wire.PromptTemplate {
  return {
    id: template.id,
    name: template.name,
    description: template.description,
    owner: template.owner,
    organization_id: template.organizationId,
    system_prompt: template.systemPrompt,
    prompt_template: template.promptTemplate,
    is_shared: template.isShared,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
  };
}

type TemplateDeps = Pick<Stores, 'promptTemplates' | 'assistants' | 'audit'> & ShowDeps;

/** Finds templates for routes. One that the caller may not see does not exist for them; that they tried is kept. */
export interface TemplateLookup {
  /** Templates are how assistants are made, which is not shown to those who only chat. */
  mustBeAuthor(caller: Caller, action: string): Promise<void>;
  toSee(id: number, caller: Caller, action: string): Promise<PromptTemplate>;
  toEdit(id: number, caller: Caller, action: string): Promise<PromptTemplate>;
}

const ONLY_OWNERS = 'Only its owner and administrators may change this prompt template.';

function createTemplateLookup({ promptTemplates, audit, policy }: TemplateDeps): TemplateLookup {
  const deny = (caller: Caller, action: string, resource: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource, reason }));
  const named = (id: number) => `prompt template ${String(id)}`;

  const toSee = async (id: number, caller: Caller, action: string) => {
    const template = await promptTemplates.get(id);
    if (!template) throw notFound('The prompt template');
    if (isTemplateVisible(template, policy.visibleTo(caller))) return template;
    await deny(caller, action, named(id), 'neither its owner nor shared with them');
    throw notFound('The prompt template');
  };

  return {
    async mustBeAuthor(caller, action) {
      if (caller.role !== 'student') return;
      await deny(caller, action, 'prompt template', 'a student');
      throw forbidden('Prompt templates are for those who make assistants.');
    },
    toSee,
    async toEdit(id, caller, action) {
      const template = await toSee(id, caller, action);
      if (isTemplateTheirs(template, policy.visibleTo(caller))) return template;
      await deny(caller, action, named(id), ONLY_OWNERS);
      throw forbidden(ONLY_OWNERS);
    },
  };
}
