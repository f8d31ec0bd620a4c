import type { ToolEntry } from '../assistants/assistants-api.ts';
import { toolLabel, type ToolLabel } from '../assistants/tool-label.ts';
import type { Messages } from '../i18n/en.ts';
import type { Tools } from './tool-entries.ts';

/** In the reader's language where a tool came with the service, else as it calls itself. */
export function labelOf(
  entry: Pick<ToolEntry, 'type' | 'name'>,
  tools: Tools,
  { assistants }: Messages,
): ToolLabel {
  const own = Object.fromEntries([...tools.values()].map(({ name, display_name }) => [name, display_name]));
  return toolLabel(entry, { ...own, ...assistants.toolNames });
}
