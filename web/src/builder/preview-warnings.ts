import type { Messages } from '../i18n/en.ts';
import type { Warned } from '../i18n/en/tools.ts';
import { ownEntry } from '../i18n/own-entry.ts';
import type { Preview, WarningDetail } from './builder-api.ts';
import type { Tools } from './tool-entries.ts';
import { labelOf } from './tool-labels.ts';

type Word = (facts: Warned) => string;

/** What a preview warns of, in its reader's language; what there are no words for, as the service says it. */
export function warningTexts({ warnings, warning_details }: Preview, tools: Tools, t: Messages): string[] {
  return warnings.map((message, i) => {
    const detail = warning_details?.[i];
    return detail ? (inWords(detail, tools, t) ?? message) : message;
  });
}

function inWords(detail: WarningDetail, tools: Tools, t: Messages): string | undefined {
  const { code, placeholder = '', tool = '', name, reason = '', reason_code } = detail;
  const why = ownEntry(t.tools.reasons, reason_code) ?? reason.replace(/\.$/, '');
  const title = labelOf({ type: tool, ...(name === undefined ? {} : { name }) }, tools, t).title;
  return ownEntry<Word>(t.tools.warnings, code)?.({ tool: title, place: `{${placeholder}}`, why });
}
