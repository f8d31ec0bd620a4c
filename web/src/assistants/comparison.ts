import type { VersionDiff } from '../../../src/http/contract/assistants.ts';
import type { createHistoryApi } from './history-api.ts';
import { type SettingChange, settingChanges } from './setting-changes.ts';

const TEXT_FIELDS = ['name', 'description', 'system_prompt', 'prompt_template', 'greeting'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** What changed from one version to another, as it is shown. */
export interface Comparison {
  readonly from: number;
  readonly to: number;
  readonly texts: readonly { readonly field: TextField; readonly from: string; readonly to: string }[];
  readonly settings: readonly SettingChange[];
}

type History = Pick<ReturnType<typeof createHistoryApi>, 'diff' | 'version'>;

export async function readComparison(history: History, from: number, to: number): Promise<Comparison> {
  const [diff, before, after] = await Promise.all([
    history.diff(from, to),
    history.version(from),
    history.version(to),
  ]);
  return {
    from,
    to,
    texts: TEXT_FIELDS.flatMap((field) => {
      const change = diff.fields.find((each) => each.field === field);
      return change ? [{ field, from: textOf(change.from), to: textOf(change.to) }] : [];
    }),
    settings: [
      ...otherFields(diff),
      ...settingChanges(diff, { before: before.metadata, after: after.metadata }),
    ],
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isText = (field: string): boolean => TEXT_FIELDS.some((each) => each === field);

function otherFields({ fields }: VersionDiff): readonly SettingChange[] {
  return fields
    .filter(({ field }) => !isText(field))
    .map(({ field, from, to }) => ({ kind: 'changed', path: [{ field }], from, to }));
}
