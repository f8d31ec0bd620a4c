import type { AssistantSetup } from '../../src/core/assistants/assistant.js';
import type { Connector } from '../../src/core/connector.js';
import { invalidConfiguration, notConfigured } from '../../src/core/errors.js';
import type { Logger } from '../../src/core/log.js';
import type { Connectors } from '../../src/core/plugins.js';
import { type ModelChoice, USUAL_PROVIDER } from '../../src/core/runs/model-choice.js';
import type { ProviderSettings, Settings } from '../../src/core/runs/run-context.js';

export interface ConnectedModel {
  readonly connector: Connector;
  readonly model: string;
}

export interface ChosenModel extends ConnectedModel {
  /** What may answer instead when this one cannot be reached. */
  readonly fallback?: ConnectedModel | undefined;
}

/** The assistant's own choice; else what its organisation has; else `demo`, which needs nothing. */
export function chooseModel(
  setup: Pick<AssistantSetup, 'type' | 'connector' | 'model'>,
  settings: Settings,
  connectors: Connectors,
  log: Logger,
): ChosenModel {
  const usual = setup.connector === undefined ? usualModel(setup, settings, connectors) : undefined;
  const name = setup.connector ?? usual?.provider ?? someProvider(setup, settings, connectors) ?? 'demo';
  const connector = connectors.get(name);
  if (!connector)
    throw invalidConfiguration(`This assistant's connector "${name}" is not installed.`, 'connector');
  if (!isUsable(connector, settings))
    throw notConfigured(`The provider "${connector.provider?.name ?? name}"`);

  const wanted = setup.model ?? usual?.model ?? connector.models(settings)[0];
  if (wanted === undefined)
    throw notConfigured(`A model of the provider "${connector.provider?.name ?? name}"`);
  const model = offeredModel(wanted, connector, settings);
  if (model !== wanted) {
    log.info(
      { connector: name, wanted: wanted.slice(0, 100), model },
      'model is not offered: another is taken',
    );
  }
  return { connector, model, fallback: fallbackFor({ connector, model }, settings, connectors) };
}

/** For small work on the side; undefined when the organisation has none that can be used as things are. */
export function smallModel(settings: Settings, connectors: Connectors): ConnectedModel | undefined {
  return usableModel(settings.smallFastModel, settings, connectors);
}

/** For pictures that are documents; undefined when the organisation has none that can be used as things are. */
export function visionModel(settings: Settings, connectors: Connectors): ConnectedModel | undefined {
  return usableModel(settings.visionModel, settings, connectors);
}

function usableModel(
  { provider = '', model = '' }: Partial<ModelChoice> = {},
  settings: Settings,
  connectors: Connectors,
): ConnectedModel | undefined {
  const connector = connectors.get(provider);
  return connector && isUsable(connector, settings) ? { connector, model } : undefined;
}

/** The first of the organisation's standing choices that can be used as things are. */
function usualModel(
  { type }: Pick<AssistantSetup, 'type'>,
  settings: Settings,
  connectors: Connectors,
): ModelChoice | undefined {
  const choices = [...(type === 'orchestrator' ? [settings.toolUseModel] : []), settings.globalDefaultModel];
  return choices.find((choice) => {
    const connector = choice && connectors.get(choice.provider);
    return connector !== undefined && isUsable(connector, settings);
  });
}

/** One of which a model is known: none that nobody has chosen a model of takes the place of the demo. */
function someProvider(
  { model }: Pick<AssistantSetup, 'model'>,
  settings: Settings,
  connectors: Connectors,
): string | undefined {
  const { providers } = settings;
  const names = Object.keys(providers).filter((name) => {
    const connector = providers[name]?.enabled ? connectors.get(name) : undefined;
    return connector && (model !== undefined || connector.models(settings).length > 0);
  });
  return names.includes(USUAL_PROVIDER) ? USUAL_PROVIDER : names[0];
}

/** An organisation that lists models offers those alone. */
function offeredModel(wanted: string, connector: Connector, settings: Settings): string {
  if ((providerOf(connector, settings)?.models ?? []).length === 0) return wanted;
  const offered = connector.models(settings);
  return offered.includes(wanted) ? wanted : (offered[0] ?? wanted);
}

function fallbackFor(
  chosen: ConnectedModel,
  settings: Settings,
  connectors: Connectors,
): ConnectedModel | undefined {
  const { provider = '', model = '' } = settings.fallbackModel ?? {};
  const connector = connectors.get(provider);
  if (!connector || !isUsable(connector, settings)) return undefined;
  const isTheSame =
    model === chosen.model && (connector.provider?.name ?? provider) === chosen.connector.provider?.name;
  return isTheSame ? undefined : { connector, model };
}

/** Whether what it needs is set up and switched on. */
export function isUsable(connector: Connector, settings: Settings): boolean {
  return connector.provider === undefined || providerOf(connector, settings)?.enabled === true;
}

function providerOf({ provider }: Connector, { providers }: Settings): ProviderSettings | undefined {
  return provider && Object.hasOwn(providers, provider.name) ? providers[provider.name] : undefined;
}
