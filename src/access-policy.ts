import type {
  AccessPolicy,
  ActingFor,
  AllowingRule,
  DenyingRule,
  Person,
  Verdict,
  Visibility,
} from './core/access.js';
import type { Assistant } from './core/assistant.js';
import type { Stores } from './core/stores.js';

const allowed = (rule: AllowingRule): Verdict => ({ allowed: true, rule });
/** What is the owner's own anyway. */
const ALLOWED = allowed('owner');
const denied = (reason: string, rule: DenyingRule = 'none'): Verdict => ({ allowed: false, rule, reason });

/** Who may do what. Nothing is remembered between two questions, so a right withdrawn is gone at the next one. */
export function createAccessPolicy({
  assistants,
  users,
}: Pick<Stores, 'assistants' | 'users'>): AccessPolicy {
  async function mayChat(person: Person, assistant: Assistant): Promise<Verdict> {
    if (person.enabled === false) return denied('The account is switched off.', 'account_disabled');
    const rule = editingRule(person, assistant) ?? publishingRule(person, assistant);
    if (rule !== undefined) return allowed(rule);
    if (await assistants.isSharedWith(assistant.id, person.userId)) return allowed('shared');
    return denied('neither its owner nor shared with them nor published to them');
  }

  async function mayRun(person: Person, assistant: Assistant): Promise<Verdict> {
    const verdict = await mayChat(person, assistant);
    if (!verdict.allowed || assistant.enabled) return verdict;
    return denied('This assistant is switched off.', 'disabled');
  }

  async function mayCall(id: number, { ownerId, id: actingId }: ActingFor): Promise<Verdict> {
    if (id === actingId) return denied(`Assistant ${String(id)} cannot call itself.`, 'itself');
    const [target, owner] = await Promise.all([assistants.get(id), users.byId(ownerId)]);
    const unknown = (rule: DenyingRule) =>
      denied(`There is no assistant ${String(id)} that the owner may use.`, rule);
    if (!target || !owner) return unknown('none');
    const { organizationId, role, enabled } = owner;
    const verdict = await mayRun({ userId: owner.id, organizationId, role, enabled }, target);
    if (!verdict.allowed) {
      if (verdict.rule !== 'disabled') return unknown(verdict.rule);
      return denied(`Assistant ${String(id)} is switched off.`, 'disabled');
    }
    if (target.setup.type !== 'orchestrator') return verdict;
    return denied(
      `Assistant ${String(id)} calls functions itself, so it cannot be called by another.`,
      'orchestrator_target',
    );
  }

  return {
    visibleTo: visibilityOf,
    mayChat,
    mayRun,
    mayEdit: (person, assistant) => {
      const rule = editingRule(person, assistant);
      if (rule !== undefined) return allowed(rule);
      return denied('Only its owner and administrators may change this assistant.');
    },
    mayUse: async (resource, acting) => {
      switch (resource.kind) {
        case 'assistant':
          return await mayCall(resource.id, acting);
        case 'file':
          // A run reads the owner's own store and can name no other.
          return ALLOWED;
      }
    },
  };
}

function editingRule(person: Person, { ownerId, organizationId }: Assistant): AllowingRule | undefined {
  if (person.userId === ownerId) return 'owner';
  if (person.role === 'system_admin') return 'system_admin';
  const administers = person.role === 'org_admin' && person.organizationId === organizationId;
  return administers ? 'organization_admin' : undefined;
}

function publishingRule(person: Person, assistant: Assistant): AllowingRule | undefined {
  if (!assistant.published) return undefined;
  if (assistant.publishScope === 'everyone') return 'published_everyone';
  return person.organizationId === assistant.organizationId ? 'published_organization' : undefined;
}

function visibilityOf({ userId, organizationId, role }: Person): Visibility {
  if (role === 'system_admin') return { everything: true };
  return { everything: false, userId, organizationId, wholeOrganization: role === 'org_admin' };
}
