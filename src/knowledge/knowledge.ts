import { meantCollection } from '../access/collection-access.js';
import type { AccessPolicy } from '../core/access/access.js';
import { oneLine, safeLabel } from '../core/base/text.js';
import { AppError, notFound, unusableAnswer } from '../core/errors.js';
import type { Collection } from '../core/knowledge/collection.js';
import type { Knowledge, RunFacts } from '../core/runs/run-context.js';
import type { Stores } from '../core/stores.js';
import { whereItBroke } from '../core/where-it-broke.js';
import type { AskCollections } from './ask-collections.js';

export interface KnowledgeDeps {
  readonly stores: Pick<Stores, 'collections' | 'users'>;
  readonly policy: Pick<AccessPolicy, 'mayUse'>;
  readonly ask: AskCollections;
}

const LONGEST_DESCRIPTION = 300;

/** The knowledge bases as one run may read them: by the right of the assistant's owner, asked for again at each search. */
export function createKnowledge({ stores, policy, ask }: KnowledgeDeps): (run: RunFacts) => Knowledge {
  return ({ assistant, log }) => {
    const find = async (id: string): Promise<Collection | undefined> => {
      if (!(await policy.mayUse({ kind: 'collection', id }, assistant)).allowed) return undefined;
      const owner = await stores.users.byId(assistant.ownerId);
      return owner && (await meantCollection(id, owner, stores.collections));
    };
    const reasonOf = (fault: unknown, name: string): string => {
      if (fault instanceof AppError) return fault.message;
      log.warn({ fault: whereItBroke(fault) }, 'a knowledge base could not be asked');
      return `The knowledge base "${name}" could not be asked.`;
    };

    return {
      async describe(id) {
        const found = await find(id);
        if (!found) return undefined;
        const { name, description } = found;
        return { name: safeLabel(name), description: oneLine(description, LONGEST_DESCRIPTION) };
      },
      async search(ids, question) {
        const found = (await Promise.all([...new Set(ids)].map(find))).filter((one) => one !== undefined);
        // One may be meant by two ids: ours and its server's.
        const collections = [...new Map(found.map((one) => [one.id, one])).values()];
        if (collections.length === 0) throw notFound('The knowledge base');
        const { passages, failed } = await ask(collections, question);
        const told = failed.map(({ collection, fault }) => {
          const name = safeLabel(collection.name);
          return { name, reason: reasonOf(fault, name) };
        });
        if (told.length === collections.length) {
          const [{ fault } = { fault: undefined }, ...more] = failed;
          throw more.length === 0 ? fault : unusableAnswer(told.map(({ reason }) => reason).join(' '));
        }
        return { passages, asked: collections.map(({ name }) => safeLabel(name)), failed: told };
      },
    };
  };
}
