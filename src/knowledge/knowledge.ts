import { meantCollection } from '../access/rules.js';
import type { AskKbServer } from '../clients/kb-server.js';
import type { AccessPolicy } from '../core/access/access.js';
import { oneLine, safeLabel } from '../core/base/text.js';
import { AppError, notConfigured, notFound, unusableAnswer } from '../core/errors.js';
import type { Collection } from '../core/knowledge/collection.js';
import type { FoundPassage, KnowledgeQuestion } from '../core/knowledge/embedder.js';
import { errorLocation } from '../core/log.js';
import type { Knowledge, RunFacts, Settings } from '../core/runs/run-context.js';
import type { Stores } from '../core/stores.js';
import type { AskedInVain } from './questions/asked-in-vain.js';
import { mergeBySimilarity } from './search/fuse.js';
import type { Findings, Search } from './search/search.js';

export interface KnowledgeDeps {
  readonly stores: Pick<Stores, 'collections' | 'users'>;
  readonly policy: Pick<AccessPolicy, 'mayUse'>;
  readonly ask: AskCollections;
  /** Absent for what leaves no record, such as a preview. */
  readonly inVain?: Pick<AskedInVain, 'note'>;
}

const LONGEST_DESCRIPTION = 300;

/** The knowledge bases as one run may read them: by the right of the assistant's owner, asked for again at each search. */
export function createKnowledge({
  stores,
  policy,
  ask,
  inVain,
}: KnowledgeDeps): (run: RunFacts) => Knowledge {
  return ({ assistant, caller, log }) => {
    const find = async (id: string): Promise<Collection | undefined> => {
      if (!(await policy.mayUse({ kind: 'collection', id }, assistant)).allowed) return undefined;
      const owner = await stores.users.byId(assistant.ownerId);
      return owner && (await meantCollection(id, owner, stores.collections));
    };
    const reasonOf = (fault: unknown, name: string): string => {
      if (fault instanceof AppError) return fault.message;
      log.warn({ fault: errorLocation(fault) }, 'a knowledge base could not be asked');
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
        const { passages, nothingFits, failed } = await ask(collections, question);
        const told = failed.map(({ collection, fault }) => {
          const name = safeLabel(collection.name);
          return { name, reason: reasonOf(fault, name) };
        });
        if (told.length === collections.length) {
          const [{ fault } = { fault: undefined }, ...more] = failed;
          throw more.length === 0 ? fault : unusableAnswer(told.map(({ reason }) => reason).join(' '));
        }
        if (passages.length === 0) {
          const answered = collections.filter((one) => !failed.some(({ collection }) => collection === one));
          inVain?.note(keptHere(answered), question.query, { activityId: caller.launch?.activityId });
        }
        const asked = collections.map(({ name }) => safeLabel(name));
        return { passages, nothingFits, asked, failed: told };
      },
    };
  };
}

/** What is on another server is looked after there. */
const keptHere = (collections: readonly Collection[]) => collections.filter(({ place }) => place === 'here');

/** A collection as far as asking it goes. */
export type AskedCollection = Pick<Collection, 'id' | 'name' | 'organizationId' | 'place' | 'externalId'>;

export interface SharedFindings extends Findings {
  /** Those that brought nothing because they could not be asked. */
  readonly failed: readonly { readonly collection: AskedCollection; readonly fault: unknown }[];
}

/**
 * Asks collections wherever they are, all at the same time and independently of each other; whoever calls has seen to it
 * that they may be asked.
 */
export type AskCollections = (
  collections: readonly AskedCollection[],
  question: KnowledgeQuestion,
) => Promise<SharedFindings>;

export interface AskingDeps {
  readonly search: Search;
  readonly askServer: AskKbServer;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
}

export function createAskCollections(deps: AskingDeps): AskCollections {
  return async (collections, question) => {
    const here = collections.filter(({ place }) => place === 'here');
    // No document there has a tag of ours.
    const isTagged = question.tags !== undefined && question.tags.length > 0;
    const elsewhere = isTagged ? [] : collections.filter(({ place }) => place === 'server');
    // Those here are one search: their words are weighed against each other.
    const asking = [
      ...(here.length === 0 ? [] : [{ of: here, found: deps.search(here, question) }]),
      ...elsewhere.map((collection) => ({
        of: [collection],
        found: askOnServer(collection, question, deps),
      })),
    ];
    const settled = await Promise.allSettled(asking.map(({ found }) => found));
    question.signal.throwIfAborted();
    const found = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const failed = settled.flatMap((one, i) =>
      one.status === 'fulfilled'
        ? []
        : (asking[i]?.of ?? []).map((collection) => ({ collection, fault: one.reason as unknown })),
    );
    const passages = mergeBySimilarity(
      found.map((one) => one.passages),
      question.topK,
      ({ metadata }) => metadata.pinned === true,
    );
    return {
      passages,
      nothingFits: passages.length === 0 && found.some((one) => one.nothingFits),
      embeddings: found.find(({ embeddings }) => embeddings !== undefined)?.embeddings,
      failed,
    };
  };
}

/** A collection lies on the server of its own organisation, whoever asks. */
async function askOnServer(
  { id, name, externalId, organizationId }: AskedCollection,
  question: KnowledgeQuestion,
  { askServer, settingsOf }: AskingDeps,
): Promise<Findings> {
  const { knowledgeServer } = await settingsOf(organizationId);
  if (!knowledgeServer) throw notConfigured(`The server of the knowledge base "${safeLabel(name)}"`);
  const isAsked = question.query.trim() !== '';
  const collection = { id, name, externalId: externalId ?? '' };
  const passages: readonly FoundPassage[] = isAsked
    ? await askServer(knowledgeServer, collection, question)
    : [];
  return { passages, embeddings: undefined };
}
