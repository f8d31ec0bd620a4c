import { isFault } from '../api/fault.ts';
import type { Messages } from '../i18n/en.ts';
import type { RubricDraft } from './rubric-draft.ts';
import { addsUp } from './rubric-weights.ts';

/** What is wrong, by its place, such as `criteria.0.weight`; `weights` for their sum. */
export type RubricFaults = ReadonlyMap<string, string>;

/** Says all that keeps a rubric from being saved, as far as it can be told here. */
export function faultsIn(draft: RubricDraft, { common, rubrics: { faults: t } }: Messages): RubricFaults {
  const found = new Map<string, string>();
  const must = (isRight: boolean, place: string, message: string) => {
    if (!isRight && !found.has(place)) found.set(place, message);
  };
  const mustBeNumber = (value: number | null, place: string) => {
    must(value !== null, place, t.number);
  };

  must(draft.title.trim() !== '', 'title', common.required);
  mustBeNumber(draft.maxScore, 'maxScore');
  must((draft.maxScore ?? 1) > 0, 'maxScore', t.aboveZero);
  for (const [i, { name, weight, levels }] of draft.criteria.entries()) {
    const at = `criteria.${String(i)}`;
    must(name.trim() !== '', `${at}.name`, common.required);
    mustBeNumber(weight, `${at}.weight`);
    must((weight ?? 0) >= 0, `${at}.weight`, t.atLeastZero);
    for (const [j, { label, score }] of levels.entries()) {
      must(label.trim() !== '', `${at}.levels.${String(j)}.label`, common.required);
      mustBeNumber(score, `${at}.levels.${String(j)}.score`);
    }
  }
  const scores = draft.criteria[0]?.levels.map(({ score }) => score ?? 0) ?? [];
  must(Math.max(...scores) > 0, 'criteria.0.levels.0.score', t.bestAboveZero);
  must(addsUp(draft.criteria), 'weights', t.weights);
  return found;
}

/** What the service found wrong, where it says so: `rubric_data.criteria.0.weight: must be a number; …`. */
export function faultsFrom(thrown: unknown): RubricFaults {
  if (!isFault(thrown) || ![400, 422].includes(thrown.status)) return new Map();
  const told = thrown.message.split(/(?::\s|;\s)(?=(?:title|description|is_public|rubric_data)\b[\w.]*: )/);
  return new Map(
    told.flatMap((part) => {
      const [, place, message] = /^(?:rubric_data\.)?([\w.]+): (.+)$/s.exec(part) ?? [];
      return place !== undefined && message !== undefined ? [[place, message] as const] : [];
    }),
  );
}
