import { z } from 'zod';
import { overseesOrganization } from '../../../access/administrators.js';
import { AppError } from '../../../core/errors.js';
import type { LtiPlatform, NewPlatform, Platform13, PlatformChange } from '../../../core/lti/platform.js';
import { DEFAULT_ORGANIZATION } from '../../../core/organizations/config.js';
import type { Stores } from '../../../core/stores.js';
import type { Lti } from '../../../lti/open.js';
import type { PlatformConfiguration } from '../../../lti/registration.js';
import { mustBeFree } from './find-platform.js';
import type { Permit, RegistrationCodes } from './one-time.js';
import { en, type RegistrationFault } from './registration-texts.js';

export interface RegisteringDeps extends Pick<Stores, 'audit' | 'organizations' | 'platforms' | 'users'> {
  readonly lti: Lti;
  /** For addresses that an administrator has set, or that come with a code of one. */
  readonly fetchTrusted: typeof fetch;
  /** For addresses that anybody has named. */
  readonly fetchAnywhere: typeof fetch;
}

const Asked = z.object({
  openid_configuration: z.string().min(1).max(2_000),
  registration_token: z.string().max(8_000).optional(),
  code: z.string().max(200).optional(),
});
export type Asked = z.output<typeof Asked>;

/** Strangers may fill a page of an administrator's list, not the database. */
const MOST_WAITING = 20;

export function readAsked(query: unknown): Asked {
  const read = Asked.safeParse(query);
  if (!read.success) throw faultOf('registration_request', 400);
  return read.data;
}

export interface Registered {
  readonly platform: LtiPlatform;
  /** The platform was registered before; this changed its settings. */
  readonly wasKnown: boolean;
}

/** Registers us with a platform, and the platform with us: switched on when an administrator has asked for it. */
export function createRegistering(deps: RegisteringDeps, codes: RegistrationCodes) {
  return async (asked: Asked): Promise<Registered> => {
    const { code } = asked;
    if (code === undefined) return await registerWaiting(deps, asked);
    const permit = await codes.take(code);
    if (!permit || !(await isStillGiven(deps, permit))) throw faultOf('registration_code', 403);
    try {
      return await registerFor(deps, asked, permit);
    } catch (fault) {
      await codes.giveBack(code, permit);
      throw fault;
    }
  };
}

async function registerFor(deps: RegisteringDeps, asked: Asked, permit: Permit): Promise<Registered> {
  const { name, organizationId, madeBy: userId } = permit;
  const told = await exchange(deps, { fetch: deps.fetchTrusted, asked, name, mayBeSpread: true });
  await mustBeFree(told, organizationId, deps.platforms).catch(asTaken);
  const known = await knownAs(deps, told, organizationId);
  if (!known) {
    const platform = await deps.platforms.create(organizationId, told).catch(asTaken);
    await keep(deps, platform, { userId, reason: 'by a link of theirs' });
    return { platform, wasKnown: false };
  }
  const change = {
    ...newsOf(told, known),
    enabled: true,
    ...(name === undefined ? {} : { name: told.name }),
  };
  const platform = (await deps.platforms.update(known.id, change)) ?? known;
  await keep(deps, platform, { userId, reason: 'by a link of theirs; brought up to date' });
  return { platform, wasKnown: true };
}

async function registerWaiting(deps: RegisteringDeps, asked: Asked): Promise<Registered> {
  const { platforms, organizations, fetchAnywhere } = deps;
  const first = await organizations.bySlug(DEFAULT_ORGANIZATION);
  if (!first || (await platforms.countWaiting()) >= MOST_WAITING) throw faultOf('registration_full', 409);
  const told = await exchange(deps, { fetch: fetchAnywhere, asked, mayBeSpread: false });
  await mustBeFree(told, first.id, platforms).catch(asTaken);
  const known = await knownAs(deps, told, first.id);
  if (known) return { platform: await confirm(deps, told, known), wasKnown: true };
  const platform = await platforms.create(first.id, { ...told, enabled: false }).catch(asTaken);
  await keep(deps, platform, { userId: null, reason: 'without a link; waits to be switched on' });
  return { platform, wasKnown: false };
}

/** Without a link nobody changes what people have come by, or may; what only waits is the platform's own to correct. */
async function confirm(
  deps: RegisteringDeps,
  told: NewPlatform & Platform13,
  known: LtiPlatform & Platform13,
): Promise<LtiPlatform> {
  const news = newsOf(told, known);
  if (Object.entries(news).every(([field, value]) => isSame(value, known[field as keyof typeof known])))
    return known;
  if (known.enabled || known.lastLaunchAt !== null) throw faultOf('registration_known', 409);
  const platform = (await deps.platforms.update(known.id, news)) ?? known;
  await keep(deps, platform, { userId: null, reason: 'without a link; brought up to date, still waits' });
  return platform;
}

/** A tool that is brought up to date in its platform keeps its client id there. */
async function knownAs(
  { platforms }: RegisteringDeps,
  { issuer, clientId }: Platform13,
  organizationId: number,
): Promise<(LtiPlatform & Platform13) | undefined> {
  const ofIssuer = await platforms.ofIssuer(issuer);
  return ofIssuer.find((each) => each.clientId === clientId && each.organizationId === organizationId);
}

/** Deployments that an administrator has added stay. */
function newsOf(
  { authLoginUrl, authTokenUrl, keySetUrl, deploymentIds }: Platform13,
  known: Platform13,
): PlatformChange {
  const deployments = [...new Set([...known.deploymentIds, ...deploymentIds])];
  return { authLoginUrl, authTokenUrl, keySetUrl, deploymentIds: deployments };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function asTaken(fault: unknown): never {
  throw fault instanceof AppError && fault.code === 'conflict' ? faultOf('registration_known', 409) : fault;
}

interface Exchange {
  readonly fetch: typeof fetch;
  readonly asked: Asked;
  readonly name?: string | undefined;
  /** Whether its services may be at other addresses than the platform itself. */
  readonly mayBeSpread: boolean;
}

async function exchange(
  { lti }: RegisteringDeps,
  { fetch, asked, name, mayBeSpread }: Exchange,
): Promise<NewPlatform & Platform13> {
  const { openid_configuration: url, registration_token: registrationToken } = asked;
  const protocol = await lti.protocol();
  const configuration = await protocol.readConfiguration(fetch, url).catch(as('registration_unreadable'));
  if (!mayBeSpread && !isInOnePlace(configuration)) throw faultOf('registration_unreadable', 422);
  return await protocol
    .register(fetch, { configuration, registrationToken, name })
    .catch(as('registration_refused'));
}

/** A stranger's platform must not lead an administrator's test of it to whatever else this server can reach. */
function isInOnePlace(configuration: PlatformConfiguration): boolean {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint } = configuration;
  const places = [issuer, authorization_endpoint, token_endpoint, jwks_uri, registration_endpoint];
  return new Set(places.map((address) => new URL(address).origin)).size === 1;
}

/** Whoever made the code may have left since. */
async function isStillGiven({ users }: RegisteringDeps, permit: Permit): Promise<boolean> {
  const user = await users.byId(permit.madeBy);
  return user?.enabled === true && overseesOrganization(user, permit.organizationId);
}

/** The platform is at fault, or whoever sent us there; what exactly was wrong is in our own words. */
function as(code: RegistrationFault) {
  return (fault: unknown): never => {
    if (!(fault instanceof AppError)) throw fault;
    if (fault.code === 'bad_request') throw faultOf('registration_request', 400);
    throw faultOf(code, 422, fault);
  };
}

export function faultOf(code: RegistrationFault, status: number, cause?: AppError): AppError {
  const message = cause?.message ?? en.faults[code].text;
  return new AppError(message, { status, type: 'invalid_request_error', code, cause });
}

async function keep(
  { audit }: RegisteringDeps,
  { id, organizationId }: LtiPlatform,
  { userId, reason }: { readonly userId: number | null; readonly reason: string },
): Promise<void> {
  await audit.record({
    ...{ action: 'LTI registration', outcome: 'done', userId, organizationId, reason, runId: null },
    resource: `LTI platform ${String(id)}`,
  });
}
