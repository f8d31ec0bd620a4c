import { readMetadata } from '../metadata/canonical.js';
import { rewriteJson, type JsonPath } from './values.js';

/** As LAMB writes them: 7, "7" or "lamb_assistant.7". */
const REFERENCE = /^("?)((?:lamb_assistant\.)?)(\d{1,10})\1$/;

/** The function by which a model calls one, as prompts may name it. */
const CALL = /\bcall_assistant_(\d{1,10})\b/g;

/** The assistants that stored metadata and prompts name, by their ids there. */
export function assistantsNamedIn(metadata: string | null, texts: readonly string[] = []): readonly number[] {
  const found = new Set<number>();
  const see = (id: number) => {
    found.add(id);
    return id;
  };
  rewriteReferences(metadata, see);
  for (const text of texts) rewriteCalls(text, see);
  return [...found];
}

/** The same words with other ids in the functions they name. */
export function rewriteCalls(text: string, idFor: (id: number) => number): string {
  return text.replace(CALL, (_whole, digits: string) => `call_assistant_${String(idFor(Number(digits)))}`);
}

/** The same text with other ids in it. What is no JSON object names nobody and stays as it is. */
export function rewriteReferences(metadata: string | null, idFor: (id: number) => number): string | null {
  if (metadata === null || !/assistant_(?:id|\d)/.test(metadata)) return metadata;
  if (readMetadata(metadata).problem !== undefined) return metadata;
  return rewriteJson(metadata, (path, raw) => {
    const match = isReference(path) ? REFERENCE.exec(raw) : null;
    if (!match) return raw.includes('call_assistant_') ? rewriteCalls(raw, idFor) : undefined;
    const [, quote = '', words = '', digits = ''] = match;
    return quote + words + String(idFor(Number(digits))) + quote;
  });
}

/** `assistant_id` wherever it stands, and each of a list of `assistant_ids`. */
function isReference(path: JsonPath): boolean {
  const last = path.at(-1);
  return last === 'assistant_id' || (typeof last === 'number' && path.at(-2) === 'assistant_ids');
}
