import type { AssistantSetup } from '../src/core/assistant.js';
import type { Connector } from '../src/core/connector.js';
import { invalidConfiguration } from '../src/core/errors.js';
import type { Settings } from '../src/core/run-context.js';

export interface ChosenModel {
  readonly connector: Connector;
  readonly model: string;
}

/** The assistant's own choice; else what its organisation has; else `demo`, which needs nothing. */
export function chooseModel(
  setup: AssistantSetup,
  settings: Settings,
  connectors: ReadonlyMap<string, Connector>,
): ChosenModel {
  const name = setup.connector ?? (settings.providers.openai ? 'openai' : 'demo');
  const connector = connectors.get(name);
  if (!connector)
    throw invalidConfiguration(`This assistant's connector "${name}" is not installed.`, 'connector');
  const model = setup.model ?? connector.models(settings)[0];
  if (model === undefined)
    throw invalidConfiguration('This assistant names no model, and there is no default one.', 'llm');
  return { connector, model };
}
