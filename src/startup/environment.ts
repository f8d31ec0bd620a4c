import { type ConfigResult, readConfig } from '../config.js';
import type { Logger } from '../core/log.js';
import { CODE } from '../paths.js';
import { loadConnectors } from '../plugins/load.js';

/** A connector that cannot be used is named in the log once the service loads it; there is none before it has its settings. */
const nothing = () => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The AWS client says at its start which Node later versions of it will need; the version here is the one that is installed. */
const SDK_VERSION_WARNING = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

/** What every program begins with: the configuration, with the settings of the providers that are installed. */
export async function readEnvironment(env: NodeJS.ProcessEnv): Promise<ConfigResult> {
  env[SDK_VERSION_WARNING] ??= 'true';
  return readConfig(env, await loadConnectors(CODE, SILENT));
}
