import { notFound } from '../../core/errors.js';
import type { Work } from '../../core/knowledge/document.js';
import type { Extract, ExtractedDocument, PictureDescriber } from '../../core/knowledge/extracted.js';
import type { DocumentFiles, DocumentStore, PassageIndex, Publication } from '../../core/knowledge/stores.js';
import { isLightName } from '../extract/format.js';
import type { EmbedIfPossible } from './embed.js';
import { documentName, fetchDocument, type FetchingDeps } from './fetch-document.js';
import type { KeptClaim } from './lease.js';
import { describePicture, pictureWishes } from './pictures.js';
import { type Chunk, chunksOf, type TextPart, writeEdition } from './write-edition.js';

export interface TakingInDeps extends FetchingDeps {
  /** It will take minutes or more. */
  readonly onSlow?: ((work: Work) => void) | undefined;
  readonly documents: DocumentStore;
  readonly documentFiles: DocumentFiles;
  readonly passages: Pick<PassageIndex, 'languages'>;
  readonly extract: Extract;
  readonly describer: PictureDescriber;
  /** The text of a document as one, and cut into what can be found. */
  readonly split: (document: ExtractedDocument) => Promise<{
    readonly text: string;
    readonly parts: Iterable<TextPart>;
  }>;
  readonly languageOf: (text: string) => string;
  readonly termsOf: (text: string, language: string) => readonly string[];
  readonly embed: EmbedIfPossible;
}

/** In per cent of everything: where each stage ends. */
const FETCHED = 5;
const READ = 45;
const INDEXED = 70;
const EMBEDDED = 95;

/**
 * From bytes to passages that can be found, all at once at the end. Stops where it is when its claim is over. What is
 * short is left to be published together with others.
 */
export async function takeIn(
  work: Work,
  claim: KeptClaim,
  deps: TakingInDeps,
): Promise<Publication | undefined> {
  const { documentFiles, extract } = deps;
  const { signal } = claim;
  const { id } = work.document;
  const { filename, mediaType } = await bytesOf(work, claim, deps);

  claim.tell('reading', FETCHED);
  const wishes = isLightName(filename) ? undefined : await pictureWishes(work, deps);
  const extracted = await documentFiles.withFile(id, (path) =>
    extract(
      { path, filename, ...(mediaType === undefined ? {} : { mediaType }) },
      {
        ...wishes,
        signal,
        onScans: () => deps.onSlow?.(work),
        onProgress: (percent) => {
          claim.tell('reading', between(FETCHED, READ, percent / 100));
        },
      },
    ),
  );
  signal.throwIfAborted();
  const read = await describePicture(extracted, work, { ...deps, signal });
  if (work.document.sourceUrl !== undefined && read.format === 'html' && read.title !== undefined)
    await claim.tellNow({ stage: 'reading', progress: READ, filename: documentName(read.title) });

  return await publish(work, claim, { read, deps });
}

/** What came from an address is fetched anew each time it is taken in, unless a source sees to that. */
async function bytesOf(
  { document }: Work,
  claim: KeptClaim,
  deps: TakingInDeps,
): Promise<{ readonly filename: string; readonly mediaType?: string | undefined }> {
  const { id, sourceUrl, sourceId, collectionId } = document;
  if (sourceUrl === undefined || sourceId !== undefined) return document;
  claim.tell('fetching', 0);
  const { filename, mediaType, bytes, sha256 } = await fetchDocument(
    { id, url: sourceUrl },
    claim.signal,
    deps,
  );
  try {
    await claim.tellNow({ stage: 'reading', progress: FETCHED, filename, bytes, sha256 });
  } catch (fault) {
    // Deleted while it was being fetched: nobody else would clear its file away.
    if (!(await deps.documents.get(collectionId, id))) await deps.documentFiles.delete([id]);
    throw fault;
  }
  return { filename, mediaType };
}

async function publish(
  work: Work,
  claim: KeptClaim,
  { read, deps }: { readonly read: ExtractedDocument; readonly deps: TakingInDeps },
): Promise<Publication | undefined> {
  const { documents, split, languageOf, termsOf, embed } = deps;
  const { signal } = claim;
  claim.tell('splitting', READ);
  const { text: whole, parts } = await split(read);
  const language = languageOf(whole);
  const { format, pageCount: pages, faults, needsOcr = false } = read;
  const facts = { format, pages, language, faults, needsOcr, embeddedWith: undefined };
  const chunks = chunksOf(parts, (text) => termsOf(text, language), signal);
  const first = await chunks.next();
  const second = await chunks.next();
  signal.throwIfAborted();
  const embedding = await embed.prepare(work.organizationId);
  if (second.done === true && !embedding)
    return { work, part: first.value ?? { sections: [], passages: [] }, facts };

  const edition = await documents.beginEdition(work);
  if (edition === undefined) throw notFound('The document');
  const indexed = embedding ? INDEXED : EMBEDDED;
  const passages = await writeEdition(edition, joined([first.value, second.value], chunks), documents, {
    signal,
    onWritten: (end) => {
      claim.tell('indexing', between(READ, indexed, end / whole.length));
    },
  });
  // Before they are embedded: what is off needs no vector, and what was corrected another one.
  await documents.applyDecisions(edition);
  const embeddedWith = await embedding?.(edition, signal, (made) => {
    claim.tell('embedding', between(INDEXED, EMBEDDED, made / passages));
  });
  signal.throwIfAborted();
  await documents.publish(work, edition, { ...facts, embeddedWith });
  return undefined;
}

async function* joined(
  begun: readonly (Chunk | undefined)[],
  rest: AsyncIterable<Chunk>,
): AsyncGenerator<Chunk> {
  for (const chunk of begun) if (chunk) yield chunk;
  yield* rest;
}

function between(from: number, to: number, share: number): number {
  return from + (to - from) * Math.min(Math.max(share, 0), 1);
}
