import type { Messages } from '../i18n/en.ts';
import type { Tools } from './tool-entries.ts';

/** What a tool is called: in the reader's language where it came with the service, else as it calls itself. */
export function titleOf(type: string, tools: Tools, { assistants }: Messages): string {
  const names: Readonly<Record<string, string>> = assistants.toolNames;
  return (Object.hasOwn(names, type) ? names[type] : undefined) ?? tools.get(type)?.display_name ?? type;
}
