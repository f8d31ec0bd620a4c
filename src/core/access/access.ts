import type { Assistant } from '../assistants/assistant.js';
import type { Collection } from '../knowledge/collection.js';
import type { StoredRubric } from '../rubrics/rubric.js';
import type { LaunchPlace, Role } from './caller.js';
import type { LinkPlace } from './link.js';

/** Something a tool reaches for. The tool names it; the policy decides. */
export type Resource =
  | { readonly kind: 'assistant'; readonly id: number }
  | { readonly kind: 'collection'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string }
  | { readonly kind: 'rubric'; readonly id: string };

/** By kind and id, for audit rows and traces. */
export function nameOf(resource: Resource): string {
  return `${resource.kind} ${String(resource.id)}`;
}

/** On whose behalf a tool acts: the assistant's owner lends the right, whoever is chatting. */
export interface ActingFor {
  readonly ownerId: number;
  /** The assistant that acts; absent while it is not stored yet. */
  readonly id?: number | undefined;
}

/** Whoever is asking, as far as a rule cares. */
export interface Person {
  readonly userId: number;
  readonly organizationId: number;
  readonly role: Role;
  /** Of those whom a platform's launch brought: they may do what is done there, and nothing else. */
  readonly launch?: LaunchPlace | undefined;
  /** Of those who came by a public link: they may chat with what it leads to, and nothing else. */
  readonly link?: LinkPlace | undefined;
}

export type AllowingRule =
  | 'owner'
  | 'shared'
  | 'published_organization'
  | 'published_everyone'
  | 'organization_admin'
  | 'system_admin'
  | 'activity'
  | 'link';

/** `none`: no rule allows it. The others deny what some rule would have allowed. */
export type DenyingRule =
  | 'none'
  | 'disabled'
  | 'account_disabled'
  | 'owner_disabled'
  | 'orchestrator_target'
  | 'itself'
  | 'consent_needed';

/** Which rule decided, and when denied a reason that is fit to be told to the owner and is what the audit keeps. */
export type Verdict =
  | { readonly allowed: true; readonly rule: AllowingRule }
  | { readonly allowed: false; readonly rule: DenyingRule; readonly reason: string };

/** Who may do what, in one place; routes, lists and the gate ask here and nowhere else. */
export interface AccessPolicy {
  visibleTo(person: Person): Visibility;
  mayChat(person: Person, assistant: Assistant): Promise<Verdict>;
  /** May chat with it, and it is switched on. */
  mayRun(person: Person, assistant: Assistant): Promise<Verdict>;
  mayEdit(person: Person, assistant: Assistant): Verdict;
  maySeeRubric(caller: Person, rubric: StoredRubric): Verdict;
  mayEditRubric(caller: Person, rubric: StoredRubric): Verdict;
  maySeeCollection(caller: Person, collection: Collection): Verdict;
  mayEditCollection(caller: Person, collection: Collection): Verdict;
  /** As things stand now, not as they stood when the run began. */
  mayUse(resource: Resource, acting: ActingFor): Promise<Verdict>;
}

/** Which assistants a caller may see, in words a database can be asked in. */
export type Visibility =
  | { readonly everything: true }
  | {
      readonly everything: false;
      readonly userId: number;
      readonly organizationId: number;
      readonly wholeOrganization: boolean;
    };
