import type { Assistant } from './assistant.js';
import type { Caller } from './caller.js';
import type { StoredRubric } from './rubric.js';

/** Something a tool reaches for. The tool names it; the policy decides. */
export type Resource =
  | { readonly kind: 'assistant'; readonly id: number }
  | { readonly kind: 'file'; readonly id: string }
  | { readonly kind: 'rubric'; readonly id: string };

/** By kind and id, for audit rows and traces. */
export function nameOf(resource: Resource): string {
  return `${resource.kind} ${String(resource.id)}`;
}

/** On whose behalf a tool acts: the assistant's owner lends the right, whoever is chatting. */
export interface ActingFor {
  readonly ownerId: number;
}

/** A reason is fit to be told to the owner, and is what the audit keeps. */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Which assistants a caller may see, in words a database can be asked in. */
export type Visibility =
  | { readonly everything: true }
  | {
      readonly everything: false;
      readonly userId: number;
      readonly organizationId: number;
      readonly wholeOrganization: boolean;
    };

/** Who may do what, in one place; routes, lists and the gate ask here and nowhere else. */
export interface AccessPolicy {
  visibleTo(caller: Caller): Visibility;
  mayChat(caller: Caller, assistant: Assistant): Promise<Verdict>;
  mayEdit(caller: Caller, assistant: Assistant): Verdict;
  maySeeRubric(caller: Caller, rubric: StoredRubric): Verdict;
  mayEditRubric(caller: Caller, rubric: StoredRubric): Verdict;
  /** Reads the database now, never an earlier answer. */
  mayUse(resource: Resource, acting: ActingFor): Promise<Verdict>;
}
