import type { FunctionSpec } from '../../src/core/connector.js';
import { oncePer } from '../../src/core/base/once-per.js';
import type { Message } from '../../src/core/message.js';
import type { Plugins } from '../../src/core/plugins.js';
import type { Contexts } from '../../src/core/processor.js';
import type { PreparedRun } from './prepare.js';

/** The messages the model of a run reads; a preview shows exactly these. */
export function composeRun(
  { ctx, processor }: PreparedRun,
  { contexts, functions }: { readonly contexts: Contexts; readonly functions: readonly FunctionSpec[] },
  plugins: Plugins,
): readonly Message[] {
  const { assistant, chat } = ctx;
  return processor.compose({
    assistant,
    chat,
    contexts,
    functions,
    knownPlaceholders: knownPlaceholders(plugins),
  });
}

/** Every placeholder that some installed tool would fill. */
export const knownPlaceholders = oncePer(
  ({ tools }: Plugins): ReadonlySet<string> =>
    new Set([...tools.values()].flatMap(({ placeholder }) => placeholder ?? [])),
);
