import { isDeepStrictEqual } from 'node:util';
import {
  isToolUsingConnector,
  type ToolCatalogue,
  type ToolMode,
} from '../../src/core/assistants/assistant.js';
import type { Conversion } from '../../src/core/assistants/history.js';
import { faultOfSize, METADATA_LIMITS } from '../../src/core/base/json-size.js';
import { invalidConfiguration } from '../../src/core/errors.js';
import { isRecord, type JsonRecord, own, textIn, withDefaults } from './json.js';
import { canonicalType, classicPlaceholder, type LegacyColumns, toolOfRagProcessor } from './legacy-tools.js';

export const FORMAT_VERSION = 2;

export interface StoredMetadata extends LegacyColumns {
  readonly metadata: string | object | null;
}

export interface Canonical {
  readonly metadata: Record<string, unknown>;
  /** What could not be understood, in sentences for the author. */
  readonly problems: string[];
  /** False when nothing was changed because the whole could not be understood: such an assistant must not run. */
  readonly readable: boolean;
}

/** Any stored shape in today's form, in memory. Loses no key, never throws, and leaves its own results alone. */
export function canonicalMetadata(stored: StoredMetadata, catalogue: ToolCatalogue): Canonical {
  const tooLarge = { metadata: {}, problem: oversize(stored.metadata) };
  const found = tooLarge.problem === undefined ? readMetadata(stored.metadata) : tooLarge;
  const problem = found.problem ?? oversize(found.metadata) ?? unreadable(found.metadata);
  if (problem !== undefined) return { metadata: { ...found.metadata }, problems: [problem], readable: false };

  const { metadata } = found;
  const around = { connector: textIn(metadata, 'connector'), catalogue };
  const fromProcessor =
    versionOf(metadata) === FORMAT_VERSION ? undefined : toolOfRagProcessor(metadata, stored);
  const listed = canonicalTools(toolsOf(metadata), around);
  const tools = fromProcessor ? [fromProcessor, ...listed.tools] : listed.tools;

  const canonical = { ...metadata, _format_version: FORMAT_VERSION, tools };
  const assistant_type =
    hasFunctions(tools) || isToolUsingConnector(around.connector) ? 'orchestrator' : 'multi_tool';
  const problems = [...oddProcessor(metadata), ...listed.problems];
  return { metadata: { ...withDefaults(canonical, { assistant_type }) }, problems, readable: true };
}

/**
 * Metadata as it is stored when somebody writes it: in today's form with its version, also when only its tools show
 * that it is in that form. Whatever is in an older one stays so until it is converted.
 */
export function writtenMetadata(metadata: JsonRecord, catalogue: ToolCatalogue): JsonRecord {
  const tools = own(metadata, 'tools');
  const saysSo = own(metadata, '_format_version') != null;
  if (saysSo || !Array.isArray(tools) || tools.length === 0) return metadata;
  const around = { connector: textIn(metadata, 'connector'), catalogue };
  const isOfToday =
    toolOfRagProcessor(metadata, { ragCollections: '', ragTopK: null }) === undefined &&
    oddProcessor(metadata).length === 0 &&
    tools.every((entry) => isOfTodaysShape(entry, canonicalTool(entry, around)));
  return isOfToday ? { ...metadata, _format_version: FORMAT_VERSION } : metadata;
}

/** Only what an entry leaves open was filled in. */
function isOfTodaysShape(entry: unknown, canonical: JsonRecord | undefined): boolean {
  if (!isRecord(entry) || canonical === undefined || own(entry, 'type') !== canonical.type) return false;
  return isDeepStrictEqual(own(entry, 'config') ?? {}, canonical.config);
}

/** The stored object, or an empty one and why there is none. */
export function readMetadata(stored: string | object | null): {
  metadata: JsonRecord;
  problem: string | undefined;
} {
  const parsed = typeof stored === 'string' ? parse(stored) : { value: stored };
  if (parsed === undefined) return { metadata: {}, problem: 'The metadata is not valid JSON.' };
  if (parsed.value === null) return { metadata: {}, problem: undefined };
  if (!isRecord(parsed.value)) return { metadata: {}, problem: 'The metadata is not a JSON object.' };
  return { metadata: parsed.value, problem: undefined };
}

/** 1 stands for everything written before versions were. NaN: not a version at all. */
export function versionOf(metadata: JsonRecord): number {
  const version = own(metadata, '_format_version') ?? 1;
  return typeof version === 'number' || typeof version === 'string' ? Number(version) : NaN;
}

function parse(text: string): { readonly value: unknown } | undefined {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Of a text its length alone, so that what is far too large need not be parsed. */
export function oversize(metadata: StoredMetadata['metadata']): string | undefined {
  const fault = faultOfSize(metadata, METADATA_LIMITS);
  return fault && `The metadata ${fault.message}.`;
}

function unreadable(metadata: JsonRecord): string | undefined {
  const version = versionOf(metadata);
  if (Number.isNaN(version)) return 'The metadata has a "_format_version" that is not a number.';
  if (version > FORMAT_VERSION) {
    return `The metadata has format version ${String(version)}; this installation understands versions up to ${String(FORMAT_VERSION)}.`;
  }
  const tools = own(metadata, 'tools') ?? [];
  return Array.isArray(tools) ? undefined : 'The "tools" of the metadata are not a list.';
}

function oddProcessor(metadata: JsonRecord): readonly string[] {
  const processor = own(metadata, 'rag_processor') ?? '';
  return typeof processor === 'string' ? [] : ['The "rag_processor" of the metadata is not a text.'];
}

function toolsOf(metadata: JsonRecord): readonly unknown[] {
  const tools = own(metadata, 'tools');
  return Array.isArray(tools) ? tools : [];
}

/** An entry that names no tool stays where it is, for its author to mend. */
function canonicalTools(entries: readonly unknown[], around: Surroundings) {
  const problems: string[] = [];
  const tools = entries.map((entry, index) => {
    const tool = canonicalTool(entry, around);
    if (tool === undefined)
      problems.push(`Entry ${String(index + 1)} of "tools" does not say which tool it is.`);
    return tool ?? entry;
  });
  return { tools, problems };
}

function hasFunctions(tools: readonly unknown[]): boolean {
  return tools.some(
    (tool) => isRecord(tool) && own(tool, 'mode') === 'function' && own(tool, 'enabled') !== false,
  );
}

/** What the defaults of an entry depend on. */
export interface Surroundings {
  readonly connector: string | undefined;
  readonly catalogue: ToolCatalogue;
}

/** One entry of `tools`, in any shape ever stored, in today's shape; undefined when it names no tool. */
function canonicalTool(entry: unknown, around: Surroundings): JsonRecord | undefined {
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
