import {
  type Approval,
  type AssistantSetup,
  type AssistantType,
  isToolUsingConnector,
  type OnError,
  type ToolCatalogue,
  type ToolEntry,
  type ToolMode,
} from '../../src/core/assistants/assistant.js';
import {
  canonicalMetadata,
  defaultMode,
  FORMAT_VERSION,
  ownPlaceholder,
  readMetadata,
  type StoredMetadata,
  type Surroundings,
  versionOf,
} from './canonical.js';
import { isRecord, type JsonRecord, own, textIn } from './json.js';
import { odditiesOfPedagogy, pedagogyIn } from './pedagogy.js';

const PROCESSORS: Readonly<Record<AssistantType, string>> = {
  classic: 'simple_augment',
  multi_tool: 'multi_augment',
  orchestrator: 'tool_augment',
};

/** How a stored assistant runs. Odd optional values give way to defaults; only what forbids a run is a problem. */
export function assistantSetup(stored: StoredMetadata, catalogue: ToolCatalogue): AssistantSetup {
  const { metadata, problems, readable } = canonicalMetadata(stored, catalogue);
  const connector = textIn(metadata, 'connector');
  const listed = readable ? listedEntries(metadata) : [];
  const tools = listed.map((entry) => toolEntry(entry, { connector, catalogue }));
  const type = typeOf(stored, connector, tools);
  return {
    type,
    processor: processorIn(metadata) ?? PROCESSORS[type],
    connector,
    model: textIn(metadata, 'llm'),
    vision: hasVision(metadata),
    verbose: own(metadata, 'verbose') === true,
    ...(own(metadata, 'tool_routing') === 'fast' ? { toolRouting: 'fast' } : {}),
    ...(own(metadata, 'client_tools') === 'allow' ? { clientTools: 'allow' } : {}),
    ...boundedBy(metadata, 'attachments'),
    ...boundedBy(metadata, 'remember_tools'),
    ...(own(metadata, 'publish_gate') === 'suite' ? { publishGate: 'suite' } : {}),
    ...(own(metadata, 'nightly_suite') === true ? { nightlySuite: true } : {}),
    ...(own(metadata, 'follow_ups') === true ? { followUps: true } : {}),
    ...pedagogyIn(metadata),
    tools,
    listed,
    problems: readable ? [] : problems,
    oddities: readable ? [...problems, ...odditiesIn(metadata)] : [],
  };
}

/** What is switched on up to so many tokens, and how many those are where its author has not said. */
const BOUNDED = {
  attachments: { as: 'attachments', usual: 8_000 },
  remember_tools: { as: 'rememberTools', usual: 4_000 },
} as const;
const TOKENS = { least: 100, most: 200_000 };

function boundedBy(
  metadata: JsonRecord,
  key: keyof typeof BOUNDED,
): Pick<AssistantSetup, 'attachments' | 'rememberTools'> {
  const said = own(metadata, key);
  if (!isRecord(said) || own(said, 'enabled') !== true) return {};
  const { as, usual } = BOUNDED[key];
  const maxTokens = own(said, 'max_tokens');
  return { [as]: { maxTokens: isTokens(maxTokens) ? maxTokens : usual } };
}

function isTokens(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= TOKENS.least && Number(value) <= TOKENS.most;
}

/** One of LAMB's that arranges the same parts for a provider's cache is as good as none named. */
function processorIn(metadata: JsonRecord): string | undefined {
  const named = textIn(metadata, 'prompt_processor');
  return named === 'kvcache_augment' ? undefined : named;
}

export function hasVision(metadata: JsonRecord): boolean {
  const capabilities = own(metadata, 'capabilities');
  return isRecord(capabilities) && own(capabilities, 'vision') === true;
}

/** Functions make an orchestrator and nothing else does; the rest depends on the shape it is stored in. */
function typeOf(
  stored: StoredMetadata,
  connector: string | undefined,
  tools: readonly ToolEntry[],
): AssistantType {
  if (isToolUsingConnector(connector)) return 'orchestrator';
  if (tools.some((tool) => tool.enabled && tool.mode === 'function')) return 'orchestrator';

  const { metadata } = readMetadata(stored.metadata);
  if (own(metadata, 'assistant_type') === 'classic') return 'classic';
  const isNewShape = Array.isArray(own(metadata, 'tools')) || versionOf(metadata) === FORMAT_VERSION;
  return isNewShape ? 'multi_tool' : 'classic';
}

interface NamedEntry extends JsonRecord {
  readonly type: string;
}

function listedEntries(metadata: JsonRecord): readonly NamedEntry[] {
  const tools = own(metadata, 'tools');
  return Array.isArray(tools) ? tools.filter(isNamed) : [];
}

function isNamed(entry: unknown): entry is NamedEntry {
  return isRecord(entry) && textIn(entry, 'type') !== undefined;
}

function toolEntry(entry: NamedEntry, around: Surroundings): ToolEntry {
  const { type } = entry;
  const { enabled, mode, placeholder, on_error, approval, config } = {
    enabled: own(entry, 'enabled'),
    mode: own(entry, 'mode'),
    placeholder: textIn(entry, 'placeholder'),
    on_error: own(entry, 'on_error'),
    approval: own(entry, 'approval'),
    config: own(entry, 'config'),
  };
  return {
    type,
    enabled: typeof enabled === 'boolean' ? enabled : true,
    mode: isMode(mode) ? mode : defaultMode(entry, around),
    placeholder: placeholder ?? ownPlaceholder(type, around.catalogue),
    name: textIn(entry, 'name'),
    description: textIn(entry, 'description'),
    onError: isOnError(on_error) ? on_error : 'omit',
    approval: isApproval(approval) ? approval : undefined,
    config: isRecord(config) ? config : {},
  };
}

function isMode(value: unknown): value is ToolMode {
  return value === 'placeholder' || value === 'function';
}

function isApproval(value: unknown): value is Approval {
  return value === 'never' || value === 'ask' || value === 'always-allowed';
}

function isOnError(value: unknown): value is OnError {
  return value === 'omit' || value === 'notice' || value === 'fail';
}

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
function odditiesIn(metadata: JsonRecord): readonly string[] {
  const tools = own(metadata, 'tools');
  const entries: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return [
    ...odditiesOfRouting(metadata),
    ...odditiesOfClientTools(metadata),
    ...odditiesOfBounded(metadata, 'attachments'),
    ...odditiesOfBounded(metadata, 'remember_tools'),
    ...odditiesOfGate(metadata),
    ...odditiesOfSwitch(metadata, 'nightly_suite'),
    ...odditiesOfSwitch(metadata, 'follow_ups'),
    ...odditiesOfPedagogy(metadata),
    ...entries.flatMap((entry, place) => (isRecord(entry) ? odditiesOf(entry, place) : [])),
  ];
}

function odditiesOfRouting(metadata: JsonRecord): readonly string[] {
  const routing = own(metadata, 'tool_routing');
  return routing == null || routing === 'fast' ? [] : ['metadata.tool_routing: must be "fast", or left out'];
}

function odditiesOfClientTools(metadata: JsonRecord): readonly string[] {
  const said = own(metadata, 'client_tools');
  const isKnown = said == null || said === 'allow' || said === 'deny';
  return isKnown ? [] : ['metadata.client_tools: must be "allow" or "deny", or left out'];
}

function odditiesOfBounded(metadata: JsonRecord, key: keyof typeof BOUNDED): readonly string[] {
  const said = own(metadata, key);
  if (said == null) return [];
  if (!isRecord(said)) return [`metadata.${key}: must be an object such as {"enabled": true}`];
  const [enabled, tokens] = [own(said, 'enabled'), own(said, 'max_tokens')];
  const { least, most } = TOKENS;
  return [
    ...(enabled == null || typeof enabled === 'boolean'
      ? []
      : [`metadata.${key}.enabled: must be true or false`]),
    ...(tokens == null || isTokens(tokens)
      ? []
      : [`metadata.${key}.max_tokens: must be a whole number from ${String(least)} to ${String(most)}`]),
  ];
}

function odditiesOfGate(metadata: JsonRecord): readonly string[] {
  const gate = own(metadata, 'publish_gate');
  return gate == null || gate === 'suite' ? [] : ['metadata.publish_gate: must be "suite", or left out'];
}

function odditiesOfSwitch(metadata: JsonRecord, key: 'follow_ups' | 'nightly_suite'): readonly string[] {
  const said = own(metadata, key);
  const isKnown = said == null || typeof said === 'boolean';
  return isKnown ? [] : [`metadata.${key}: must be true or false, or left out`];
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
