import type { Connector } from './connector.js';
import type { PromptProcessor } from './processor.js';
import type { Provider, Providers } from './provider.js';
import { USUAL_PROVIDER } from './runs/model-choice.js';
import type { AnyTool } from './tool.js';

/** Everything that was found in the plug-in folders, by name. */
export interface Plugins {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly connectors: Connectors;
  readonly processors: ReadonlyMap<string, PromptProcessor>;
}

export type Connectors = ReadonlyMap<string, Connector>;

/** Those that the connectors declare, the usual one first. Where several declare one, the connector of its name counts. */
export function providersOf(connectors: Connectors): Providers {
  const found = new Map<string, Provider>();
  const usual = connectors.get(USUAL_PROVIDER);
  for (const { name, provider } of [...(usual ? [usual] : []), ...connectors.values()]) {
    if (provider && (name === provider.name || !found.has(provider.name))) found.set(provider.name, provider);
  }
  return found;
}
