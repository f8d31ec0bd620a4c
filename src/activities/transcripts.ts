import { type Activity, TRANSCRIPT_POLICIES, type TranscriptPolicy } from '../core/lti/activity.js';
import type { ActivityInsightStore, Readable, Transcript } from '../core/lti/activity-insight.js';
import type { SecretBox } from '../core/organizations/secret-box.js';
import { FEWEST_STUDENTS } from './k-anonymity.js';

/** What an instructor may read, and if that is nothing, why. */
export interface Reading {
  readonly readable: Readable;
  readonly reason: null | 'policy_none' | 'too_few';
}

/**
 * The stricter of what was promised when a conversation began and what is promised now. Where students are numbers,
 * they must be five at least, of those who are shown as numbers: among named ones a single number would have a name.
 */
export async function readingOf(
  { id: activityId, transcriptPolicy }: Activity,
  insight: Pick<ActivityInsightStore, 'hasSpeakers'>,
): Promise<Reading> {
  const isNamed = transcriptPolicy === 'named';
  const readable = (begunUnder: readonly TranscriptPolicy[]) => ({
    activityId,
    begunUnder,
    onlyAgreed: isNamed,
  });
  if (transcriptPolicy === 'none') return { readable: readable([]), reason: 'policy_none' };
  const numbered = isNamed ? (['pseudonymous'] as const) : (['pseudonymous', 'named'] as const);
  const enough = await insight.hasSpeakers(FEWEST_STUDENTS, readable(numbered));
  const begunUnder = [...(isNamed ? (['named'] as const) : []), ...(enough ? numbered : [])];
  return { readable: readable(begunUnder), reason: begunUnder.length > 0 ? null : 'too_few' };
}

/** Whether so many have taken part that figures are of a group, and of nobody in it. */
export function isGroup(
  activityId: number,
  insight: Pick<ActivityInsightStore, 'hasSpeakers'>,
): Promise<boolean> {
  return insight.hasSpeakers(FEWEST_STUDENTS, {
    ...{ activityId, begunUnder: TRANSCRIPT_POLICIES, onlyAgreed: false },
  });
}

export interface Speaking {
  readonly label: string;
  /** Null for somebody who is called by name. */
  readonly number: number | null;
}

/** By name only where that was promised both then and now. */
export function speakerIn(
  { begunUnder, name, number }: Transcript,
  { transcriptPolicy }: Pick<Activity, 'transcriptPolicy'>,
  box: SecretBox,
): Speaking {
  const isNamed = transcriptPolicy === 'named' && begunUnder === 'named' && name !== null;
  return isNamed ? { label: box.open(name), number: null } : { label: `Student ${String(number)}`, number };
}
