import type { AccessPolicy, Person } from '../access/access.js';
import { suiteNotPassed } from '../errors.js';
import type { AssistantStore } from '../stores.js';
import type { Assistant } from './assistant.js';

interface Directory {
  readonly assistants: Pick<AssistantStore, 'atVersion'>;
  readonly policy: Pick<AccessPolicy, 'mayEdit'>;
}

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
  const { servedVersion, version, id } = newest;
  if (servedVersion == null) return undefined;
  return servedVersion === version ? newest : await assistants.atVersion(id, servedVersion);
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
