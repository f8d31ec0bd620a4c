import { isDeepStrictEqual } from 'node:util';
import type { ToolCatalogue } from '../../src/core/assistants/assistant.js';
import type { Conversion } from '../../src/core/assistants/history.js';
import { invalidConfiguration } from '../../src/core/errors.js';
import { canonicalMetadata, readMetadata, type StoredMetadata } from './canonical.js';
import { own } from './json.js';

/** What converting would change. Throws when the whole cannot be understood: such metadata is never overwritten. */
export function conversionOf(stored: StoredMetadata, catalogue: ToolCatalogue): Conversion {
  const { metadata: before } = readMetadata(stored.metadata);
  const { metadata: after, problems, readable } = canonicalMetadata(stored, catalogue);
  if (!readable) {
    throw invalidConfiguration(`This assistant cannot be converted: ${problems.join(' ')}`, 'metadata');
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => !isDeepStrictEqual(own(before, key), own(after, key)));
  return { before, after, changed };
}
