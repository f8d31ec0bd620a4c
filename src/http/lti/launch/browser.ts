import express, { type Request, type RequestHandler, type Response } from 'express';
import { forbidden, unsupportedMediaType } from '../../../core/errors.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { LtiPlatform } from '../../../core/lti/platform.js';
import { formParameters, type Parameter } from '../../../lti/oauth1.js';
import { refusedLaunch } from '../../../lti/refusals.js';
import { type OwnAddress, requireOwnAddress } from '../../middleware/own-address.js';

/** What tells one browser from another between two of its requests. */
export interface BrowserSecrets {
  /** Undefined when the browser sends none, or nothing that could be one. */
  of(req: Request): string | undefined;
  give(res: Response, secret: string): void;
}

const WELL_FORMED = /^[\w-]{43}$/;
const NAME = 'bellwether-lti';
/** In a frame of another site, browsers keep and send no other. Nobody else, on no subdomain, can set this one. */
const IN_FRAMES = { name: `__Host-${NAME}`, traits: 'Secure; HttpOnly; Path=/; SameSite=None; Partitioned' };
/** Without https there is no cookie for frames; this one works in a window of its own, where everybody is sent then. */
const IN_WINDOWS = { name: NAME, traits: 'HttpOnly; Path=/; SameSite=Lax' };

export function createBrowserSecrets(publicUrl: string): BrowserSecrets {
  const { name, traits } = isTrustworthy(new URL(publicUrl)) ? IN_FRAMES : IN_WINDOWS;

  return {
    of({ headers }) {
      const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
      const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return value !== undefined && WELL_FORMED.test(value) ? value : undefined;
    },
    give(res, secret) {
      // Until the browser is closed: what it opens ends after hours anyway.
      res.append('Set-Cookie', `${name}=${secret}; ${traits}`);
    },
  };
}

/** Browsers take the machine itself for as safe as https: Chromium keeps even `__Host-` cookies of http://127.0.0.1. */
function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Enough for any installation, and no header that a proxy would refuse. */
const MOST = 100;
/** A host may hold signs that end a directive: what is not plainly a host is left out. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/** Where pages of a platform may show ours: by what is registered, and by where its signed launch says it is. */
export function originsOf(platform: LtiPlatform, facts?: LaunchFacts): readonly string[] {
  const registered =
    platform.kind === '1.3' ? [platform.issuer, platform.authLoginUrl] : [platform.siteUrl ?? ''];
  const said = facts ? [facts.returnUrl ?? '', returnOf(facts) ?? ''] : [];
  return [...new Set([...registered, ...said].flatMap(originIn))];
}

export function frameAncestors(origins: readonly string[]): string {
  const listed = [...new Set(origins)].slice(0, MOST);
  return `frame-ancestors ${listed.length > 0 ? listed.join(' ') : "'none'"}`;
}

/** Ourselves, and where what was chosen is taken. */
export function formAction(facts?: LaunchFacts): string {
  return ["form-action 'self'", ...originIn((facts && returnOf(facts)) ?? '')].join(' ');
}

function returnOf(facts: LaunchFacts): string | undefined {
  return facts.kind === 'deep_link' ? facts.settings.returnUrl : undefined;
}

/** None of what is no plain address. */
export function originIn(address: string): readonly string[] {
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return PLAIN_ORIGIN.test(origin) ? [origin] : [];
}

/** For what only our own pages may ask, also where the browser's cookie would come along for others. */
export function createOwnPageCheck(address: OwnAddress) {
  const mustBeOurs = requireOwnAddress(address);
  return (req: Request, res: Response): void => {
    const { origin, 'sec-fetch-site': site = 'same-origin' } = req.headers;
    if (origin === undefined || site !== 'same-origin') throw forbidden('Only our own pages may call this.');
    void mustBeOurs(req, res, () => undefined);
  };
}

const FORM = 'application/x-www-form-urlencoded';
/** A launch of Moodle's is a twentieth of that. */
const LIMIT_BYTES = 64 * 1024;

/** Leaves the form as it was sent: what comes twice, and in which order, is part of what it says. */
export const readForms: RequestHandler = express.text({ type: FORM, limit: LIMIT_BYTES });

export function parametersOf(req: Request): readonly Parameter[] {
  const body: unknown = req.body;
  if (typeof body === 'string') return formParameters(body);
  throw unsupportedMediaType(`Send a form, with "Content-Type: ${FORM}".`);
}

/** By name; refused when one comes twice, since two readers could then read two different things. */
export function fieldsOf(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const fields = new Map(parameters);
  if (fields.size !== parameters.length) throw refusedLaunch('a parameter comes twice');
  return Object.fromEntries(fields);
}

export function queryOf({ originalUrl }: Request): readonly Parameter[] {
  const [, query = ''] = originalUrl.split(/\?(.*)/s);
  return formParameters(query);
}
