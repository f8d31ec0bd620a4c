import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { AssistantStore } from '../../core/stores.js';
import { showAssistant } from './body.js';

type Shown = ReturnType<typeof showAssistant>;

/** Shows assistants to callers: to each as much as they may know. */
export interface AssistantShow {
  one(assistant: Assistant, caller: Caller): Promise<Shown>;
  /** How to show these: what has to be looked up for it is looked up for all of them at once. */
  all(assistants: readonly Assistant[], caller: Caller): Promise<(assistant: Assistant) => Shown>;
}

export function createAssistantShow({
  assistants,
  policy,
}: {
  readonly assistants: AssistantStore;
  readonly policy: AccessPolicy;
}): AssistantShow {
  const all: AssistantShow['all'] = async (shown, caller) => {
    const editable = shown.filter((assistant) => policy.mayEdit(caller, assistant).allowed);
    const people = await assistants.shareCounts(editable.map(({ id }) => id));
    const forEditors = new Map(editable.map(({ id }) => [id, { sharedWith: people.get(id) ?? 0 }]));
    return (assistant) => showAssistant(assistant, forEditors.get(assistant.id));
  };
  return { all, one: async (assistant, caller) => (await all([assistant], caller))(assistant) };
}
