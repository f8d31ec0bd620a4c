import type {
  AccessPolicy,
  ActingFor,
  AllowingRule,
  DenyingRule,
  Person,
  Verdict,
  Visibility,
} from '../core/access/access.js';
import type { Assistant } from '../core/assistants/assistant.js';
import type { Stores } from '../core/stores.js';
import {
  allowed,
  denied,
  editingRule,
  mayEditCollection,
  mayEditRubric,
  maySeeCollection,
  maySeeRubric,
  meantCollection,
} from './rules.js';

type PolicyDeps = Pick<
  Stores,
  'activities' | 'assistants' | 'collections' | 'links' | 'participants' | 'rubrics' | 'users'
> & {
  /** Whether an organisation lets in people without an account. */
  readonly allowsLinks: (organizationId: number) => Promise<boolean>;
};

/** What is the owner's own anyway. */
const ALLOWED = allowed('owner');

/** Who may do what. No verdict is remembered, and stores tell how things stand now: a right withdrawn is gone at once. */
export function createAccessPolicy({
  activities,
  assistants,
  collections,
  links,
  participants,
  rubrics,
  users,
  allowsLinks,
}: PolicyDeps): AccessPolicy {
  const mayChatThere = createActivityRule({ activities, participants });
  const mayChatByLink = createLinkRule({ links, allowsLinks });

  /** Whoever asks, and the owner who lends the right, are judged as their accounts are now. */
  async function mayChat(
    { userId, launch, link }: Pick<Person, 'userId' | 'launch' | 'link'>,
    assistant: Assistant,
  ): Promise<Verdict> {
    const { ownerId } = assistant;
    const [user, other] = await Promise.all([
      users.byId(userId),
      ownerId === userId ? undefined : users.byId(ownerId),
    ]);
    const owner = ownerId === userId ? user : other;
    if (!user?.enabled) return denied('The account is switched off.', 'account_disabled');
    if (launch ?? link) {
      // Not even where an administrator has placed it: that they look after it lends nothing to others.
      if (!owner?.enabled) return denied("Its owner's account is switched off.", 'owner_disabled');
      const mayStillChat = (lender: number) => mayChat({ userId: lender }, assistant);
      if (link) return mayChatByLink(link, assistant, mayStillChat);
      if (launch) return mayChatThere({ userId, launch }, assistant, mayStillChat);
    }
    const person = { userId, organizationId: user.organizationId, role: user.role };
    const editing = editingRule(person, assistant);
    // Administrators look after what a closed account leaves behind.
    if (editing !== undefined) return allowed(editing);
    if (!owner?.enabled) return denied("Its owner's account is switched off.", 'owner_disabled');
    const publishing = publishingRule(person, assistant);
    if (publishing !== undefined) return allowed(publishing);
    if (await assistants.isSharedWith(assistant.id, userId)) return allowed('shared');
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
    const verdict = await mayRun({ ...owner, userId: owner.id }, target);
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

  async function mayUseRubric(id: string, ownerId: number): Promise<Verdict> {
    const [rubric, owner] = await Promise.all([rubrics.get(id), users.byId(ownerId)]);
    const verdict =
      rubric && owner?.enabled ? maySeeRubric({ ...owner, userId: owner.id }, rubric) : undefined;
    return verdict?.allowed ? verdict : denied(`There is no rubric ${id} that the owner may use.`);
  }

  async function mayUseCollection(id: string, ownerId: number): Promise<Verdict> {
    const owner = await users.byId(ownerId);
    const collection = owner?.enabled ? await meantCollection(id, owner, collections) : undefined;
    const verdict = owner && collection && maySeeCollection({ ...owner, userId: owner.id }, collection);
    return verdict?.allowed ? verdict : denied(`There is no knowledge base ${id} that the owner may use.`);
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
    maySeeRubric,
    mayEditRubric,
    maySeeCollection,
    mayEditCollection,
    mayUse: async (resource, acting) => {
      switch (resource.kind) {
        case 'assistant':
          return await mayCall(resource.id, acting);
        case 'collection':
          return await mayUseCollection(resource.id, acting.ownerId);
        case 'file':
          // A run reads the owner's own store and can name no other.
          return ALLOWED;
        case 'rubric':
          return await mayUseRubric(resource.id, acting.ownerId);
      }
    },
  };
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

type LaunchedPerson = Pick<Person, 'userId'> & { readonly launch: NonNullable<Person['launch']> };

/**
 * Whom a launch brought may chat with what the activity holds, by the right of whoever placed it there: when that is
 * gone, so is this. Where students are named, only after they have agreed to it.
 */
function createActivityRule({ activities, participants }: Pick<Stores, 'activities' | 'participants'>) {
  return async (
    { userId, launch }: LaunchedPerson,
    assistant: Assistant,
    mayStillChat: (addedBy: number) => Promise<Verdict>,
  ): Promise<Verdict> => {
    const { activityId, role } = launch;
    const activity = activityId === undefined ? undefined : await activities.get(activityId);
    const placed = activity?.assistants.find(({ assistantId }) => assistantId === assistant.id);
    if (!activity?.platformEnabled || !placed) return denied('not among the assistants of their activity');
    if (!(await mayStillChat(placed.addedBy)).allowed) {
      return denied('whoever placed it in the activity may not use it any more');
    }
    const mustConsent = activity.transcriptPolicy === 'named' && role === 'learner';
    if (mustConsent && (await participants.consentOf(activity.id, userId)) === undefined) {
      return denied('Your teacher reads conversations here by name. Agree to that first.', 'consent_needed');
    }
    return allowed('activity');
  };
}

/** Whoever came by a link may chat with the one assistant it leads to, by the right of whoever made the link. */
function createLinkRule({ links, allowsLinks }: Pick<PolicyDeps, 'links' | 'allowsLinks'>) {
  return async (
    { linkId, assistantId }: NonNullable<Person['link']>,
    assistant: Assistant,
    mayStillChat: (createdBy: number) => Promise<Verdict>,
  ): Promise<Verdict> => {
    const link = assistantId === assistant.id ? await links.get(linkId) : undefined;
    if (link?.assistantId !== assistant.id) return denied('not what their link leads to');
    if (link.expiresAt !== null && link.expiresAt <= new Date().toISOString()) {
      return denied('the time of their link is over');
    }
    if (!(await allowsLinks(assistant.organizationId))) return denied('the organisation allows no links');
    if (!(await mayStillChat(link.createdBy)).allowed) {
      return denied('whoever made the link may not use it any more');
    }
    return allowed('link');
  };
}
