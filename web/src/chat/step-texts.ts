import type { Messages } from '../i18n/en.ts';
import { ownEntry } from '../i18n/own-entry.ts';
import type { Status } from './frames.ts';
import type { Step } from './steps.ts';

type Told = Pick<Step, 'kind' | 'tool' | 'label' | 'subject' | 'facts' | 'doing' | 'doingWhich'>;
type Word = (what: string) => string;

/** Answers that were kept before steps had a subject name it in their label. */
const NAMED =
  /^(?:querying knowledge base|generating rubric|evaluating with rubric|reading file|changing file) (.+)$/;

/** A step in its reader's language; of tools that came from elsewhere, as they say it themselves. */
export function stepText(step: Told, { tools }: Messages): string {
  const { kind, tool, label } = step;
  const word = ownEntry<Word>(tools.steps, kind === 'assistant' ? 'assistant' : tool);
  if (!word) return label;
  const subject = step.subject ?? NAMED.exec(label)?.[1] ?? '';
  // What others are called by a program is read as words.
  const what = ['http', 'mcp'].includes(tool) ? subject.replaceAll('_', ' ') : subject;
  const isSaid = what === '' || word.length > 0;
  const said = isSaid ? word(what) : `${word('')}: ${what}`;
  const left = leftOut(step, tools.leftOut);
  return left.length === 0 ? said : `${said} (${left.join('; ')})`;
}

/** Whether it looked in collections and found nothing that fits the question. */
export const isInVain = ({ tool, facts }: Pick<Told, 'tool' | 'facts'>): boolean =>
  tool === 'simple_rag' && facts?.passages === 0;

/** What it went on without. */
function leftOut({ tool, facts = {} }: Told, t: Messages['tools']['leftOut']): readonly string[] {
  const names = Array.isArray(facts.failed) ? facts.failed.map(String) : [];
  const refused = typeof facts.refused === 'number' ? facts.refused : 0;
  return [
    ...(names.length > 0 ? [t.failed(names.join(', '))] : []),
    ...(refused > 0 ? [t.refused(refused)] : []),
    ...(isInVain({ tool, facts }) ? [t.nothingFits] : []),
    ...(facts.remembered === true ? [t.remembered] : []),
  ];
}

/** What its tool is at. */
export function doingText({ doing, doingWhich = '' }: Told, { tools }: Messages): string | undefined {
  return ownEntry<Word>(tools.doing, doing)?.(doingWhich);
}

/** What has just been told; empty when it is about no step. */
export function statusText({ type, tool = '', label = '', subject, facts }: Status, t: Messages): string {
  if (label === '') return '';
  const kind = type.startsWith('assistant.') ? 'assistant' : 'tool';
  return stepText({ kind, tool, label, subject, facts }, t);
}
