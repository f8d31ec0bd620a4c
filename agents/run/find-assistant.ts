import type { AccessPolicy } from '../../src/core/access/access.js';
import { denialOf } from '../../src/core/access/audit.js';
import type { Caller } from '../../src/core/access/caller.js';
import type { Assistant, AssistantContent, AssistantSetup } from '../../src/core/assistants/assistant.js';
import { asPassed, type MayServe, mustBeServed } from '../../src/core/assistants/served.js';
import { consentNeeded, forbidden, invalidConfiguration, notFound } from '../../src/core/errors.js';
import type { AssistantStore, AuditStore, Stores } from '../../src/core/stores.js';
import { storedIdOf } from './stand-in-assistant.js';

interface Directory {
  readonly assistants: AssistantStore;
  readonly audit: AuditStore;
  readonly policy: AccessPolicy;
  /** Whether an activity may go on being held to this version of it. */
  readonly mayServe: MayServe;
}

const BY_ID = /^(?:lamb_assistant\.)?(\d{1,15})$/;

export interface Wanted {
  /** `lamb_assistant.7`, `7`, or an exact name that only one visible assistant bears. */
  readonly model: string;
  /** The newest unless given; for those who may edit the assistant. */
  readonly version?: number | undefined;
  /** What their activity is held to, whoever may edit. */
  readonly pinned?: number | undefined;
  readonly caller: Caller;
  readonly runId: string;
}

/** The assistant a client means, if the client may chat with it and it is fit to run. */
export async function findAssistant(wanted: Wanted, directory: Directory): Promise<Assistant> {
  const { model, caller, runId } = wanted;
  const newest = await namedBy(model, caller, directory);
  if (!newest) throw notFound('The model (assistant)');
  const verdict = await directory.policy.mayRun(caller, newest);
  if (!verdict.allowed) {
    if (verdict.rule === 'disabled') throw forbidden(verdict.reason);
    if (verdict.rule === 'consent_needed') throw consentNeeded(verdict.reason);
    const resource = `assistant ${String(newest.id)}`;
    await directory.audit.record(
      denialOf(caller, { action: 'chat', resource, reason: verdict.reason, runId }),
    );
    throw notFound('The model (assistant)');
  }
  return fitToRun(await wantedVersion(newest, wanted, directory));
}

function fitToRun(assistant: Assistant): Assistant {
  const [problem] = assistant.setup.problems;
  if (problem !== undefined) throw invalidConfiguration(`This assistant cannot be run: ${problem}`);
  return assistant;
}

async function wantedVersion(newest: Assistant, wanted: Wanted, directory: Directory): Promise<Assistant> {
  const { version, pinned, caller } = wanted;
  if (pinned !== undefined) {
    const held = await directory.assistants.atVersion(newest.id, pinned);
    if (!held) throw invalidConfiguration('The version that this activity is held to is not there any more.');
    if (newest.setup.publishGate === undefined) return held;
    // What has not passed is answered for by what has.
    const mayServe = await directory.mayServe(newest, held);
    return mayServe ? asPassed(held) : await mustBeServed(caller, newest, directory);
  }
  if (version !== undefined) return await atVersion(newest, version, wanted, directory);
  return newest.setup.publishGate === undefined ? newest : await mustBeServed(caller, newest, directory);
}

/** What an assistant was is for those who may read how it is made. */
async function atVersion(
  newest: Assistant,
  version: number,
  { caller, runId }: Wanted,
  { assistants, audit, policy }: Directory,
): Promise<Assistant> {
  const verdict = policy.mayEdit(caller, newest);
  if (!verdict.allowed) {
    const resource = `assistant ${String(newest.id)} version ${String(version)}`;
    await audit.record(denialOf(caller, { action: 'chat', resource, reason: verdict.reason, runId }));
  }
  const found = verdict.allowed ? await assistants.atVersion(newest.id, version) : undefined;
  if (!found) throw notFound('The version');
  return found;
}

/** What a client's word for a model stands for, whether or not the caller may use it. */
export async function namedBy(
  reference: string,
  caller: Caller,
  { assistants, policy }: Pick<Directory, 'assistants' | 'policy'>,
): Promise<Assistant | undefined> {
  const id = BY_ID.exec(reference)?.[1];
  if (id !== undefined) return await assistants.get(Number(id));
  const named = await assistants.byName(reference, policy.visibleTo(caller));
  return named.length === 1 ? named[0] : undefined;
}

/** What an author is writing, and how it would run. */
export interface Draft extends AssistantContent {
  readonly setup: AssistantSetup;
}

/** An assistant as its author has it in front of them. */
export interface Drafted {
  readonly assistant: Assistant;
  /** What it would say if it were saved so; nothing is. Absent: as it is stored. */
  readonly draft?: Draft | undefined;
}

/** What the author means, if it is fit to run. That they may write it has been asked. */
export async function draftedAssistant(
  { assistant, draft }: Drafted,
  onAccess: (stored: Assistant) => Promise<Assistant>,
): Promise<Assistant> {
  // What is stored may change its form when it is used; a draft is stored nowhere.
  return fitToRun(draft ? { ...assistant, ...draft } : await onAccess(assistant));
}

interface Judges {
  readonly stores: Pick<Stores, 'assistants' | 'users'>;
  readonly policy: AccessPolicy;
}

/** Whoever may no longer write it may no longer try it out either. */
export async function draftedNow(
  assistant: Assistant,
  { draft, caller }: Pick<Drafted, 'draft'> & { readonly caller: Caller },
  judges: Judges,
): Promise<Assistant | undefined> {
  const { assistants, users } = judges.stores;
  if (storedIdOf(assistant) === undefined) {
    const maker = await users.byId(caller.userId);
    return maker?.enabled && maker.role !== 'student' ? assistant : undefined;
  }
  const current = await assistants.get(assistant.id);
  if (!current || !(await mayStillEdit(caller, current, judges))) return undefined;
  return draft ? assistant : current;
}

/** Judged by the account as it is now. */
export async function mayStillEdit(
  { userId }: Caller,
  current: Assistant,
  { stores: { users }, policy }: Judges,
): Promise<boolean> {
  const user = await users.byId(userId);
  return user?.enabled === true && policy.mayEdit({ ...user, userId }, current).allowed;
}
