/** A text of so many characters is within what models take, in any script; passages are far shorter. */
export const LONGEST_EMBEDDED = 8_000;

/** Makes vectors of texts, of length one. */
export interface Embedder {
  /** Names the space the vectors live in: provider and model, such as `openai:text-embedding-3-small`. */
  readonly model: string;
  /** ISO 639-1, of those whose meaning it knows; undefined when it is not known, or all. */
  readonly languages?: readonly string[];
  embed(
    texts: readonly string[],
    options: { readonly kind: 'passage' | 'query'; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}

/** Why a passage was found: its place and worth by each way of looking. */
export interface FindingReasons {
  readonly lexical?: { readonly rank: number; readonly similarity: number };
  readonly vector?: { readonly rank: number; readonly similarity: number };
}

/** What a search brings, in the words of LAMB's knowledge base server. */
export interface FoundPassage {
  /** From 0, like any other passage, to 1, as near as can be; the same scale for every way of looking. */
  readonly similarity: number;
  readonly data: string;
  readonly metadata: {
    readonly filename: string;
    readonly page?: number;
    readonly page_end?: number;
    readonly section?: string;
    readonly chunk_index?: number;
    /** Its text was recognised in a picture, or is what a model says of one. */
    readonly recognised?: true;
    readonly described?: true;
    readonly source_url?: string;
    readonly collection_id: string;
    readonly document_id?: string;
    readonly start?: number;
    readonly end?: number;
    /** Somebody corrected it: `data` is not quite what the document says. */
    readonly corrected?: true;
    /** Somebody wants it first. */
    readonly pinned?: true;
    /** The whole section it lies in, when that was asked for. */
    readonly parent_text?: string;
  };
  /** Absent for what another server found. */
  readonly reasons?: FindingReasons;
  /** A link that shows the passage, or the page it came from. */
  readonly url?: string;
}

/** What several collections brought, each asked independently of the others. */
export interface KnowledgeFindings {
  readonly passages: readonly FoundPassage[];
  /** There were passages, and none that has to do with the question: they are left out. */
  readonly nothingFits?: boolean | undefined;
  /** The names of those that were asked. */
  readonly asked: readonly string[];
  /** Those among them that could not answer, each with a reason that is safe to tell. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

export interface KnowledgeQuestion {
  readonly query: string;
  /** What was asked before it in the same conversation, the oldest first: what a short question leaves unsaid. */
  readonly before?: readonly string[];
  readonly topK: number;
  readonly threshold: number;
  /** Bring what is nearest even when nothing fits the question; by default only with a threshold other than 0. */
  readonly keepWeak?: boolean | undefined;
  readonly parentContext?: boolean;
  /** Only in documents with one of these tags; in all when there are none. */
  readonly tags?: readonly string[];
  readonly signal: AbortSignal;
}
