import type { ToolEntry } from '../assistants-api.ts';

/** Of the tools an assistant uses now, each once. */
export const toolTypes = (tools: readonly ToolEntry[] = []): readonly string[] => [
  ...new Set(tools.filter(({ enabled }) => enabled !== false).map(({ type }) => type)),
];
