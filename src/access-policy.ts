import type { AccessPolicy, Verdict, Visibility } from './core/access.js';
import type { Assistant } from './core/assistant.js';
import type { Role } from './core/caller.js';
import type { Stores } from './core/stores.js';
import { mayEditRubric, maySeeRubric } from './rubric-access.js';

/** Whoever is asking, as far as a rule cares. */
interface Person {
  readonly userId: number;
  readonly organizationId: number;
  readonly role: Role;
}

const ALLOWED: Verdict = { allowed: true };
const denied = (reason: string): Verdict => ({ allowed: false, reason });

/** Who may do what. Nothing is remembered between two questions, so a right withdrawn is gone at the next one. */
export function createAccessPolicy({
  assistants,
  users,
  rubrics,
}: Pick<Stores, 'assistants' | 'users' | 'rubrics'>): AccessPolicy {
  /** Whoever asks, and the owner who lends the right, are judged as their accounts are now. */
  async function mayChat({ userId }: Pick<Person, 'userId'>, assistant: Assistant): Promise<Verdict> {
    const { ownerId } = assistant;
    const [user, owner] = await Promise.all([
      users.byId(userId),
      ownerId === userId ? undefined : users.byId(ownerId),
    ]);
    if (!user?.enabled) return denied('their account is switched off');
    const person = { userId, organizationId: user.organizationId, role: user.role };
    // Administrators look after what a closed account leaves behind.
    if (ownerId !== userId && !owner?.enabled && !administers(person, assistant))
      return denied("its owner's account is switched off");
    return await mayReach(person, assistant);
  }

  async function mayReach(person: Person, assistant: Assistant): Promise<Verdict> {
    if (administers(person, assistant) || assistant.ownerId === person.userId) return ALLOWED;
    if (isPublishedFor(person, assistant)) return ALLOWED;
    if (await assistants.isSharedWith(assistant.id, person.userId)) return ALLOWED;
    return denied('neither its owner nor shared with them nor published to them');
  }

  async function mayCall(id: number, ownerId: number): Promise<Verdict> {
    const [target, owner] = await Promise.all([assistants.get(id), users.byId(ownerId)]);
    const unknown = denied(`There is no assistant ${String(id)} that the owner may use.`);
    if (!target || !owner?.enabled) return unknown;
    const person = { userId: owner.id, organizationId: owner.organizationId, role: owner.role };
    if (!(await mayReach(person, target)).allowed) return unknown;
    if (target.setup.type !== 'orchestrator') return ALLOWED;
    return denied(`Assistant ${String(id)} calls functions itself, so it cannot be called by another.`);
  }

  async function mayUseRubric(id: string, ownerId: number): Promise<Verdict> {
    const [rubric, owner] = await Promise.all([rubrics.get(id), users.byId(ownerId)]);
    const person = owner?.enabled ? { ...owner, userId: owner.id } : undefined;
    if (rubric && person && maySeeRubric(person, rubric).allowed) return ALLOWED;
    return denied(`There is no rubric ${id} that the owner may use.`);
  }

  return {
    visibleTo: visibilityOf,
    mayChat,
    mayEdit: (caller, assistant) =>
      administers(caller, assistant) || assistant.ownerId === caller.userId
        ? ALLOWED
        : denied('Only its owner and administrators may change this assistant.'),
    maySeeRubric,
    mayEditRubric,
    mayUse: async (resource, { ownerId }) => {
      switch (resource.kind) {
        case 'assistant':
          return await mayCall(resource.id, ownerId);
        case 'file':
          // A run reads the owner's own store and can name no other.
          return ALLOWED;
        case 'rubric':
          return await mayUseRubric(resource.id, ownerId);
      }
    },
  };
}

function administers(person: Person, { organizationId }: Assistant): boolean {
  if (person.role === 'system_admin') return true;
  return person.role === 'org_admin' && person.organizationId === organizationId;
}

function isPublishedFor(person: Person, { published, publishScope, organizationId }: Assistant): boolean {
  return published && (publishScope === 'everyone' || organizationId === person.organizationId);
}

function visibilityOf({ userId, organizationId, role }: Person): Visibility {
  if (role === 'system_admin') return { everything: true };
  return { everything: false, userId, organizationId, wholeOrganization: role === 'org_admin' };
}
