import type { AuditRow } from '../../../../src/http/contract/admin.ts';
import { toolLabel } from '../../assistants/tool-label.ts';
import type { Messages } from '../../i18n/en.ts';
import { ownEntry } from '../../i18n/own-entry.ts';

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;

/** An id is told from another by its end; the rest of it tells nobody anything. */
const withShortIds = (text: string): string => text.replace(UUID, (id) => `…${id.slice(-4)}`);

export const actionText = ({ action }: Pick<AuditRow, 'action'>, { admin }: Messages): string =>
  ownEntry(admin.audit.actions, action) ?? action;

/** `assistant 7`: what it is, and which one. */
export function resourceText({ resource }: Pick<AuditRow, 'resource'>, t: Messages): string {
  const { kinds } = t.admin.audit;
  const kind = Object.keys(kinds)
    .filter((each) => resource === each || resource.startsWith(`${each} `))
    .sort((a, b) => b.length - a.length)[0];
  if (kind === undefined) return withShortIds(resource);
  const which = resource.slice(kind.length + 1);
  const named =
    kind === 'tool' ? toolLabel({ type: which }, t.assistants.toolNames).title : withShortIds(which);
  return `${ownEntry(kinds, kind) ?? kind} ${named}`.trim();
}

/** Why, where that is one of the usual reasons. */
export function reasonText({ reason }: Pick<AuditRow, 'reason'>, { admin }: Messages): string {
  const usual = Object.entries(admin.audit.reasons).find(([pattern]) => fits(reason, pattern));
  return usual?.[1] ?? withShortIds(reason);
}

/** A star stands for anything. */
function fits(text: string, pattern: string): boolean {
  const [start = '', end] = pattern.split('*');
  return end === undefined ? text === pattern : text.startsWith(start) && text.endsWith(end);
}
