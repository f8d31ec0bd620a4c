import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import type { Hiding } from '../../core/base/redactor.js';
import type { AnswerDetails } from '../../core/runs/answer-details.js';
import type { AssistantStore, Conversation, StoredMessage } from '../../core/stores.js';

/** Conversations as the API shows them. */

type Names = ReadonlyMap<number, string>;

/** By id, of those assistants that the caller may still know of. */
export async function assistantNames(
  conversations: readonly Conversation[],
  caller: Caller,
  { assistants, policy }: { readonly assistants: AssistantStore; readonly policy: AccessPolicy },
): Promise<Names> {
  const ids = [...new Set(conversations.map(({ assistantId }) => assistantId))];
  const found = await Promise.all(
    ids.map(async (id): Promise<readonly [number, string][]> => {
      const assistant = await assistants.get(id);
      if (!assistant || !(await policy.mayChat(caller, assistant)).allowed) return [];
      return [[id, assistant.name]];
    }),
  );
  return new Map(found.flat());
}

export function showConversation(
  { id, assistantId, title, createdAt, updatedAt }: Conversation,
  names: Names,
) {
  return {
    id,
    assistant_id: assistantId,
    /** Null when it is gone, or no longer this person's to know of. */
    assistant_name: names.get(assistantId) ?? null,
    title,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function showMessage(
  { role, content, runId, incomplete, details, createdAt }: StoredMessage,
  redactor: Hiding,
) {
  return {
    ...{ role, content, run_id: runId, incomplete, created_at: createdAt },
    ...(details ? showDetails(redactor.redactIn(details) as AnswerDetails) : {}),
  };
}

function showDetails({ sources, steps }: AnswerDetails) {
  return { ...(sources.length > 0 ? { sources } : {}), ...(steps.length > 0 ? { steps } : {}) };
}
