import type { Chosen } from '../../activities/setup-draft.ts';
import type { Placement } from './lti-api.ts';

/** What an instructor is about to place in a course. */
export interface PlacementDraft {
  readonly chosen: readonly Chosen[];
  readonly isTogether: boolean;
  /** As it is typed; empty for an activity without grades. */
  readonly maximum: string;
}

export type PlacementProblem = 'assistants' | 'maximum';

const MOST = 1000;

/** What can be graded is, unless somebody says otherwise. */
export const EMPTY_PLACEMENT: PlacementDraft = { chosen: [], isTogether: true, maximum: '100' };

/** In the way of those who write half a point with a comma, too. */
const maximumIn = (text: string): number => Number(text.trim().replace(',', '.'));

export const mayBeGraded = ({ chosen }: PlacementDraft): boolean => chosen.some(({ evaluates }) => evaluates);

export function problemsWith(draft: PlacementDraft): readonly PlacementProblem[] {
  const problems: PlacementProblem[] = [];
  if (draft.chosen.length === 0) problems.push('assistants');
  if (mayBeGraded(draft) && draft.maximum.trim() !== '') {
    const maximum = maximumIn(draft.maximum);
    if (!(maximum > 0 && maximum <= MOST)) problems.push('maximum');
  }
  return problems;
}

export const placementOf = (draft: PlacementDraft): Placement => ({
  assistant_ids: draft.chosen.map(({ id }) => id),
  together: draft.isTogether || draft.chosen.length === 1,
  ...(mayBeGraded(draft) && draft.maximum.trim() !== '' ? { score_maximum: maximumIn(draft.maximum) } : {}),
});
