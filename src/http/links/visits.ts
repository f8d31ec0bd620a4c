import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { createVisitorErasure } from '../../activities/erase-visitors.js';
import type { AccessPolicy } from '../../core/access/access.js';
import type { AssistantLink } from '../../core/access/link.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { seenBy } from '../../core/assistants/served.js';
import { linkOver } from '../../core/errors.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { hashToken, newVisitToken } from '../../security/tokens.js';
import type * as wire from '../contract/people/links.js';
import { showFace } from '../assistants/face.js';
import { frameAncestors } from '../lti/launch/browser.js';
import { pageMissing } from '../lti/launch/faults.js';
import { readJsonBodies } from '../middleware/body-reader.js';
import { parseWith } from '../middleware/json-body.js';
import { addressOf, linkVisitorOf } from '../middleware/request-facts.js';
import { createWebFiles, sendWebFile, webHeaders } from '../resources/web-files.js';
import type { VisitorLimits } from './visitor-limits.js';

const LIMIT_BYTES = 4 * 1024;
const HOURS = 8;

export const Opened = z.strictObject({ link: z.string().min(1).max(100) });

type OpenDeps = Pick<Stores, 'assistants' | 'links'> & {
  readonly policy: AccessPolicy;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly visitorLimits: Pick<VisitorLimits, 'visit'>;
  readonly webFolder: string;
};

/** The page of a public link, and how a visit begins: all that is open to people nobody knows. */
export function linkPages(deps: OpenDeps): Router {
  const { assistants, links, policy, settingsOf, visitorLimits } = deps;
  const read = createWebFiles(deps.webFolder);

  /** Undefined for one that never was and for one that leads nowhere any more, whatever the reason. */
  const openAt = async (
    token: string,
  ): Promise<{ link: AssistantLink; assistant: Assistant } | undefined> => {
    const link = await links.byToken(hashToken(token), new Date().toISOString());
    const assistant = link && (await assistants.get(link.assistantId));
    if (!link || !assistant) return undefined;
    const { id: linkId, assistantId, budgetId, createdBy: userId } = link;
    // Asked for whoever made it: the rule that visitors are judged by, before there is one.
    const person = { userId, organizationId: assistant.organizationId, role: 'student' as const };
    const verdict = await policy.mayRun({ ...person, link: { linkId, assistantId, budgetId } }, assistant);
    return verdict.allowed ? { link, assistant } : undefined;
  };

  const showPage = async (req: Request<{ token: string }>, res: Response) => {
    const open = await openAt(req.params.token);
    const file = (await read().catch(() => undefined))?.get('link.html');
    if (!file) throw pageMissing();
    const origins = open ? (await settingsOf(open.assistant.organizationId)).features.embedOrigins : [];
    const headers = webHeaders({ formAction: "form-action 'self'", frameAncestors: frameAncestors(origins) });
    res.status(open ? 200 : 404).set({ ...headers, 'Cache-Control': 'private, no-cache' });
    sendWebFile(req, res, file);
  };

  return Router()
    .get('/l/:token', showPage)
    .post('/l/visits', ...readJsonBodies(LIMIT_BYTES), async (req: Request, res: Response) => {
      const open = await openAt(parseWith(Opened, req.body).link);
      if (!open) throw linkOver();
      await visitorLimits.visit(open.link.id, addressOf(res));
      const token = newVisitToken();
      const expiresAt = new Date(Date.now() + HOURS * 3_600_000).toISOString();
      await links.beginVisit({
        ...{ linkId: open.link.id, organizationId: open.assistant.organizationId },
        ...{ tokenHash: hashToken(token), expiresAt },
      });
      const begun: wire.BegunVisit = { token, expires_at: expiresAt };
      res.status(201).set('Cache-Control', 'no-store').json(begun);
    });
}

type VisitDeps = Pick<Stores, 'assistants' | 'erasure' | 'files' | 'links' | 'organizations'> & {
  readonly policy: AccessPolicy;
};

/** What the page asks once it is inside. */
export function linkVisits(deps: VisitDeps): Router {
  const { assistants, links, organizations, policy } = deps;
  const erasure = createVisitorErasure(deps);

  return Router()
    .get('/lamb/v1/links/visit', async (_req, res) => {
      const visitor = linkVisitorOf(res);
      const newest = await assistants.get(visitor.link.assistantId);
      if (!newest || !(await policy.mayRun(visitor, newest)).allowed) throw linkOver();
      const assistant = await seenBy(visitor, newest, { assistants, policy });
      const { id, name, description, setup } = assistant;
      const { tags: _tags, ...face } = showFace(assistant);
      const visit: wire.LinkVisit = {
        assistant: {
          ...{ id, name, description, vision: setup.vision },
          attachments: setup.attachments !== undefined,
          ...face,
        },
        organization_name: (await organizations.byId(assistant.organizationId))?.name ?? '',
      };
      res.json(visit);
    })
    .delete('/lamb/v1/links/visit', async (_req, res) => {
      const { userId } = linkVisitorOf(res);
      await links.endVisit(userId, new Date().toISOString());
      await erasure.forget(userId);
      res.status(204).end();
    });
}
