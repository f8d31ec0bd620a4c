import type { AccessPolicy } from '../core/access.js';
import { notFound } from '../core/errors.js';
import { oneLine, safeLabel } from '../core/label.js';
import type { Knowledge, RunFacts } from '../core/run-context.js';
import type { Stores } from '../core/stores.js';
import type { AskCollections, AskedCollection } from './ask-collections.js';

export interface KnowledgeDeps {
  readonly stores: Pick<Stores, 'collections' | 'users'>;
  readonly policy: Pick<AccessPolicy, 'mayUse'>;
  readonly ask: AskCollections;
}

const LONGEST_DESCRIPTION = 300;

/** The knowledge bases as one run may read them: by the right of the assistant's owner, asked for again at each search. */
export function createKnowledge({ stores, policy, ask }: KnowledgeDeps): (run: RunFacts) => Knowledge {
  return ({ assistant }) => {
    const mayUse = async (id: string) => (await policy.mayUse({ kind: 'collection', id }, assistant)).allowed;

    /** One that nobody has registered lies on the server of the owner's organisation: there the policy looked for it. */
    const find = async (id: string): Promise<AskedCollection> => {
      if (!(await mayUse(id))) throw notFound('The knowledge base');
      const registered = await stores.collections.get(id);
      if (registered) return registered;
      const owner = await stores.users.byId(assistant.ownerId);
      if (!owner) throw notFound('The knowledge base');
      return { id, name: id, organizationId: owner.organizationId, place: 'server' };
    };

    return {
      async describe(id) {
        if (!(await mayUse(id))) return undefined;
        const registered = await stores.collections.get(id);
        const { name, description } = registered ?? { name: id, description: '' };
        return { name: safeLabel(name), description: oneLine(description, LONGEST_DESCRIPTION) };
      },
      async search(ids, question) {
        const collections = await Promise.all([...new Set(ids)].map(find));
        return (await ask(collections, question)).passages;
      },
    };
  };
}
