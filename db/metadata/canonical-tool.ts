import {
  isToolUsingConnector,
  type ToolCatalogue,
  type ToolMode,
} from '../../src/core/assistants/assistant.js';
import { isRecord, own, textIn, withDefaults, type JsonRecord } from './json.js';
import { canonicalType, classicPlaceholder } from './legacy-tools.js';

/** What the defaults of an entry depend on. */
export interface Surroundings {
  readonly connector: string | undefined;
  readonly catalogue: ToolCatalogue;
}

/** One entry of `tools`, in any shape ever stored, in today's shape; undefined when it names no tool. */
export function canonicalTool(entry: unknown, around: Surroundings): JsonRecord | undefined {
  if (typeof entry === 'string') return canonicalTool({ type: entry, mode: 'function' }, around);
  if (!isRecord(entry)) return undefined;
  const name = textIn(entry, 'type') ?? textIn(entry, 'plugin');
  if (name === undefined) return undefined;

  const legacy = legacyShape(name, entry);
  const config = own(entry, 'config');
  const typed = withDefaults(
    {
      ...entry,
      ...barePlaceholder(entry),
      type: legacy.type,
      config: config == null || isRecord(config) ? withDefaults(config ?? {}, legacy.config) : config,
    },
    { enabled: true, mode: legacy.mode },
  );
  return withEntryDefaults(typed, around);
}

/** The mode an entry has when it names none. */
export function defaultMode(entry: JsonRecord, { connector, catalogue }: Surroundings): ToolMode {
  if (isToolUsingConnector(connector)) return 'function';
  const placeholder = textIn(entry, 'placeholder') ?? ownPlaceholder(textIn(entry, 'type') ?? '', catalogue);
  return placeholder === undefined ? 'function' : 'placeholder';
}

export function ownPlaceholder(type: string, catalogue: ToolCatalogue): string | undefined {
  return catalogue.placeholderOf(type) ?? classicPlaceholder(type);
}

function withEntryDefaults(entry: JsonRecord, around: Surroundings): JsonRecord {
  const moded = withDefaults(entry, { mode: defaultMode(entry, around) });
  if (own(moded, 'mode') !== 'placeholder') return moded;
  return withDefaults(moded, { placeholder: ownPlaceholder(String(own(moded, 'type')), around.catalogue) });
}

interface LegacyShape {
  readonly type: string;
  readonly mode: ToolMode | undefined;
  readonly config: JsonRecord;
}

/** Shapes that kept their configuration beside the type were always offered as functions. */
function legacyShape(name: string, entry: JsonRecord): LegacyShape {
  const { type, config } = canonicalType(name);
  if (name === 'assistant' && own(entry, 'assistant_id') != null) {
    return { type, mode: 'function', config: { assistant_id: own(entry, 'assistant_id') } };
  }
  if (name === 'knowledge_base') {
    const id = own(entry, 'kb_id');
    const collections = typeof id === 'string' || typeof id === 'number' ? [String(id)] : undefined;
    const { top_k, threshold } = { top_k: own(entry, 'top_k'), threshold: own(entry, 'threshold') };
    return { type, mode: 'function', config: { collections, top_k, threshold } };
  }
  return { type, mode: undefined, config };
}

/** `{context}` is how templates write it; entries keep the bare name. */
function barePlaceholder(entry: JsonRecord): JsonRecord {
  const placeholder = own(entry, 'placeholder');
  if (typeof placeholder !== 'string') return {};
  return {
    placeholder: placeholder
      .trim()
      .replace(/^\{([^{}]*)\}$/, '$1')
      .trim(),
  };
}
