import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { AppError } from '../../../core/errors.js';
import type { Logger } from '../../../core/log.js';
import type { LtiPlatform } from '../../../core/lti/platform.js';
import type { Stores } from '../../../core/stores.js';
import { reasonOfRefusal } from '../../../lti/refusals.js';
import { networkOf } from '../../middleware/client-address.js';
import { faultToTell } from '../../middleware/error-handler.js';
import type { Peers } from '../../peers.js';
import { refusing } from '../../middleware/rate-limit.js';
import { addressOf, requestIdOf } from '../../middleware/request-facts.js';
import { originsOf } from './browser.js';
import { faultPage, sendNotice, wordsFor } from './notice-page.js';

export interface TurningAwayDeps extends Pick<Stores, 'audit' | 'platforms'> {
  readonly peers: Peers;
  readonly log: Logger;
}

/** What is known of somebody who comes, as it is found out. */
export interface Attempt {
  platform?: LtiPlatform | undefined;
}

export type Step = (req: Request, res: Response, attempt: Attempt) => Promise<void>;

/** Only refusals count, so that a class that comes all at once, from one address, never meets it. */
const REFUSALS_A_MINUTE_FROM_ONE_ADDRESS = 1_000;

/** Puts every refusal on record: which platform, why, and nothing of what was sent. */
export function recordingRefusals({ audit, peers }: TurningAwayDeps) {
  const points = REFUSALS_A_MINUTE_FROM_ONE_ADDRESS;
  const limit = refusing(peers.limiter('refused launches of an address', { points, seconds: 60 }));

  return (action: string, step: Step): RequestHandler =>
    async (req, res) => {
      const attempt: Attempt = {};
      try {
        await step(req, res, attempt);
      } catch (fault) {
        if (!(fault instanceof AppError)) throw fault;
        // Beyond that they are neither told why nor written down: the record is not theirs to fill.
        await limit(networkOf(addressOf(res)), 'Too many launches were refused from your address.');
        const { platform } = attempt;
        await audit.record({
          ...{ action, outcome: 'denied', userId: null, runId: null },
          organizationId: platform?.organizationId ?? null,
          resource: platform ? `LTI platform ${String(platform.id)}` : 'LTI platform',
          reason: reasonOfRefusal(fault) ?? fault.code,
        });
        throw fault;
      }
    };
}

/** Browsers are told in a page what others are told as JSON. The page is shown where people came from. */
export function renderRefusal(
  { platforms, log }: Pick<TurningAwayDeps, 'platforms' | 'log'>,
  originsFor: (req: Request) => Promise<readonly string[]> = async () =>
    (await platforms.enabled()).flatMap((platform) => originsOf(platform)),
): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    if (res.headersSent || req.accepts(['json', 'html']) !== 'html') {
      next(thrown);
      return;
    }
    const error = faultToTell(thrown, res, log);
    const words = wordsFor(req);
    const html = faultPage(words, error, requestIdOf(res));
    // When that cannot be asked, in a window of its own.
    const origins = await originsFor(req).catch((): readonly string[] => []);
    sendNotice(res, { status: error.status, words, html, origins });
  };
}
