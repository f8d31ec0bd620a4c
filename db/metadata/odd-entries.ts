import { isRecord, own, type JsonRecord } from './json.js';

/** What a value of an entry must be when there is one, in words for its author. */
const EXPECTED: Readonly<
  Record<string, { readonly fits: (value: unknown) => boolean; readonly words: string }>
> = {
  enabled: { fits: (value) => typeof value === 'boolean', words: 'must be true or false' },
  mode: { fits: oneOf('placeholder', 'function'), words: 'must be "placeholder" or "function"' },
  on_error: { fits: oneOf('omit', 'notice', 'fail'), words: 'must be "omit", "notice" or "fail"' },
  approval: {
    fits: oneOf('never', 'ask', 'always-allowed'),
    words: 'must be "never", "ask" or "always-allowed"',
  },
  placeholder: { fits: isText, words: 'must be a text' },
  name: { fits: isText, words: 'must be a text' },
  description: { fits: isText, words: 'must be a text' },
  config: { fits: isRecord, words: 'must be an object' },
};

/** Values that a run passes over in favour of a default, each with the place it stands. */
export function odditiesIn(metadata: JsonRecord): readonly string[] {
  const tools = own(metadata, 'tools');
  const entries: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return [
    ...odditiesOfRouting(metadata),
    ...entries.flatMap((entry, place) => (isRecord(entry) ? odditiesOf(entry, place) : [])),
  ];
}

function odditiesOfRouting(metadata: JsonRecord): readonly string[] {
  const routing = own(metadata, 'tool_routing');
  return routing == null || routing === 'fast' ? [] : ['metadata.tool_routing: must be "fast", or left out'];
}

function odditiesOf(entry: JsonRecord, place: number): readonly string[] {
  return Object.entries(EXPECTED)
    .filter(([key, { fits }]) => own(entry, key) != null && !fits(own(entry, key)))
    .map(([key, { words }]) => `metadata.tools.${String(place)}.${key}: ${words}`);
}

function oneOf(...values: readonly string[]): (value: unknown) => boolean {
  return (value) => values.includes(value as string);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
