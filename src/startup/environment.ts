import { type ConfigResult, readConfig } from '../config.js';
import type { Logger } from '../core/log.js';
import { CODE } from '../paths.js';
import { loadConnectors } from '../plugins/load.js';

/** A connector that cannot be used is named in the log once the service loads it; there is none before it has its settings. */
const nothing = () => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** What every program begins with: the configuration, with the settings of the providers that are installed. */
export async function readEnvironment(env: NodeJS.ProcessEnv): Promise<ConfigResult> {
  return readConfig(env, await loadConnectors(CODE, SILENT));
}
