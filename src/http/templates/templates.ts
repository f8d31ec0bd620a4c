import { Router } from 'express';
import { z } from 'zod';
import { isAdministrator, overseesOrganization } from '../../access/administrators.js';
import { type Gallery, MATERIAL_TOOL, type OpenedTemplate } from '../../assistants/gallery.js';
import { rubricsIn, templateContent, type TemplateContentDeps } from '../../assistants/template-content.js';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import {
  type EnclosedRubric,
  type KeptTemplate,
  TEMPLATE_LANGUAGES,
  type TemplateContent,
} from '../../core/assistants/template.js';
import { conflict, forbidden, notFound } from '../../core/errors.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { writtenFields } from '../assistants/body.js';
import { createAssistantLookup, type LookupDeps, mustBeMaker } from '../assistants/lookup.js';
import type * as wire from '../contract/gallery/templates.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export interface TemplateRoutesDeps
  extends LookupDeps, TemplateContentDeps, Pick<Stores, 'templates' | 'rubrics'> {
  readonly gallery: Gallery;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

/** As many as one looks through. */
const MOST_KEPT = 100;
const MOST_OF_OTHERS = 100;

export const Language = z.object({ language: z.enum(TEMPLATE_LANGUAGES).default('en') });
export const TemplateId = z.object({ id: z.string().max(64) });
export const NewTemplate = z.strictObject({
  assistant_id: z.number().int().min(1).max(2_147_483_647),
  /** Instead of the assistant's own. */
  name: z.string().trim().min(1).max(200).optional(),
  description: z.string().max(10_000).optional(),
});
export const Sharing = z.strictObject({ is_shared: z.boolean() });

/** Complete assistants to begin with. To open one stores nothing. */
export function templateRoutes(deps: TemplateRoutesDeps): Router {
  const { templates, gallery, audit } = deps;
  const find = createTemplateLookup(deps);
  const idIn = (params: unknown) => parseWith(TemplateId, params, 'The address').id;

  return Router()
    .use('/lamb/v1/templates', async (req, res, next) => {
      await mustBeMaker(callerOf(res), req.method === 'GET' ? 'read' : 'change', audit);
      next();
    })
    .get('/lamb/v1/templates', async (req, res) => {
      const { language } = parseWith(Language, req.query, 'The query');
      const caller = callerOf(res);
      const [own, others, builtIn] = await Promise.all([
        templates.of(caller.organizationId, MOST_KEPT),
        find.ofOthers(caller),
        gallery.all(language),
      ]);
      const kept = [...own, ...others].map((template) => faceOfKept(template, caller));
      const answer: wire.TemplateList = { data: [...kept, ...builtIn.map(faceOfBuiltIn)] };
      res.json(answer);
    })
    .get('/lamb/v1/templates/:id', async (req, res) => {
      const { language } = parseWith(Language, req.query, 'The query');
      const id = idIn(req.params);
      const builtIn = await gallery.open(id, language);
      if (builtIn) {
        res.json({ ...faceOfBuiltIn(builtIn), ...show(builtIn) });
        return;
      }
      const template = await find.toSee(id, callerOf(res));
      res.json({ ...faceOfKept(template, callerOf(res)), ...show(template) });
    })
    .patch('/lamb/v1/templates/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id, organizationId } = await find.toSee(idIn(req.params), caller);
      if (!overseesOrganization(caller, organizationId))
        await find.denyTemplate(id, caller, 'publish', ONLY_ADMINISTRATORS);
      const { is_shared } = parseWith(Sharing, req.body);
      const changed = await templates.share(id, is_shared);
      if (!changed) throw notFound('The template');
      const action = is_shared ? 'publish' : 'unpublish';
      await audit.record(deedOf(caller, { action, resource: `template ${String(id)}` }));
      res.json(faceOfKept(changed, caller));
    })
    .delete('/lamb/v1/templates/:id', async (req, res) => {
      const caller = callerOf(res);
      const template = await find.toSee(idIn(req.params), caller);
      const { id } = template;
      if (!mayDelete(template, caller)) await find.denyTemplate(id, caller, 'delete', ONLY_MAKERS);
      if (!(await templates.delete(id))) throw notFound('The template');
      await audit.record(deedOf(caller, { action: 'delete', resource: `template ${String(id)}` }));
      res.status(204).end();
    })
    .use(keeping(deps));
}

/** Makes a template of an assistant, for whoever may change it. */
function keeping(deps: TemplateRoutesDeps): Router {
  const { templates, audit } = deps;
  const find = createAssistantLookup(deps);

  return Router().post('/lamb/v1/templates', async (req, res) => {
    const caller = callerOf(res);
    const { assistant_id, name, description } = parseWith(NewTemplate, req.body);
    const assistant = await find.toEdit(assistant_id, caller, 'export');
    if ((await templates.countOf(caller.organizationId)) >= MOST_KEPT)
      throw conflict(
        `An organisation can keep ${String(MOST_KEPT)} templates. Delete one that nobody needs any more.`,
      );
    const bare = templateContent(assistant, deps);
    const made = await templates.create(
      { id: caller.userId, organizationId: caller.organizationId },
      {
        assistant: { ...bare, name: name ?? bare.name, description: description ?? bare.description },
        rubric: await rubricFor(rubricsIn(assistant, deps), caller, deps),
      },
    );
    await audit.record(deedOf(caller, { action: 'create', resource: `template ${String(made.id)}` }));
    res.status(201).json(faceOfKept(made, caller));
  });
}

/** The first that they may read themselves goes along, as a copy. */
async function rubricFor(
  ids: readonly string[],
  caller: Caller,
  { rubrics, policy }: TemplateRoutesDeps,
): Promise<EnclosedRubric | null> {
  const rubric = ids[0] === undefined ? undefined : await rubrics.get(ids[0]);
  if (!rubric || !policy.maySeeRubric(caller, rubric).allowed) return null;
  const { title, description, data } = rubric;
  return { title, description, data };
}

const ONLY_ADMINISTRATORS = 'Only administrators may share a template with other organisations.';
const ONLY_MAKERS = 'Only whoever made this template and administrators may delete it.';

/** Finds what organisations keep. What a caller may not see does not exist for them. */
function createTemplateLookup({ templates, settingsOf, audit }: TemplateRoutesDeps) {
  const catalogueOf = async (organizationId: number) =>
    (await settingsOf(organizationId)).features.templateCatalogue;
  /** Asked anew each time: an organisation that shares no longer is seen no longer. */
  const isOffered = async ({ isShared, organizationId }: KeptTemplate) =>
    isShared && (await catalogueOf(organizationId)) === 'share';
  const receives = async (caller: Caller) => (await catalogueOf(caller.organizationId)) !== 'off';
  const maySee = async (template: KeptTemplate, caller: Caller) =>
    template.organizationId === caller.organizationId ||
    overseesOrganization(caller, template.organizationId) ||
    ((await isOffered(template)) && (await receives(caller)));

  return {
    async ofOthers(caller: Caller): Promise<readonly KeptTemplate[]> {
      if (!(await receives(caller))) return [];
      const shared = await templates.sharedWith(caller.organizationId, MOST_OF_OTHERS);
      const offered = await Promise.all(shared.map(isOffered));
      return shared.filter((_, i) => offered[i]);
    },
    async toSee(given: string, caller: Caller): Promise<KeptTemplate> {
      const template = /^\d{1,10}$/.test(given) ? await templates.get(Number(given)) : undefined;
      if (!template || !(await maySee(template, caller))) throw notFound('The template');
      return template;
    },
    async denyTemplate(id: number, caller: Caller, action: string, reason: string): Promise<never> {
      await audit.record(denialOf(caller, { action, resource: `template ${String(id)}`, reason }));
      throw forbidden(reason);
    },
  };
}

function mayDelete({ ownerId, organizationId }: KeptTemplate, caller: Caller): boolean {
  return ownerId === caller.userId || overseesOrganization(caller, organizationId);
}

function faceOf({ assistant, rubric }: TemplateContent) {
  const { name, description, avatar, tags } = assistant;
  return { name, description, avatar, tags, has_rubric: rubric !== null };
}

function faceOfBuiltIn(template: OpenedTemplate): wire.TemplateFace {
  return {
    ...{ id: template.id, origin: 'built_in', ...faceOf(template), material: template.material },
    ...{ languages: TEMPLATE_LANGUAGES, organization: null, created_at: null },
    ...{ is_shared: false, may_delete: false, may_share: false },
  };
}

function faceOfKept(template: KeptTemplate, caller: Caller): wire.TemplateFace {
  const isOwn = template.organizationId === caller.organizationId;
  const { tools } = template.assistant.metadata as { readonly tools?: readonly { readonly type: string }[] };
  return {
    ...{ id: String(template.id), origin: isOwn ? 'organization' : 'catalogue', ...faceOf(template) },
    material: tools?.some(({ type }) => type === MATERIAL_TOOL) ? 'helpful' : 'none',
    ...{ languages: [], organization: template.organization, created_at: template.createdAt },
    ...{ is_shared: template.isShared, may_delete: mayDelete(template, caller) },
    may_share: isOwn && isAdministrator(caller),
  };
}

function show({ assistant, rubric }: TemplateContent): Pick<wire.Template, 'assistant' | 'rubric'> {
  return {
    assistant: { ...writtenFields(assistant), metadata: assistant.metadata },
    rubric: rubric && { title: rubric.title, description: rubric.description, rubric_data: rubric.data },
  };
}
