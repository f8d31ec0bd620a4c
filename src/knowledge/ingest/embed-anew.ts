import type { Work } from '../../core/knowledge/document.js';
import type { DocumentStore, VectorStore } from '../../core/knowledge/stores.js';
import type { EmbedIfPossible } from './embed.js';
import type { KeptClaim } from './lease.js';

export interface EmbeddingAnewDeps {
  readonly documents: Pick<DocumentStore, 'fail'>;
  readonly vectors: VectorStore;
  readonly embed: EmbedIfPossible;
}

const NO_ANSWER = 'The embedding model does not answer. The document is found by its words until it does.';

/** Gives a document that is found by its words vectors of the present model. */
export async function embedAnew(
  work: Work,
  claim: KeptClaim,
  { documents, vectors, embed }: EmbeddingAnewDeps,
): Promise<void> {
  const { signal } = claim;
  const { passages, faults } = work.document;
  const edition = await vectors.liveEdition(work);
  const embedding = edition === undefined ? undefined : await embed.prepare(work.organizationId);
  const model =
    edition === undefined
      ? undefined
      : await embedding?.(edition, signal, (made) => {
          claim.tell('embedding', Math.min((100 * made) / Math.max(passages, 1), 99));
        });
  signal.throwIfAborted();
  // What has been made of the vectors stays for the next try.
  if (edition !== undefined && model === undefined) await documents.fail(work, NO_ANSWER, faults);
  else await vectors.complete(work, model);
}
