import type { AccessPolicy, Person } from '../access/access.js';
import { suiteNotPassed } from '../errors.js';
import type { AssistantStore } from '../stores.js';
import type { Assistant } from './assistant.js';
import { BLANK_FACE } from './face.js';

interface Directory {
  readonly assistants: Pick<AssistantStore, 'atVersion'>;
  readonly policy: Pick<AccessPolicy, 'mayEdit'>;
}

/** Whether a version of an assistant has ever passed its scenarios, or was let through. */
export type MayServe = (newest: Assistant, version: Assistant) => Promise<boolean>;

/**
 * The version that this person gets: the newest, but for those who may only chat with one that has to pass its scenarios
 * first. They get the last that did; undefined where none has. Whatever shows or runs an assistant asks here.
 */
export async function servedTo(
  person: Person,
  newest: Assistant,
  { assistants, policy }: Directory,
): Promise<Assistant | undefined> {
  if (newest.setup.publishGate === undefined) return newest;
  const isVisitor = (person.launch ?? person.link) !== undefined;
  if (!isVisitor && policy.mayEdit(person, newest).allowed) return newest;
  return await versionServed(newest, assistants);
}

/** What those get who may only chat. */
export async function versionServed(
  newest: Assistant,
  assistants: Directory['assistants'],
): Promise<Assistant | undefined> {
  const { servedVersion, version, id, setup } = newest;
  if (setup.publishGate === undefined) return newest;
  if (servedVersion == null) return undefined;
  const served = servedVersion === version ? newest : await assistants.atVersion(id, servedVersion);
  return served && asPassed(served);
}

/** A version that has passed, with nothing that was added since. */
export const asPassed = (version: Assistant): Assistant => ({ ...version, isAsPassed: true });

/** How it presents itself to them: where no version has passed, by its name alone. */
export async function seenBy(person: Person, newest: Assistant, directory: Directory): Promise<Assistant> {
  return (await servedTo(person, newest, directory)) ?? { ...newest, ...BLANK_FACE, description: '' };
}

/** The same, where there must be one. */
export async function mustBeServed(
  person: Person,
  newest: Assistant,
  directory: Directory,
): Promise<Assistant> {
  const served = await servedTo(person, newest, directory);
  if (!served) throw suiteNotPassed('No version of this assistant has passed its scenarios yet.');
  return served;
}
