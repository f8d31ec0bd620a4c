import type { Assistant } from '../core/assistants/assistant.js';
import type { Plugins } from '../core/plugins.js';

/** Tools that put passages or documents before a model, and name them as sources. */
const RETRIEVING = 'rag';
/** Of that kind by name alone. */
const NOT_RETRIEVING = 'no_rag';

/** By what it holds today: an assistant without such a tool has no sources to name. */
export function isRetrieving({ setup }: Assistant, { tools }: Pick<Plugins, 'tools'>): boolean {
  return setup.tools.some(
    ({ type, enabled }) => enabled && type !== NOT_RETRIEVING && tools.get(type)?.category === RETRIEVING,
  );
}
