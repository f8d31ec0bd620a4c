import { isRecord, type JsonRecord, own } from '../core/base/json.js';
import type { AssistantContent } from '../core/assistants/assistant.js';
import type { Conversion } from '../core/assistants/history.js';
import { toJsonSchema } from '../core/json-schema.js';
import type { Plugins } from '../core/plugins.js';
import type { AnyTool } from '../core/tool.js';
import { withoutSecrets } from './bundle.js';

export interface TemplateContentDeps {
  readonly plugins: Plugins;
  /** Throws when the metadata cannot be understood. */
  readonly conversionOf: (content: AssistantContent) => Conversion;
}

/** What of an assistant's metadata says how it works. The model is left to whoever begins with it. */
const CARRIED = [
  ...['_format_version', 'assistant_type', 'prompt_processor', 'capabilities'],
  ...['tool_routing', 'tools', 'pedagogy'],
];

/**
 * An assistant without all that is somebody's: no secrets, no collections, rubrics, files or assistants, no picture, no
 * settings of tools that act elsewhere. A tool that lacks something then is switched off, and waits for its author.
 */
export function templateContent(
  { avatar, ...content }: AssistantContent,
  { plugins, conversionOf }: TemplateContentDeps,
): AssistantContent {
  const { after } = conversionOf({ ...content, avatar });
  const kept = Object.entries(after).filter(([key]) => CARRIED.includes(key));
  const tools = own(after, 'tools');
  const metadata = {
    ...(withoutSecrets(Object.fromEntries(kept)) as JsonRecord),
    tools: (Array.isArray(tools) ? tools : []).filter(isRecord).flatMap((entry) => bare(entry, plugins)),
  };
  const { name, description, systemPrompt, promptTemplate, greeting, starters, tags } = content;
  return {
    ...{ name, description, systemPrompt, promptTemplate, greeting, starters, tags, metadata },
    ...{ ragCollections: '', ragTopK: null },
    avatar: avatar && 'emoji' in avatar ? avatar : null,
  };
}

function bare(entry: JsonRecord, { tools }: Plugins): JsonRecord[] {
  const tool = tools.get(String(own(entry, 'type')));
  // Of one that is not installed nobody can say what in it is somebody's.
  if (!tool) return [];
  const given = own(entry, 'config');
  const config = isRecord(given) && tool.danger === 'read' ? ownSettings(given, tool) : {};
  const parsed = tool.config.safeParse(config);
  const isWhole =
    parsed.success && tool.danger === 'read' && tool.touches(undefined, parsed.data).length === 0;
  const { type, mode, placeholder, name, description, on_error } = entry;
  const said = Object.entries({ type, mode, placeholder, name, description, on_error });
  return [
    {
      ...Object.fromEntries(said.filter(([, value]) => value !== undefined)),
      ...{ enabled: own(entry, 'enabled') !== false && isWhole, config },
    },
  ];
}

/** Those that point at nothing. */
function ownSettings(config: JsonRecord, tool: AnyTool): JsonRecord {
  const { properties = {} } = toJsonSchema(tool.config) as { readonly properties?: JsonRecord };
  const pointsElsewhere = (key: string) =>
    JSON.stringify(own(properties, key) ?? '').includes('"x-resource"');
  const known = Object.entries(config).filter(
    ([key]) => Object.hasOwn(properties, key) && !pointsElsewhere(key),
  );
  return withoutSecrets(Object.fromEntries(known)) as JsonRecord;
}

/** The rubrics that its enabled tools work with, by id. */
export function rubricsIn(
  content: AssistantContent,
  { plugins, conversionOf }: TemplateContentDeps,
): string[] {
  const tools = own(conversionOf(content).after, 'tools');
  const entries = Array.isArray(tools) ? tools.filter(isRecord) : [];
  return entries.flatMap((entry) => {
    const tool = own(entry, 'enabled') === false ? undefined : plugins.tools.get(String(own(entry, 'type')));
    const parsed = tool?.config.safeParse(own(entry, 'config') ?? {});
    const touched = parsed?.success ? (tool?.touches(undefined, parsed.data) ?? []) : [];
    return touched.flatMap(({ kind, id }) => (kind === 'rubric' ? [id] : []));
  });
}
