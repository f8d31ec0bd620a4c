import { Router } from 'express';
import { z } from 'zod';
import { createBudgetScopes, mayManage } from '../../budgets/scopes.js';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { AssistantLink } from '../../core/access/link.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { type Budget, COST_UNITS } from '../../core/budgets/budget.js';
import { badRequest, conflict, notFound, publicLinksOff } from '../../core/errors.js';
import type { SecretBox } from '../../core/organizations/secret-box.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import type { PublishGate } from '../../scenarios/gate.js';
import { hashToken, newLinkToken } from '../../security/tokens.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/people/links.js';
import { parseWith } from '../middleware/json-body.js';
import { baseUrlOf, type OwnAddress } from '../middleware/own-address.js';
import { PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { Override } from '../scenarios/override.js';

export const NewLink = z.strictObject({
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  budget_id: z.string().min(1).max(100).nullish(),
  override: Override.optional(),
});

const MOST_LINKS = 50;

export type LinkRoutesDeps = LookupDeps &
  Pick<Stores, 'activities' | 'budgets' | 'credentials' | 'links' | 'organizations' | 'users'> & {
    readonly address: OwnAddress;
    readonly box: SecretBox;
    readonly gate: PublishGate;
    readonly settingsOf: (organizationId: number) => Promise<Settings>;
  };

/** Links for people without an account: whoever may edit an assistant hands them out and takes them back. */
export function linkRoutes(deps: LinkRoutesDeps): Router {
  const { links, audit, box, gate, settingsOf } = deps;
  const find = createAssistantLookup(deps);
  const { payable, offered } = createLinkBudgets(deps);
  const featuresOf = async ({ organizationId }: Assistant) => (await settingsOf(organizationId)).features;
  const keep = (caller: Caller, action: string, link: AssistantLink) =>
    audit.record(
      deedOf(caller, {
        action,
        resource: `assistant ${String(link.assistantId)}`,
        reason: `link ${String(link.id)}`,
      }),
    );

  return Router()
    .get('/lamb/v1/assistants/:id/links', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'list links');
      const page = await links.list(assistant.id, parseWith(PageQuery, req.query, 'The query'));
      const visits = await links.visits(
        page.data.map(({ id }) => id),
        new Date().toISOString(),
      );
      const { publicLinks, embedOrigins } = await featuresOf(assistant);
      const show = showingLinks(baseUrlOf(deps.address, req), box);
      const answer: wire.Links = {
        data: page.data.map((link) => ({ ...show(link), visits: visits.get(link.id) ?? 0 })),
        next_cursor: page.nextCursor,
        allowed: publicLinks,
        embed_origins: [...embedOrigins],
        budgets: publicLinks ? await offered(callerOf(res), assistant) : [],
      };
      res.json(answer);
    })
    .post('/lamb/v1/assistants/:id/links', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'create link');
      const { expires_at: until, budget_id: budgetId, override } = parseWith(NewLink, req.body ?? {});
      if (!(await featuresOf(assistant)).publicLinks) throw publicLinksOff();
      const expiresAt = until == null ? null : new Date(until).toISOString();
      if (expiresAt !== null && expiresAt <= new Date().toISOString()) {
        throw badRequest('expires_at: must be in the future', 'expires_at');
      }
      if (budgetId != null) await payable(budgetId, caller, assistant);
      if ((await links.count(assistant.id)) >= MOST_LINKS) {
        throw conflict(`An assistant may have ${String(MOST_LINKS)} links. Revoke one first.`);
      }
      const settle = await gate.beforeOpening(assistant, { caller, override });
      const token = newLinkToken();
      const link = await links.create({
        ...{ assistantId: assistant.id, createdBy: caller.userId, budgetId: budgetId ?? null, expiresAt },
        ...{ tokenHash: hashToken(token), sealedToken: box.seal(token) },
      });
      await settle(assistant);
      await keep(caller, 'create link', link);
      const shown: wire.Link = { ...showingLinks(baseUrlOf(deps.address, req), box)(link), visits: 0 };
      res.status(201).json(shown);
    })
    .delete('/lamb/v1/links/:id', async (req, res) => {
      const caller = callerOf(res);
      const link = await links.get(idIn(req.params));
      if (!link) throw notFound('The link');
      await find.toEdit(link.assistantId, caller, 'revoke link').catch((fault: unknown) => {
        // Whose link it is, is told to those alone who know of its assistant.
        throw isNotFound(fault) ? notFound('The link') : fault;
      });
      if (!(await links.delete(link.id))) throw notFound('The link');
      await keep(caller, 'revoke link', link);
      res.status(204).end();
    });
}

const isNotFound = (fault: unknown) => (fault as { readonly status?: number }).status === 404;

const MOST_OFFERED = 100;

/** The budgets that the visitors of a link may be let spend. */
function createLinkBudgets(deps: LinkRoutesDeps) {
  const { budgets, settingsOf } = deps;
  const scopes = createBudgetScopes(deps);
  const show = async (budget: Budget, currency: string): Promise<wire.Links['budgets'][number]> => {
    const { id, scope, unit, amount, period } = budget;
    return {
      ...{ id, unit, amount: unit === 'cost' ? amount / COST_UNITS : amount, period },
      scope: { type: scope.type, id: scope.id, name: await scopes.nameOf(budget) },
      ...(unit === 'cost' ? { currency } : {}),
    };
  };

  return {
    async payable(id: string, caller: Caller, assistant: Assistant): Promise<void> {
      const budget = await budgets.get(id);
      if (!budget || !mayLetSpend(budget, caller, assistant)) throw notFound('The budget');
    },
    async offered(caller: Caller, assistant: Assistant): Promise<wire.Links['budgets']> {
      const { organizationId } = assistant;
      const all = await budgets.list({ organizationId });
      // One that everybody has for themselves is nobody's who has no account.
      const fitting = all.filter((one) => !one.scope.each && mayLetSpend(one, caller, assistant));
      const { prices } = await settingsOf(organizationId);
      return Promise.all(fitting.slice(0, MOST_OFFERED).map((one) => show(one, prices.currency)));
    },
  };
}

/** What an administrator manages, or what is the caller's own to spend: nobody spends what others were given. */
function mayLetSpend(budget: Budget, caller: Caller, assistant: Assistant): boolean {
  const { type, id } = budget.scope;
  const isOwn = (type === 'assistant' && id === assistant.id) || (type === 'user' && id === caller.userId);
  return budget.organizationId === assistant.organizationId && (isOwn || mayManage(caller, budget));
}

function showingLinks(baseUrl: string, box: SecretBox) {
  return ({ id, sealedToken, budgetId, expiresAt, createdAt }: AssistantLink): Omit<wire.Link, 'visits'> => ({
    ...{ id, url: addressIn(sealedToken, baseUrl, box), expires_at: expiresAt },
    ...{ budget_id: budgetId, created_at: createdAt },
  });
}

/** Null where the key of the installation is another than the one it was sealed with. */
function addressIn(sealedToken: string, baseUrl: string, box: SecretBox): string | null {
  try {
    return `${baseUrl}/l/${box.open(sealedToken)}`;
  } catch {
    return null;
  }
}
