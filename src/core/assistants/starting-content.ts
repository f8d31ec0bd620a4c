import type { JsonRecord } from '../base/json.js';
import type { AnyTool } from '../tool.js';
import type { ToolMode } from './assistant.js';

/** A tool of an assistant that nobody has saved yet, as metadata lists it. */
export interface StartingEntry {
  readonly type: string;
  /** Off while it waits for something that only its author can choose. */
  readonly enabled: boolean;
  readonly mode: ToolMode;
  readonly placeholder?: string;
  readonly config: JsonRecord;
}

const FORMAT_VERSION = 2;

/** Fills its placeholder where it can do that with these settings, as every model can be served so. */
export function startingEntry(tool: AnyTool, config: JsonRecord = {}): StartingEntry {
  const parsed = tool.config.safeParse(config);
  const lacks = parsed.success ? (tool.lacksAsPlaceholder?.(parsed.data) ?? {}) : {};
  const isFunction = (tool.asFunction ?? tool.functions) !== undefined;
  const fills = tool.placeholder !== undefined && (Object.keys(lacks).length === 0 || !isFunction);
  return {
    type: tool.name,
    enabled: parsed.success && tool.danger === 'read',
    ...(fills ? { mode: 'placeholder', placeholder: tool.placeholder } : { mode: 'function' }),
    config,
  };
}

export function startingMetadata(tools: readonly StartingEntry[]): JsonRecord {
  const isOrchestrator = tools.some(({ enabled, mode }) => enabled && mode === 'function');
  return {
    _format_version: FORMAT_VERSION,
    assistant_type: isOrchestrator ? 'orchestrator' : 'multi_tool',
    prompt_processor: isOrchestrator ? 'tool_augment' : 'multi_augment',
    tools,
  };
}

/** The template that says no more than these need. */
export function startingTemplate(tools: readonly StartingEntry[]): string {
  const names = tools.flatMap(({ enabled, placeholder }) => (enabled && placeholder ? [placeholder] : []));
  return [...new Set(names), 'user_input'].map((name) => `{${name}}`).join('\n\n');
}
