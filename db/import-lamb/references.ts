import { readMetadata } from '../canonical-metadata.js';
import { rewriteJson, type JsonPath } from './json-text.js';

/** As LAMB writes them: 7, "7" or "lamb_assistant.7". */
const REFERENCE = /^("?)((?:lamb_assistant\.)?)(\d{1,10})\1$/;

/** The assistants that stored metadata names, by their ids there. */
export function assistantsNamedIn(metadata: string | null): readonly number[] {
  const found = new Set<number>();
  rewriteReferences(metadata, (id) => {
    found.add(id);
    return id;
  });
  return [...found];
}

/** The same text with other ids in it. What is no JSON object names nobody and stays as it is. */
export function rewriteReferences(metadata: string | null, idFor: (id: number) => number): string | null {
  if (metadata === null || !metadata.includes('assistant_id')) return metadata;
  if (readMetadata(metadata).problem !== undefined) return metadata;
  return rewriteJson(metadata, (path, raw) => {
    const match = isReference(path) ? REFERENCE.exec(raw) : null;
    if (!match) return undefined;
    const [, quote = '', words = '', digits = ''] = match;
    return quote + words + String(idFor(Number(digits))) + quote;
  });
}

/** `assistant_id` wherever it stands, and each of a list of `assistant_ids`. */
function isReference(path: JsonPath): boolean {
  const last = path.at(-1);
  return last === 'assistant_id' || (typeof last === 'number' && path.at(-2) === 'assistant_ids');
}
