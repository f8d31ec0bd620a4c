import type { Person } from './school.js';

/** A column of the gradebook. */
export interface LineItem {
  readonly id: number;
  readonly course: number;
  readonly tool: number;
  readonly label: string;
  readonly scoreMaximum: number;
  readonly resourceId: string;
  readonly tag: string;
  /** The activity it belongs to, if any. */
  readonly link: number | null;
}

/** A score as it was taken. */
export interface Score {
  readonly lineItem: number;
  readonly userId: string;
  readonly scoreGiven: number | null;
  readonly scoreMaximum: number | null;
  readonly activityProgress: string;
  readonly gradingProgress: string;
  readonly comment: string;
  readonly timestamp: string;
}

export type Gradebook = ReturnType<typeof createGradebook>;

export function createGradebook() {
  const items = new Map<number, LineItem>();
  const scores = new Map<string, Score>();
  const keyOf = (lineItem: number, userId: string) => `${String(lineItem)}/${userId}`;
  let last = 3;
  return {
    add(item: Omit<LineItem, 'id'>): LineItem {
      const made = { ...item, id: ++last };
      items.set(made.id, made);
      return made;
    },
    put: (item: LineItem) => void items.set(item.id, item),
    remove: (id: number) => items.delete(id),
    item: (id: number) => items.get(id),
    /** The columns of a course, of one tool or of all. */
    items: (course: number, tool?: number) =>
      [...items.values()].filter(
        (item) => item.course === course && (tool === undefined || item.tool === tool),
      ),
    /** False when the one that is there is of the same second or a later one. */
    take(score: Score): boolean {
      const before = scores.get(keyOf(score.lineItem, score.userId));
      if (before && secondOf(score.timestamp) <= secondOf(before.timestamp)) return false;
      scores.set(keyOf(score.lineItem, score.userId), score);
      return true;
    },
    score: (lineItem: number, person: Person) => scores.get(keyOf(lineItem, String(person.id))),
    scores: (lineItem: number) => [...scores.values()].filter((score) => score.lineItem === lineItem),
  };
}

const secondOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1_000);

/** What the gradebook shows: on the column's own scale, and never more than its best. */
export function resultOf({ scoreGiven, scoreMaximum }: Score, item: LineItem): number | null {
  if (scoreGiven === null || scoreMaximum === null) return null;
  return Math.min(item.scoreMaximum, (scoreGiven / scoreMaximum) * item.scoreMaximum);
}
