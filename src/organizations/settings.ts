import type { Config, EnvironmentProvider } from '../config.js';
import type { Redactor } from '../core/base/redactor.js';
import type { MoodleSettings } from '../core/clients/moodle.js';
import { openSecret, secretsIn } from '../core/organizations/config-secrets.js';
import {
  DEFAULT_ORGANIZATION,
  type KnowledgeServerConfig,
  type MoodleConfig,
  type ProviderConfig,
  readOrganizationConfig,
} from '../core/organizations/config.js';
import type { SecretBox } from '../core/organizations/secret-box.js';
import { type Connectors, providersOf } from '../core/plugins.js';
import type { Providers, RerankEndpoint } from '../core/provider.js';
import { embeddingChoiceOf, type ModelChoice, rerankerChoiceOf } from '../core/runs/model-choice.js';
import type {
  EmbeddingSettings,
  KnowledgeServer,
  ProviderSettings,
  ProvidersModel,
  Settings,
} from '../core/runs/run-context.js';
import type { OrganizationStore, OrganizationWithConfig } from '../core/stores.js';

interface SettingsDeps {
  readonly organizations: Pick<OrganizationStore, 'withConfig'>;
  readonly connectors: Connectors;
  readonly box: SecretBox;
  readonly redactor: Pick<Redactor, 'renew'>;
}

/**
 * What an organisation has set up, worked out once for each state of its configuration. The environment speaks for the
 * default organisation alone.
 */
export function createSettings(
  config: Config,
  { organizations, connectors, box, redactor }: SettingsDeps,
): (organizationId: number) => Promise<Settings> {
  const declared = providersOf(connectors);
  const open = (stored: unknown): string => {
    const value = openSecret(stored, box) ?? '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  /** What cannot be read can neither be sent nor leak. */
  const readable = <T>(read: () => readonly T[]): readonly T[] => {
    try {
      return read();
    } catch {
      return [];
    }
  };
  const secretsOf = ({ config: stored }: OrganizationWithConfig): readonly string[] =>
    readable(() => secretsIn(stored)).flatMap((secret) => readable(() => [open(secret)]));

  const settingsFor = (organization: OrganizationWithConfig | undefined): Settings => {
    const { providers, secrets, ...set } = readOrganizationConfig(organization?.config ?? {}, connectors);
    const environment = organization?.slug === DEFAULT_ORGANIZATION ? config : undefined;
    const given = new Map(Object.entries(environment?.providers ?? {}));
    const names = new Set([...providers.keys(), ...given.keys()]);
    const resolved = Object.fromEntries(
      [...names].flatMap((name) => {
        const ownAddress = declared.get(name)?.baseUrl ?? '';
        const provider = resolve(ownAddress, providers.get(name), given.get(name), open);
        return provider ? [[name, provider]] : [];
      }),
    );
    return {
      ...set,
      smallFastModel: set.smallFastModel ?? environment?.smallFastModel,
      visionModel: set.visionModel ?? environment?.visionModel,
      providers: resolved,
      secrets: new Map(
        [...secrets].map(([name, { secret, hosts }]) => [name, { hosts, value: () => open(secret) }]),
      ),
      weather: config.weather,
      moodle: resolveMoodle(set.moodle, environment?.moodle, open),
      knowledgeServer: resolveServer(set.knowledgeServer, environment?.knowledgeServer, open),
      embeddings: resolveEmbeddings(set.embeddings ?? config.embeddings, resolved, declared),
      reranker: resolveReranker(set.reranker ?? 'none', resolved, declared),
    };
  };

  const workedOut = new WeakMap<OrganizationWithConfig, Settings>();
  return async (organizationId) => {
    const organization = await organizations.withConfig(organizationId);
    if (!organization) return settingsFor(undefined);
    const known = workedOut.get(organization);
    if (known) return known;
    redactor.renew(organizationId, secretsOf(organization));
    const settings = settingsFor(organization);
    workedOut.set(organization, settings);
    return settings;
  };
}

/**
 * Key and address go together: a key from the environment is never sent to an address that an organisation's
 * administrator has set.
 */
function resolve(
  ownAddress: string,
  set: ProviderConfig | undefined,
  environment: EnvironmentProvider | undefined,
  open: (stored: unknown) => string,
): ProviderSettings | undefined {
  if (set && (set.apiKey !== undefined || set.baseUrl !== '')) {
    const baseUrl = set.baseUrl === '' ? ownAddress : set.baseUrl;
    // Nothing can be sent to a provider that has no address.
    if (baseUrl === '') return undefined;
    return {
      enabled: set.enabled,
      get apiKey() {
        return open(set.apiKey);
      },
      baseUrl,
      models: set.models,
      defaultModel: set.defaultModel,
      apiVersion: set.apiVersion,
    };
  }
  if (!environment) return undefined;
  const models = set?.models ?? [];
  const usual = models.length === 0 ? environment.defaultModel : undefined;
  return {
    apiKey: environment.apiKey,
    baseUrl: environment.baseUrl === '' ? ownAddress : environment.baseUrl,
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

/** Address and token go together, as those of a Moodle do. */
function resolveServer(
  set: KnowledgeServerConfig | undefined,
  environment: Config['knowledgeServer'],
  open: (stored: unknown) => string,
): KnowledgeServer | undefined {
  if (!set) return environment;
  const { url, token } = set;
  return {
    url,
    get token() {
      return token === undefined ? '' : open(token);
    },
  };
}

/** Undefined as well where the provider is not set up: then there is nobody to ask, and words have to do. */
export function resolveEmbeddings(
  written: string,
  providers: Settings['providers'],
  declared: Providers,
): EmbeddingSettings | undefined {
  const choice = embeddingChoiceOf(written, declared);
  if (!choice || choice.provider === 'none') return undefined;
  if ('name' in choice) return { provider: 'local', name: choice.name };
  return modelOf(choice as ModelChoice, declared.get(choice.provider)?.embeddings, providers);
}

/** Undefined as well where the provider is not set up. */
export function resolveReranker(
  written: string,
  providers: Settings['providers'],
  declared: Providers,
): ProvidersModel<RerankEndpoint> | undefined {
  const choice = rerankerChoiceOf(written, declared);
  if (!choice || choice === 'none') return undefined;
  return modelOf(choice, declared.get(choice.provider)?.rerank, providers);
}

function modelOf<Endpoint>(
  choice: ModelChoice,
  endpoint: Endpoint | undefined,
  providers: Settings['providers'],
): ProvidersModel<Endpoint> | undefined {
  const provider = Object.hasOwn(providers, choice.provider) ? providers[choice.provider] : undefined;
  if (!provider?.enabled || !endpoint) return undefined;
  return {
    ...choice,
    endpoint,
    baseUrl: provider.baseUrl,
    get apiKey() {
      return provider.apiKey;
    },
  };
}
