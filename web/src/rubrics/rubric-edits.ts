import {
  newCriterion,
  newKey,
  newLevel,
  type CriterionDraft,
  type LevelDraft,
  type RubricDraft,
} from './rubric-draft.ts';
import { remaining } from './rubric-weights.ts';

export const LEAST_LEVELS = 2;

/** Every criterion has levels of the same names and scores: they can be written once. */
export function hasSameLevels({ criteria }: RubricDraft): boolean {
  const [first, ...others] = criteria.map(({ levels }) =>
    JSON.stringify(levels.map(({ label, score }) => [label, score])),
  );
  return others.every((levels) => levels === first);
}

/** Names and scores of whoever has most levels become those of all. No description is lost. */
export function shareLevels({ criteria }: RubricDraft): void {
  const scale = criteria.reduce<LevelDraft[]>(
    (most, { levels }) => (levels.length > most.length ? levels : most),
    [],
  );
  for (const criterion of criteria) {
    criterion.levels = scale.map(({ label, score }, i) => {
      const own = criterion.levels[i];
      return own ? { ...own, label, score } : newLevel(label, score);
    });
  }
}

export function addCriterion(draft: RubricDraft): CriterionDraft {
  const scale = draft.criteria.at(-1)?.levels ?? [newLevel('', 1), newLevel('', 0)];
  const levels = scale.map(({ label, score }) => newLevel(label, score));
  const added = newCriterion({ levels, weight: remaining(draft.criteria) });
  draft.criteria.push(added);
  return added;
}

export function duplicateCriterion(draft: RubricDraft, at: number): CriterionDraft | undefined {
  const {
    name,
    description,
    levels,
    rest: { id: _id, ...rest },
  } = draft.criteria[at] ?? newCriterion({ levels: [] });
  const copies = levels.map(({ rest: { id: _level, ...others }, ...level }) => {
    const key = newKey();
    return { ...level, key, rest: { ...others, id: `level-${key}` } };
  });
  const { key, rest: made } = newCriterion({ levels: [] });
  const copy = { key, name, description, weight: 0, levels: copies, rest: { ...rest, ...made } };
  draft.criteria.splice(at + 1, 0, copy);
  return copy;
}

/** A level at the end of one criterion, or of all of them. */
export function addLevel(criteria: readonly CriterionDraft[]): void {
  for (const { levels } of criteria) {
    const last = levels.at(-1)?.score ?? 1;
    levels.push(newLevel('', Math.max(0, last - 1)));
  }
}

/** Takes out one place of one criterion, or of all; what was there, to be put back. */
export function removeLevel(criteria: readonly CriterionDraft[], at: number): () => void {
  const taken = criteria.map(({ levels }) => takeOut(levels, at));
  return () => {
    criteria.forEach(({ levels }, i) => taken[i]?.putBack(levels));
  };
}

interface Keyed {
  readonly key: string;
}

/** Takes one out. It is put back behind what it stood behind, wherever that is by then, or first if it was. */
export function takeOut<Item extends Keyed>(items: Item[], at: number) {
  const before = items.slice(0, at).reverse();
  const [gone] = items.splice(at, 1);
  return {
    gone,
    putBack(into: Item[]): void {
      const placeOf = ({ key }: Keyed) => into.findIndex((each) => each.key === key);
      const behind = before.map(placeOf).find((place) => place >= 0) ?? -1;
      if (gone && placeOf(gone) < 0) into.splice(behind + 1, 0, gone);
    },
  };
}

export function moveLevel(criteria: readonly CriterionDraft[], from: number, to: number): void {
  for (const { levels } of criteria) move(levels, from, to);
}

export function move(items: unknown[], from: number, to: number): void {
  const [item] = items.splice(from, 1);
  if (item !== undefined) items.splice(to, 0, item);
}
