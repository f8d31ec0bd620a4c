import { AppError, tooLarge, unusableAnswer } from '../../core/errors.js';
import type { DocumentFiles } from '../../core/knowledge/stores.js';
import { nameOfFetched } from './document-name.js';

export interface FetchedDocument {
  readonly filename: string;
  /** As the server declared it; a hint, not more. */
  readonly mediaType: string | undefined;
  readonly bytes: number;
  readonly sha256: string;
}

export interface FetchingDeps {
  /** Through the guard: refuses private addresses, whoever leads to them. */
  readonly fetch: typeof fetch;
  readonly documentFiles: Pick<DocumentFiles, 'receive'>;
  readonly limitBytes: number;
}

const WANTED = 'text/html, application/pdf, text/markdown, text/plain, text/csv, */*;q=0.5';

/** Brings what is at an address into the file of a document. What it throws is fit to be its error. */
export async function fetchDocument(
  { id, url }: { readonly id: string; readonly url: string },
  signal: AbortSignal,
  { fetch, documentFiles, limitBytes }: FetchingDeps,
): Promise<FetchedDocument> {
  try {
    const response = await fetch(url, { signal, headers: { accept: WANTED } });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw unusableAnswer(`It answered with status ${String(response.status)}.`);
    }
    const { headers, body } = response;
    const { bytes, sha256 } = await documentFiles.receive(body, { maxBytes: limitBytes, id });
    const mediaType = headers.get('content-type') ?? undefined;
    return { filename: nameOfFetched(new URL(url), headers), mediaType, bytes, sha256 };
  } catch (fault) {
    throw inOurWords(fault, limitBytes);
  }
}

function inOurWords(fault: unknown, limitBytes: number): unknown {
  if (!(fault instanceof AppError)) return fault;
  const why =
    fault.status === 413
      ? `What it sends is larger than the ${String(limitBytes)} bytes this server takes (DOCUMENT_LIMIT).`
      : fault.message;
  const words = `The address could not be fetched. ${why}`;
  return fault.status === 413 ? tooLarge(words) : unusableAnswer(words);
}
