import { isRecord, type JsonRecord, own, textIn } from './json-record.js';
import { type ModelChoice, modelChoiceOf } from './model-choice.js';

export { keepMasked, maskSecrets, openSecrets, sealSecrets } from './config-secrets.js';

/** The organisation that the environment's values belong to. */
export const DEFAULT_ORGANIZATION = 'default';

/** A provider as its organisation has set it. */
export interface ProviderConfig {
  readonly enabled: boolean;
  /** As stored, which is sealed; undefined when there is none. */
  readonly apiKey: unknown;
  /** Empty for the provider's own. */
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly defaultModel: string | undefined;
  readonly apiVersion: string | undefined;
}

/** What the service needs of an organisation's configuration. */
export interface OrganizationConfig {
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  readonly globalDefaultModel: ModelChoice | undefined;
  readonly smallFastModel: ModelChoice | undefined;
  readonly toolUseModel: ModelChoice | undefined;
  readonly fallbackModel: ModelChoice | undefined;
}

/** Reads LAMB's JSON. What cannot be understood counts as not said: a stored configuration never stops a run. */
export function readOrganizationConfig(config: JsonRecord): OrganizationConfig {
  const setup = recordIn(recordIn(config, 'setups'), 'default');
  // Some installations keep these beside the setups instead of in them.
  const found = (key: string) => own(setup, key) ?? own(config, key);
  const choice = (key: string) => modelChoiceOf(found(key));
  const providers = found('providers');
  return {
    providers: new Map(
      Object.entries(isRecord(providers) ? providers : {}).flatMap(([name, provider]) =>
        isRecord(provider) ? [[name, readProvider(provider)]] : [],
      ),
    ),
    globalDefaultModel: choice('global_default_model'),
    smallFastModel: choice('small_fast_model'),
    toolUseModel: choice('tool_use_model'),
    fallbackModel: choice('fallback_model'),
  };
}

/** Addresses nothing could be sent to: the one thing that is better refused than passed over. */
export function badAddressesIn(config: JsonRecord): readonly string[] {
  const setup = recordIn(recordIn(config, 'setups'), 'default');
  const places: [string, JsonRecord][] = [
    ['', config],
    ['setups.default.', setup],
  ];
  return places.flatMap(([where, holder]) => [
    ...Object.entries(recordIn(holder, 'providers')).flatMap(([name, provider]) =>
      isRecord(provider) ? badAddress(provider, 'base_url', `${where}providers.${name}.base_url`) : [],
    ),
    ...badAddress(recordIn(holder, 'knowledge_base'), 'server_url', `${where}knowledge_base.server_url`),
    ...badAddress(recordIn(holder, 'moodle'), 'api_url', `${where}moodle.api_url`),
  ]);
}

function badAddress(record: JsonRecord, key: string, path: string): string[] {
  const address = textIn(record, key);
  return address === undefined || isHttp(address) ? [] : [path];
}

function readProvider(provider: JsonRecord): ProviderConfig {
  const models = own(provider, 'models');
  const apiKey = own(provider, 'api_key');
  const baseUrl = textIn(provider, 'base_url') ?? '';
  return {
    enabled: own(provider, 'enabled') !== false,
    apiKey: apiKey === null || apiKey === '' ? undefined : apiKey,
    baseUrl: isHttp(baseUrl) ? baseUrl.replace(/\/+$/, '') : '',
    models: Array.isArray(models) ? models.filter(isName).map((name) => name.trim()) : [],
    defaultModel: textIn(provider, 'default_model'),
    apiVersion: textIn(provider, 'api_version'),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

function recordIn(record: JsonRecord, key: string): JsonRecord {
  const value = own(record, key);
  return isRecord(value) ? value : {};
}
