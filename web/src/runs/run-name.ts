import type { Run } from '../../../src/http/contract/runs.ts';
import type { Messages } from '../i18n/en.ts';

/** What a run is called by: its assistant, if there is or was one. */
export function nameOf(
  { assistant_id, assistant_name }: Pick<Run, 'assistant_id' | 'assistant_name'>,
  t: Messages['runs'],
): string {
  if (assistant_id === null) return t.toolAlone;
  return assistant_name ?? t.goneAssistant(assistant_id);
}
