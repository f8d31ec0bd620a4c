import type { Request, Response } from 'express';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { LtiPlatform } from '../../../core/lti/platform.js';
import type { Stores } from '../../../core/stores.js';
import { authRequest, readLogin } from '../../../lti/login.js';
import type { Lti } from '../../../lti/open.js';
import { consumerKeyOf, readLaunch11 } from '../../../lti/read-launch-1p1.js';
import { reasonOfRefusal, refusedLaunch } from '../../../lti/refusals.js';
import { hashToken, newBrowserSecret } from '../../../security/tokens.js';
import { beginVisit, type VisitDeps } from './begin-visit.js';
import {
  type BrowserSecrets,
  createBrowserSecrets,
  fieldsOf,
  originsOf,
  parametersOf,
  queryOf,
} from './browser.js';
import { platformUnreachable } from './faults.js';
import { type KnownPlatform13, mustBeOn, platformOfLogin, platformOfSignature } from './find-platform.js';
import { onwardPage, sendNotice, windowPage, wordsFor } from './notice-page.js';
import { createOneTime, type OneTime } from './one-time.js';
import type { Step } from './refusals.js';

export interface LaunchingDeps extends VisitDeps, Pick<Stores, 'tickets'> {
  readonly lti: Lti;
}

interface LaunchDeps extends LaunchingDeps {
  readonly browsers: BrowserSecrets;
  readonly oneTime: OneTime;
}

/** The steps by which a platform brings somebody in. Until the last one there are no rows of anybody. */
export function createLaunching(deps: LaunchingDeps) {
  const browsers = createBrowserSecrets(deps.lti.publicUrl);
  const parts: LaunchDeps = { ...deps, browsers, oneTime: createOneTime(deps.tickets, deps.box) };
  return {
    login: loginAt(parts),
    launch: launchAt(parts),
    launch11: launch11At(parts),
    goOn: continueLaunch(parts),
  };
}

/** Sends the browser to the platform, which says who is there. */
function loginAt({ platforms, browsers, oneTime, lti }: LaunchDeps): Step {
  return async (req, res, attempt) => {
    const login = readLogin(fieldsOf(req.method === 'GET' ? queryOf(req) : parametersOf(req)));
    const platform = await platformOfLogin(login, platforms);
    attempt.platform = platform;
    mustBeOn(platform);
    mustBeHere(login.targetLinkUri, lti.publicUrl);
    const secret = browsers.of(req) ?? newBrowserSecret();
    const { state, nonce } = await oneTime.beginLogin(platform.id, hashToken(secret));
    browsers.give(res, secret);
    const redirectUri = `${lti.publicUrl}/lti/launch`;
    sendOn(res, 302, authRequest(platform, { login, redirectUri, state, nonce }));
  };
}

function launchAt(parts: LaunchDeps): Step {
  const { platforms, browsers, oneTime, lti } = parts;
  return async (req, res, attempt) => {
    const { state = '', id_token: idToken, error } = fieldsOf(parametersOf(req));
    const pending = await oneTime.endLogin(state);
    if (!pending) throw refusedLaunch('state is unknown, used or too old', 'launch_stale');
    attempt.platform = await platforms.get(pending.platformId);
    const platform = mustBeOn(attempt.platform);
    if (platform.kind !== '1.3') throw refusedLaunch('platform is of LTI 1.1', 'launch_not_set_up');
    if (error !== undefined) throw refusedLaunch(`platform answered ${nameOfError(error)}`);
    if (idToken === undefined) throw refusedLaunch('id_token is missing');
    const secret = browsers.of(req);
    if (secret !== undefined && hashToken(secret) !== pending.browserHash) {
      throw refusedLaunch('browser is not the one that was sent to the platform');
    }
    const facts = await verified(lti, { platform, idToken, nonce: pending.nonce });
    if (facts.kind === 'deep_link' && facts.role !== 'instructor') {
      throw refusedLaunch('only those who teach choose content', 'launch_not_set_up');
    }
    if (secret === undefined) await offerWindow(parts, { req, res }, { platform, facts });
    else await enter(parts, res, { platform, facts, secret });
  };
}

/** Without a first round trip there is no cookie yet: the page goes on by itself and shows whether one was kept. */
function launch11At(parts: LaunchDeps): Step {
  const { platforms, browsers, oneTime, box, lti } = parts;
  return async (req, res, attempt) => {
    const url = `${lti.publicUrl}${req.originalUrl}`;
    const request = { method: 'POST', url, parameters: parametersOf(req) };
    const known = await platforms.ofConsumerKey(consumerKeyOf(request));
    // Whom it concerns is not said of one that could be anybody's.
    if (known.length === 1) attempt.platform = known[0];
    const { platform, verified: launched } = platformOfSignature(known, (candidate) => {
      const sharedSecret = JSON.parse(box.open(candidate.sharedSecret)) as string;
      return readLaunch11({ request, platform: candidate, sharedSecret, now: Date.now() });
    });
    attempt.platform = platform;
    const { facts, nonce } = launched;
    if (!(await oneTime.isNew(platform.id, nonce))) throw refusedLaunch('nonce came before');
    browsers.give(res, browsers.of(req) ?? newBrowserSecret());
    const words = wordsFor(req, facts.locale);
    const html = onwardPage(words, await oneTime.keepVisit({ facts, isProbed: true }));
    sendNotice(res, { status: 200, words, html, origins: originsOf(platform, facts) });
  };
}

function continueLaunch(parts: LaunchDeps): Step {
  const { platforms, browsers, oneTime } = parts;
  return async (req, res, attempt) => {
    const { ticket = '' } = fieldsOf(parametersOf(req));
    const pending = await oneTime.takeVisit(ticket);
    if (!pending) throw refusedLaunch('ticket is unknown, used or too old', 'launch_stale');
    const { facts, isProbed } = pending;
    attempt.platform = await platforms.get(facts.platformId);
    const platform = mustBeOn(attempt.platform);
    const secret = browsers.of(req);
    if (isProbed && secret === undefined) await offerWindow(parts, { req, res }, { platform, facts });
    else await enter(parts, res, { platform, facts, secret });
  };
}

interface Proved {
  readonly platform: LtiPlatform;
  readonly facts: LaunchFacts;
}

async function enter(
  parts: LaunchDeps,
  res: Response,
  visitor: Proved & { readonly secret: string | undefined },
): Promise<void> {
  const { page, secret } = await beginVisit(parts, visitor);
  parts.browsers.give(res, secret);
  sendOn(res, 303, page);
}

/** A browser that keeps nothing inside the platform's page is offered a window, where it does. */
async function offerWindow(
  { oneTime }: LaunchDeps,
  { req, res }: { readonly req: Request; readonly res: Response },
  { platform, facts }: Proved,
): Promise<void> {
  const words = wordsFor(req, facts.locale);
  const html = windowPage(words, facts.name, await oneTime.keepVisit({ facts, isProbed: false }));
  sendNotice(res, { status: 403, words, html, origins: originsOf(platform, facts) });
}

interface Message {
  readonly platform: KnownPlatform13;
  readonly idToken: string;
  readonly nonce: string;
}

async function verified(lti: Lti, message: Message): Promise<LaunchFacts> {
  const { readLaunch } = await lti.protocol();
  try {
    return await readLaunch(message);
  } catch (fault) {
    throw reasonOfRefusal(fault) === undefined ? platformUnreachable(fault) : fault;
  }
}

/** It is never followed; but one who is wanted elsewhere is not wanted here. */
function mustBeHere(target: string, publicUrl: string): void {
  const isHere = URL.canParse(target) && new URL(target).origin === new URL(publicUrl).origin;
  if (!isHere) throw refusedLaunch('target is elsewhere', 'launch_not_set_up');
}

/** By its code alone: what a platform writes beside it is not ours to keep. */
function nameOfError(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'an error';
}

function sendOn(res: Response, status: 302 | 303, location: string): void {
  res
    .status(status)
    .set({ Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .end();
}
