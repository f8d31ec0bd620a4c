import { isRecord, type JsonRecord, own, textIn } from '../base/json.js';
import { SHORTEST_SECRET } from '../base/redactor.js';
import { safeLabel } from '../base/text.js';
import { moodleSite } from '../clients/moodle.js';
import type { Providers } from '../provider.js';
import {
  embeddingChoiceOf,
  embeddingForms,
  rerankerChoiceOf,
  type KnownConnectors,
  type ModelChoice,
  modelChoiceOf,
} from '../runs/model-choice.js';
import { badPricesIn as badPrices, type PriceList, readPrices } from '../runs/prices.js';
import { MASK } from './config-secrets.js';
import { type OrganizationFeatures, readFeatures } from './features.js';
import { type OrganizationLimits, readLimits } from './limits.js';
import { isHostEntry, SECRET_NAME } from './secret-reference.js';

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

/** A secret for tools, and where it may be sent. */
export interface SecretConfig {
  /** As stored, which is sealed. */
  readonly secret: unknown;
  readonly hosts: readonly string[];
}

/** A Moodle as its organisation has set it. */
export interface MoodleConfig {
  readonly siteUrl: string | undefined;
  /** As stored, which is sealed; undefined when there is none. */
  readonly token: unknown;
  readonly matchByEmail: boolean;
}

/** What the service needs of an organisation's configuration. */
export interface OrganizationConfig {
  readonly providers: ReadonlyMap<string, ProviderConfig>;
  readonly globalDefaultModel: ModelChoice | undefined;
  readonly smallFastModel: ModelChoice | undefined;
  readonly visionModel: ModelChoice | undefined;
  readonly toolUseModel: ModelChoice | undefined;
  readonly fallbackModel: ModelChoice | undefined;
  readonly secrets: ReadonlyMap<string, SecretConfig>;
  readonly moodle: MoodleConfig | undefined;
  readonly knowledgeServer: KnowledgeServerConfig | undefined;
  /** As written, such as `openai:text-embedding-3-small`; `none` switches them off. */
  readonly embeddings: string | undefined;
  /** As written, such as `openai:rerank-v3.5`. */
  readonly reranker: string | undefined;
  readonly prices: PriceList;
  readonly limits: OrganizationLimits;
  readonly features: OrganizationFeatures;
}

/** A knowledge base server as its organisation has set it. */
export interface KnowledgeServerConfig {
  readonly url: string;
  /** As stored, which is sealed; undefined when there is none. */
  readonly token: unknown;
}

/** Reads LAMB's JSON. What cannot be understood counts as not said: a stored configuration never stops a run. */
export function readOrganizationConfig(config: JsonRecord, connectors: KnownConnectors): OrganizationConfig {
  const setup = recordIn(recordIn(config, 'setups'), 'default');
  const found = (key: string) => settingIn(config, key);
  const choice = (key: string) => modelChoiceOf(found(key), connectors);
  const providers = found('providers');
  const ofProvider = (key: string) => modelOfProvider(isRecord(providers) ? providers : {}, key, connectors);
  const moodle = found('moodle');
  const knowledge = found('knowledge_base');
  return {
    providers: new Map(
      Object.entries(isRecord(providers) ? providers : {}).flatMap(([name, provider]) =>
        isRecord(provider) ? [[name, readProvider(provider)]] : [],
      ),
    ),
    globalDefaultModel: choice('global_default_model'),
    smallFastModel:
      choice('small_fast_model') ??
      choice('fast_model') ??
      ofProvider('small_fast_model') ??
      ofProvider('fast_model'),
    visionModel: choice('vision_model'),
    toolUseModel: choice('tool_use_model') ?? ofProvider('tool_use_model'),
    fallbackModel: choice('fallback_model'),
    secrets: new Map(Object.entries(recordIn(setup, 'secrets')).flatMap(readSecret)),
    moodle: isRecord(moodle) ? readMoodle(moodle) : undefined,
    knowledgeServer: readKnowledgeServer(isRecord(knowledge) ? knowledge : {}),
    embeddings: writtenIn(config, 'embeddings'),
    reranker: writtenIn(config, 'reranker'),
    prices: readPrices(found('prices'), found('currency')),
    limits: readLimits(config),
    features: readFeatures(config),
  };
}

/** Said in a provider's own block, a model is one of that provider; of several the first that is switched on counts. */
function modelOfProvider(
  providers: JsonRecord,
  key: string,
  connectors: KnownConnectors,
): ModelChoice | undefined {
  for (const [provider, block] of Object.entries(providers)) {
    if (!isRecord(block) || own(block, 'enabled') === false) continue;
    const model = textIn(block, key);
    const choice = model === undefined ? modelChoiceOf(own(block, key), connectors) : { provider, model };
    if (choice) return choice;
  }
  return undefined;
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

/** A choice of embeddings that names nobody would switch them off without a word. */
export function badEmbeddingsIn(config: JsonRecord, providers: Providers): readonly string[] {
  const embeddings = writtenIn(config, 'embeddings');
  if (embeddings === undefined || embeddingChoiceOf(embeddings, providers)) return [];
  return [`knowledge_base.embeddings must be ${embeddingForms(providers)}`];
}

/** The same of who orders passages. */
export function badRerankerIn(config: JsonRecord, providers: Providers): readonly string[] {
  const reranker = writtenIn(config, 'reranker');
  if (reranker === undefined || rerankerChoiceOf(reranker, providers)) return [];
  const makers = [...providers.values()].filter(({ rerank }) => rerank);
  const forms = ['none', ...makers.map(({ name }) => `${name}:<model>`)];
  return [`knowledge_base.reranker must be ${forms.join(' or ')}`];
}

function writtenIn(config: JsonRecord, key: 'embeddings' | 'reranker'): string | undefined {
  const knowledge = settingIn(config, 'knowledge_base');
  return isRecord(knowledge) ? textIn(knowledge, key) : undefined;
}

/** Some installations keep these beside the setups instead of in them. */
function settingIn(config: JsonRecord, key: string): unknown {
  return own(recordIn(recordIn(config, 'setups'), 'default'), key) ?? own(config, key);
}

/** What is wrong with what models are said to cost. */
export function badPricesIn(config: JsonRecord): readonly string[] {
  const setup = recordIn(recordIn(config, 'setups'), 'default');
  return [...badPrices(config, ''), ...badPrices(setup, 'setups.default.')];
}

/** What is wrong with the secrets for tools: a secret that could be sent nowhere, or anywhere, is better refused. */
export function badSecretsIn(config: JsonRecord): readonly string[] {
  const secrets = own(recordIn(recordIn(config, 'setups'), 'default'), 'secrets');
  if (secrets === undefined) return [];
  if (!isRecord(secrets)) return ['setups.default.secrets must be an object of {secret, hosts} by name'];
  return Object.entries(secrets).flatMap(([name, entry]) => {
    const at = `setups.default.secrets.${safeLabel(name)}`;
    if (!SECRET_NAME.test(name))
      return [`${at}: a name has letters, digits and "_", and begins with a letter`];
    const [, read] = readSecret([name, entry])[0] ?? [];
    if (!read) return [`${at} must be {"secret": "…", "hosts": ["api.example.org"]}`];
    const { secret, hosts } = read;
    return [
      ...(secret !== MASK && secret.length < SHORTEST_SECRET ? [`${at}.secret is too short`] : []),
      ...(hosts.length === 0 ? [`${at}.hosts must name at least one host`] : []),
      ...hosts
        .filter((host) => !isHostEntry(host))
        .map((host) => `${at}.hosts: "${safeLabel(host)}" is no host`),
    ];
  });
}

function readSecret([name, entry]: readonly [string, unknown]): [
  string,
  SecretConfig & { secret: string },
][] {
  const secret = isRecord(entry) ? own(entry, 'secret') : undefined;
  const hosts = isRecord(entry) ? own(entry, 'hosts') : undefined;
  if (typeof secret !== 'string' || secret === '' || !Array.isArray(hosts) || !hosts.every(isName)) return [];
  return [[name, { secret, hosts: hosts.map((host) => host.trim()) }]];
}

function badAddress(record: JsonRecord, key: string, path: string): string[] {
  const address = textIn(record, key);
  return address === undefined || isHttp(address) ? [] : [path];
}

function readProvider(provider: JsonRecord): ProviderConfig {
  const models = own(provider, 'models');
  const baseUrl = textIn(provider, 'base_url') ?? '';
  return {
    enabled: own(provider, 'enabled') !== false,
    apiKey: secretIn(provider, 'api_key'),
    baseUrl: isHttp(baseUrl) ? baseUrl.replace(/\/+$/, '') : '',
    models: Array.isArray(models) ? models.filter(isName).map((name) => name.trim()) : [],
    defaultModel: textIn(provider, 'default_model'),
    apiVersion: textIn(provider, 'api_version'),
  };
}

function readMoodle(moodle: JsonRecord): MoodleConfig {
  return {
    siteUrl: moodleSite(textIn(moodle, 'api_url') ?? ''),
    token: secretIn(moodle, 'token'),
    matchByEmail: own(moodle, 'match_by_email') === true,
  };
}

function readKnowledgeServer(knowledge: JsonRecord): KnowledgeServerConfig | undefined {
  const url = textIn(knowledge, 'server_url');
  if (url === undefined || !isHttp(url)) return undefined;
  return { url: url.replace(/\/+$/, ''), token: secretIn(knowledge, 'api_token') };
}

function secretIn(record: JsonRecord, key: string): unknown {
  const secret = own(record, key);
  return secret === null || secret === '' ? undefined : secret;
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
