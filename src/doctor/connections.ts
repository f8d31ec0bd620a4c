import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { openAsItIs } from '../../db/open.js';
import { createStores } from '../../db/stores.js';
import { createMoodleClient } from '../clients/moodle/client.js';
import type { Config } from '../config.js';
import type { Redactor } from '../core/base/redactor.js';
import type { MoodleSettings } from '../core/clients/moodle.js';
import type { Logger } from '../core/log.js';
import { DEFAULT_ORGANIZATION } from '../core/organizations/config.js';
import type { SecretBox } from '../core/organizations/secret-box.js';
import { providersOf } from '../core/plugins.js';
import type { Provider, Providers } from '../core/provider.js';
import type { ProviderSettings, Settings } from '../core/runs/run-context.js';
import type { Organization, Stores } from '../core/stores.js';
import { checkMoodle, type CheckedPerson } from '../organizations/moodle-check.js';
import { launchedPerson } from '../organizations/moodle-person.js';
import { checkProvider } from '../organizations/provider-check.js';
import { createSettings } from '../organizations/settings.js';
import { createTrustedFetch } from '../outbound/fetch.js';
import { CODE } from '../paths.js';
import { loadConnectors } from '../plugins/load.js';
import { createSecretBox, readSecretKey } from '../security/secret-box.js';
import {
  type Finding,
  type Looking,
  moodleAnswers,
  NO_MOODLE,
  NO_PLATFORM,
  NO_PROVIDER,
  NOBODY,
  moodleFinding,
  pageOf,
  platformFinding,
  platformOff,
  providerFinding,
} from './finding.js';

const CALL_MS = 10_000;
const MOODLE_MS = 30_000;
const MOST = 200;

const nothing = () => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

interface Deps {
  readonly config: Config;
  readonly stores: Stores;
  readonly providers: Providers;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly box: SecretBox;
  /** For addresses that an administrator has set. */
  readonly fetch: typeof fetch;
  readonly looking: Looking;
}

/** Asks providers, Moodle and learning platforms of every organisation, as the service would. Nothing is written. */
export async function* examineConnections(
  config: Config,
  redactor: Redactor,
  looking: Looking,
): AsyncGenerator<Finding> {
  const db = await openAsItIs(config.database);
  const agent = new Agent({ connect: { timeout: CALL_MS } });
  try {
    const { filesFolder, documentsFolder, attachmentsFolder } = config;
    const catalogue = { placeholderOf: () => undefined };
    const stores = createStores(db, { filesFolder, documentsFolder, attachmentsFolder, catalogue });
    const connectors = await loadConnectors(CODE, SILENT);
    const box = createSecretBox(await secretKeyOf(config));
    const { organizations } = stores;
    const settingsOf = createSettings(config, { organizations, connectors, box, redactor });
    const providers = providersOf(connectors);
    const deps = { config, stores, providers, settingsOf, box, fetch: createTrustedFetch(agent), looking };
    const { data } = await organizations.list({}, { limit: MOST });
    yield* await ofEach(data, (one) => providersOfOne(one, deps), NO_PROVIDER);
    yield* await ofEach(data, (one) => moodleOfOne(one, deps), NO_MOODLE);
    yield* platformsOf(data, deps);
  } finally {
    await agent.destroy();
    await db.destroy();
  }
}

/** One organisation after another, so that none of those who are asked is asked by all at once. */
async function ofEach(
  organizations: readonly Organization[],
  look: (organization: Organization) => Promise<readonly Finding[]>,
  nothing: Finding,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const organization of organizations) found.push(...(await look(organization)));
  return found.length > 0 ? found : [nothing];
}

/** Where there is none yet, nothing is sealed; the first start makes one, and doctor none. */
async function secretKeyOf(config: Config): Promise<Buffer> {
  const isThere = config.secretKey !== undefined || existsSync(join(config.dataDir, 'secret.key'));
  return isThere ? readSecretKey(config) : randomBytes(32);
}

async function providersOfOne(organization: Organization, deps: Deps): Promise<Finding[]> {
  const { providers } = await deps.settingsOf(organization.id);
  const used = Object.entries(providers).flatMap(([name, settings]) => {
    const provider = deps.providers.get(name);
    return provider && settings?.enabled ? [{ provider, settings }] : [];
  });
  return Promise.all(
    used.map(async ({ provider, settings }) => {
      const place = { of: organization.name, setIn: placeOf(organization, provider, settings, deps) };
      if (!provider.check) {
        return { what: `provider ${provider.title}`, note: `${place.of}, cannot be tried out`, faults: [] };
      }
      const outbound = { fetch: deps.fetch, signal: AbortSignal.timeout(CALL_MS) };
      return providerFinding(provider.title, await checkProvider(provider.check, settings, outbound), place);
    }),
  );
}

/** The environment counts where the organisation has set nothing of its own. */
function placeOf(
  { slug, name }: Organization,
  { name: provider, env }: Provider,
  settings: ProviderSettings,
  { config }: Deps,
): string {
  const given = slug === DEFAULT_ORGANIZATION ? config.providers[provider] : undefined;
  return given && given.apiKey === settings.apiKey
    ? `.env, or the environment, as ${[env.apiKey, env.baseUrl].filter(Boolean).join(' and ')}`
    : pageOf('Providers', name);
}

async function moodleOfOne(organization: Organization, deps: Deps): Promise<Finding[]> {
  const { moodle } = await deps.settingsOf(organization.id);
  if (!moodle) return [];
  const setIn =
    moodle.token === deps.config.moodle?.token
      ? '.env, or the environment, as MOODLE_API_URL and MOODLE_TOKEN'
      : pageOf('Moodle', organization.name);
  const person = await personFor(organization, moodle, deps);
  const call = createMoodleClient({ settings: moodle, fetch: deps.fetch, timeoutMs: CALL_MS, log: SILENT });
  const asking = { call, signal: AbortSignal.timeout(MOODLE_MS) };
  // About somebody nobody knows, it still tells whether it answers at all.
  const { userId, findings } = await checkMoodle(person ?? { email: NOBODY, courses: [] }, asking);
  const connected = findings.some(({ name, ok }) => name === 'connection' && ok === true);
  if (!person && connected) return [moodleAnswers(organization.name)];
  return [moodleFinding({ checks: findings, user_id: userId ?? null }, { of: organization.name, setIn })];
}

function personFor(
  { id: organizationId }: Organization,
  { siteUrl }: MoodleSettings,
  { stores, looking: { moodleUser } }: Deps,
): Promise<CheckedPerson | undefined> {
  if (moodleUser?.includes('@')) return Promise.resolve({ email: moodleUser, courses: [] });
  const number = moodleUser === undefined ? undefined : Number(moodleUser);
  return launchedPerson({ ...stores, organizationId, siteUrl }, number);
}

async function* platformsOf(organizations: readonly Organization[], deps: Deps): AsyncGenerator<Finding> {
  const { data } = await deps.stores.platforms.list({}, { limit: MOST });
  if (data.length === 0) {
    yield NO_PLATFORM;
    return;
  }
  const key = (await deps.stores.ltiKeys.list()).find(({ retiredAt }) => retiredAt === null);
  const { config, box, fetch } = deps;
  // With what signs and verifies, which takes a while to load.
  const { createLtiProtocol } = await import('../lti/protocol.js');
  for (const platform of data) {
    const of = organizations.find(({ id }) => id === platform.organizationId)?.name ?? '';
    if (!platform.enabled) yield platformOff(platform, of);
    // A key is made by the first launch, and making one would be a change.
    else if (!key)
      yield {
        what: `LTI platform ${platform.name}`,
        note: `${of}, not tried: the first launch makes the key it is tried with`,
        faults: [],
      };
    else {
      const protocol = createLtiProtocol({
        fetch,
        now: () => Date.now(),
        publicUrl: config.publicUrl ?? `http://${config.host}:${String(config.port)}`,
        signingKey: () => Promise.resolve({ kid: key.kid, privateJwk: box.open(key.privateKey) }),
      });
      yield platformFinding(platform, await protocol.testPlatform(platform), of);
    }
  }
}
