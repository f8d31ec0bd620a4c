import type {
  Activity,
  ExamWindow,
  PlacedAssistant,
  TranscriptPolicy,
} from '../../../src/http/contract/activities.ts';

/** From the most closed to the most open: who reads what students say. */
export const POLICIES = ['none', 'pseudonymous', 'named'] as const satisfies readonly TranscriptPolicy[];

/** Those that can be asked. */
export const usableIn = ({ assistants }: Activity): readonly PlacedAssistant[] =>
  assistants.filter(({ may_use = true }) => may_use);

export interface ActivityChange {
  readonly assistant_ids?: readonly number[];
  readonly pinned_version?: number | null;
  readonly transcript_policy?: TranscriptPolicy;
  readonly retention_days?: number;
  readonly steps_visible?: boolean;
  readonly exam_windows?: readonly ExamWindow[];
  readonly evaluation?: { readonly assistant_id: number } | null;
}
