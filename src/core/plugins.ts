import type { Connector } from './connector.js';
import type { PromptProcessor } from './processor.js';
import type { AnyTool } from './tool.js';

/** Everything that was found in the plug-in folders, by name. */
export interface Plugins {
  readonly tools: ReadonlyMap<string, AnyTool>;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly processors: ReadonlyMap<string, PromptProcessor>;
}
