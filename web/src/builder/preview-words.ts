import type { Messages } from '../i18n/en.ts';
import type { Warned } from '../i18n/en/tools.ts';
import { wordFor } from '../i18n/word-for.ts';
import type { Preview, WarningDetail } from './builder-api.ts';
import type { Tools } from './tool-entries.ts';
import { lookOf } from './tool-looks.ts';

type Word = (facts: Warned) => string;

/** What a preview warns of, in its reader's language; what there are no words for, as the service says it. */
export function warningsInWords({ warnings, warning_details }: Preview, tools: Tools, t: Messages): string[] {
  return warnings.map((message, i) => {
    const detail = warning_details?.[i];
    return detail ? (inWords(detail, tools, t) ?? message) : message;
  });
}

function inWords(detail: WarningDetail, tools: Tools, t: Messages): string | undefined {
  const { code, placeholder = '', tool = '', name, reason = '', reason_code } = detail;
  const why = wordFor(t.tools.reasons, reason_code) ?? reason.replace(/\.$/, '');
  const title = lookOf({ type: tool, ...(name === undefined ? {} : { name }) }, tools, t).title;
  return wordFor<Word>(t.tools.warnings, code)?.({ tool: title, place: `{${placeholder}}`, why });
}
