import type { Config } from './config.js';
import { openSecret } from './core/config-secrets.js';
import {
  DEFAULT_ORGANIZATION,
  type MoodleConfig,
  type ProviderConfig,
  readOrganizationConfig,
} from './core/organization-config.js';
import type { MoodleSettings } from './core/moodle.js';
import type { Redactor } from './core/redactor.js';
import type { ProviderSettings, Settings } from './core/run-context.js';
import type { SecretBox } from './core/secret-box.js';
import type { OrganizationStore } from './core/stores.js';

interface SettingsDeps {
  readonly organizations: Pick<OrganizationStore, 'withConfig'>;
  readonly box: SecretBox;
  readonly redactor: Pick<Redactor, 'protect'>;
}

/** Where a provider listens unless its configuration says otherwise. */
const BASE_URLS: ReadonlyMap<string, string> = new Map([['openai', 'https://api.openai.com/v1']]);

/**
 * What an organisation has set up, read from the database each time: what one process writes, all go by at once.
 * The environment speaks for the default organisation alone.
 */
export function createSettings(
  config: Config,
  { organizations, box, redactor }: SettingsDeps,
): (organizationId: number) => Promise<Settings> {
  const open = (stored: unknown): string => {
    const value = openSecret(stored, box) ?? '';
    const secret = typeof value === 'string' ? value : JSON.stringify(value);
    redactor.protect(secret);
    return secret;
  };

  return async (organizationId) => {
    const organization = await organizations.withConfig(organizationId);
    const { providers, secrets, ...set } = readOrganizationConfig(organization?.config ?? {});
    const environment = organization?.slug === DEFAULT_ORGANIZATION ? config : undefined;
    const names = new Set([...providers.keys(), 'openai']);
    return {
      ...set,
      smallFastModel: set.smallFastModel ?? environment?.smallFastModel,
      providers: Object.fromEntries(
        [...names].flatMap((name) => {
          const fallback = name === 'openai' ? environment?.openai : undefined;
          const resolved = resolve(name, providers.get(name), fallback, open);
          return resolved ? [[name, resolved]] : [];
        }),
      ),
      secrets: new Map(
        [...secrets].map(([name, { secret, hosts }]) => [name, { hosts, value: () => open(secret) }]),
      ),
      weather: config.weather,
      moodle: resolveMoodle(set.moodle, environment?.moodle, open),
    };
  };
}

/**
 * Key and address go together: a key from the environment is never sent to an address that an organisation's
 * administrator has set.
 */
function resolve(
  name: string,
  set: ProviderConfig | undefined,
  environment: Config['openai'],
  open: (stored: unknown) => string,
): ProviderSettings | undefined {
  if (set && (set.apiKey !== undefined || set.baseUrl !== '')) {
    return {
      enabled: set.enabled,
      get apiKey() {
        return open(set.apiKey);
      },
      baseUrl: set.baseUrl === '' ? (BASE_URLS.get(name) ?? '') : set.baseUrl,
      models: set.models,
      defaultModel: set.defaultModel,
    };
  }
  if (!environment) return undefined;
  const models = set?.models ?? [];
  const usual = models.length === 0 ? environment.defaultModel : undefined;
  return {
    ...environment,
    enabled: set?.enabled ?? true,
    models,
    defaultModel: set?.defaultModel ?? usual,
  };
}

/** Address and token go together, as key and address of a provider do. */
function resolveMoodle(
  set: MoodleConfig | undefined,
  environment: Config['moodle'],
  open: (stored: unknown) => string,
): MoodleSettings | undefined {
  const { siteUrl, token, matchByEmail = false } = set ?? {};
  if (siteUrl === undefined && token === undefined) return environment && { ...environment, matchByEmail };
  if (siteUrl === undefined || token === undefined) return undefined;
  return {
    siteUrl,
    get token() {
      return open(token);
    },
    matchByEmail,
  };
}
