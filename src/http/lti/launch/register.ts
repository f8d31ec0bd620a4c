import { type Request, type Response, Router } from 'express';
import { AppError } from '../../../core/errors.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Stores } from '../../../core/stores.js';
import { networkOf } from '../../middleware/client-address.js';
import { refusing } from '../../middleware/rate-limit.js';
import { addressOf } from '../../middleware/request-facts.js';
import { originIn } from './browser.js';
import { CLOSE_SCRIPT, registeredPage, sendNotice, wordsFor } from './notice-page.js';
import { createRegistrationCodes } from './one-time.js';
import { recordingRefusals, renderRefusal, type TurningAwayDeps } from './refusals.js';
import { createRegistering, faultOf, readAsked, type RegisteringDeps } from './register-platform.js';

export interface LtiRegisterDeps extends RegisteringDeps, TurningAwayDeps, Pick<Stores, 'tickets'> {
  readonly box: SecretBox;
}

/** Each asks somebody else for something, twice. */
const A_MINUTE_FROM_ONE_ADDRESS = 20;

/** Where a platform registers us with itself, in a frame of its own, and itself with us. */
export function ltiRegister(deps: LtiRegisterDeps): Router {
  const register = createRegistering(deps, createRegistrationCodes(deps.tickets, deps.box));
  const points = A_MINUTE_FROM_ONE_ADDRESS;
  const limit = refusing(deps.peers.limiter('LTI registrations of an address', { points, seconds: 60 }));
  const mustBeSeldom = async (res: Response) => {
    await limit(networkOf(addressOf(res)), 'Too many registrations from your address.').catch(
      (fault: unknown) => {
        throw fault instanceof AppError ? faultOf('registration_often', 429, fault) : fault;
      },
    );
  };
  const guarded = recordingRefusals(deps);

  return Router()
    .get(
      '/lti/register',
      guarded('LTI registration', async (req, res) => {
        const asked = readAsked(req.query);
        // Without a code that counts, nobody else is asked for anything.
        if (asked.code === undefined) await mustBeSeldom(res);
        const registered = await register(asked);
        const words = wordsFor(req);
        sendNotice(res, {
          ...{ status: 200, words, html: registeredPage(words, registered), origins: placeOf(req) },
        });
      }),
    )
    .get('/lti/close.js', (_req, res) => {
      res
        .set({ 'Content-Type': 'text/javascript; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
        .set('Cache-Control', 'public, max-age=3600')
        .send(CLOSE_SCRIPT);
    })
    .use(
      '/lti/register',
      renderRefusal(deps, (req) => Promise.resolve(placeOf(req))),
    );
}

/** The platform is not known yet; by what it says of itself, its page may show what became of it. */
function placeOf({ query }: Request): readonly string[] {
  const { openid_configuration: address } = query;
  return typeof address === 'string' ? originIn(address) : [];
}
