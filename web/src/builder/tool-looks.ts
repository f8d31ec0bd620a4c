import type { ToolEntry } from '../assistants/assistants-api.ts';
import { toolLook, type ToolLook } from '../assistants/tool-look.ts';
import type { Messages } from '../i18n/en.ts';
import type { Tools } from './tool-entries.ts';

/** In the reader's language where a tool came with the service, else as it calls itself. */
export function lookOf(
  entry: Pick<ToolEntry, 'type' | 'name'>,
  tools: Tools,
  { assistants }: Messages,
): ToolLook {
  const own = Object.fromEntries([...tools.values()].map(({ name, display_name }) => [name, display_name]));
  return toolLook(entry, { ...own, ...assistants.toolNames });
}
