import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { forbidden } from '../../../core/errors.js';
import type { Launch } from '../../../core/lti/launch-stores.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Stores } from '../../../core/stores.js';
import type { Lti } from '../../../lti/open.js';
import { hashToken, launchToken } from '../../../security/tokens.js';
import { readJsonBodies } from '../../middleware/body-reader.js';
import { parseWith } from '../../middleware/json-body.js';
import type { OwnAddress } from '../../middleware/own-address.js';
import { createWebFiles, sendWebFile, webHeaders } from '../../resources/web-files.js';
import {
  createBrowserSecrets,
  createOwnPageCheck,
  formAction,
  frameAncestors,
  originsOf,
} from './browser.js';
import { cookieLost, launchOver, pageMissing } from './faults.js';
import { recordingRefusals, renderRefusal, type TurningAwayDeps } from './refusals.js';

export interface LtiVisitDeps extends TurningAwayDeps, Pick<Stores, 'launches'> {
  readonly lti: Lti;
  readonly box: SecretBox;
  readonly address: OwnAddress;
  readonly webFolder: string;
}

const LIMIT_BYTES = 4 * 1024;
export const Question = z.strictObject({ launch: z.string().min(1).max(100) });
/** Platforms fetch them again when a signature is by a key they do not know. */
const KEYS_CACHED = 'public, max-age=60';

/** What a browser asks once it is inside: the page, and what its calls of the API are made with. */
export function ltiVisit(deps: LtiVisitDeps): Router {
  const { launches, lti } = deps;
  const browsers = createBrowserSecrets(lti.publicUrl);
  const guarded = recordingRefusals(deps);
  const mustBeOwnPage = createOwnPageCheck(deps.address);
  const page = showingPage(deps, (req) => browsers.of(req) !== undefined);
  const visitAt = (id: string) => launches.get(id, new Date().toISOString());

  const check = guarded('LTI session', (req, res) => {
    mustBeOwnPage(req, res);
    // What other pages can send without asking first.
    if (!req.is('application/json')) throw forbidden('Send JSON, with "Content-Type: application/json".');
    return Promise.resolve();
  });
  const mustBeAllowed: RequestHandler = async (req, res, next) => {
    await check(req, res, next);
    next();
  };

  return Router()
    .get('/lti/activity/:session', page)
    .get('/lti/deep-link{/:session}', page)
    .post(
      '/lti/session',
      mustBeAllowed,
      ...readJsonBodies(LIMIT_BYTES),
      async (req: Request, res: Response) => {
        const { launch: id } = parseWith(Question, req.body);
        const [secret, visit] = [browsers.of(req), await visitAt(id)];
        if (secret === undefined || visit?.browserHash !== hashToken(secret)) throw launchOver();
        res.set('Cache-Control', 'no-store');
        res.json({ token: launchToken(secret, visit.id), expires_at: visit.expiresAt });
      },
    )
    .get('/lti/jwks.json', async (_req, res) => {
      const { publicKeySet } = await lti.protocol();
      res.set('Cache-Control', KEYS_CACHED).json(publicKeySet(await lti.keys.published()));
    })
    .use('/lti', renderRefusal(deps));
}

/** The page that is built, shown where its platform shows it and nowhere else. */
function showingPage(deps: LtiVisitDeps, hasCookie: (req: Request) => boolean) {
  const { launches, platforms, box } = deps;
  const read = createWebFiles(deps.webFolder);
  const placeOf = async (visit: Launch | undefined) => {
    const platform = visit && (await platforms.get(visit.platformId));
    if (visit && platform) {
      const facts = JSON.parse(box.open(visit.facts)) as LaunchFacts;
      return { facts, origins: originsOf(platform, facts) };
    }
    const known = await platforms.enabled();
    return { facts: undefined, origins: known.flatMap((each) => originsOf(each)) };
  };

  return async (req: Request, res: Response) => {
    const id = String(req.params.session ?? '');
    const visit = await launches.get(id, new Date().toISOString());
    // The last chance to say so in words: the page itself could only find that it is let in nowhere.
    if (visit && !hasCookie(req)) throw cookieLost();
    const { facts, origins } = await placeOf(visit);
    const file = (await read().catch(() => undefined))?.get('lti.html');
    if (!file) throw pageMissing();
    const headers = webHeaders({
      formAction: formAction(facts),
      frameAncestors: frameAncestors(origins),
    });
    sendWebFile(req, res.set({ ...headers, 'Cache-Control': 'private, no-cache' }), file);
  };
}
