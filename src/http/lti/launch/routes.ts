import { type RequestHandler, Router } from 'express';
import { methodNotAllowed } from '../../../core/errors.js';
import { networkOf } from '../../middleware/client-address.js';
import type { OwnAddress } from '../../middleware/own-address.js';
import { refusing } from '../../middleware/rate-limit.js';
import { addressOf } from '../../middleware/request-facts.js';
import { createOwnPageCheck, readForms } from './browser.js';
import { createLaunching, type LaunchingDeps } from './launching.js';
import { SUBMIT_SCRIPT } from './notice-page.js';
import { en } from './notice-texts.js';
import { recordingRefusals, renderRefusal, type TurningAwayDeps } from './refusals.js';

export interface LtiLaunchDeps extends LaunchingDeps, TurningAwayDeps {
  readonly address: OwnAddress;
}

/** Each leaves a row for ten minutes. A whole institution may come from one address, all at nine o'clock. */
const LOGINS_A_MINUTE_FROM_ONE_ADDRESS = 6_000;

/** Where learning platforms bring people in. Nobody has a credential yet; what the platform signs is theirs. */
export function ltiLaunch(deps: LtiLaunchDeps): Router {
  const steps = createLaunching(deps);
  const guarded = recordingRefusals(deps);
  const points = LOGINS_A_MINUTE_FROM_ONE_ADDRESS;
  const limit = refusing(deps.peers.limiter('LTI logins of an address', { points, seconds: 60 }));
  const login = guarded('LTI launch', async (req, res, attempt) => {
    await limit(networkOf(addressOf(res)), 'Too many launches from your address.');
    await steps.login(req, res, attempt);
  });
  const launch = guarded('LTI launch', steps.launch);
  const mustBeOwnPage = createOwnPageCheck(deps.address);
  const goOn = guarded('LTI launch', async (req, res, attempt) => {
    // A ticket of somebody else's, posted from another page, would make whoever sees it that somebody.
    mustBeOwnPage(req, res);
    await steps.goOn(req, res, attempt);
  });

  return Router()
    .get('/lti/login', login)
    .post('/lti/login', readForms, login)
    .get('/lti/launch', onlyPlatforms)
    .post('/lti/launch', readForms, launch)
    .post('/lti/deep-link', readForms, launch)
    .get('/lti/v1p1/launch', onlyPlatforms)
    .post('/lti/v1p1/launch', readForms, guarded('LTI launch', steps.launch11))
    .get('/lti/continue', onlyPlatforms)
    .post('/lti/continue', readForms, goOn)
    .get('/lti/submit.js', (_req, res) => {
      res
        .set({ 'Content-Type': 'text/javascript; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
        .set('Cache-Control', 'public, max-age=3600')
        .send(SUBMIT_SCRIPT);
    })
    .use('/lti', renderRefusal(deps));
}

/** People who look at the address itself, or load the page again in a window of their own. */
const onlyPlatforms: RequestHandler = (_req, res) => {
  res.setHeader('Allow', 'POST');
  throw methodNotAllowed(en.faults.method_not_allowed.text);
};
