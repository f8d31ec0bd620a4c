/** How many messages are drawn at the most, and how many more when somebody comes near the edge. */
const MOST = 60;
const STEP = 10;

/** The part of a long conversation that is drawn: from this message on, as many as there is room for. */
export interface VisibleRange {
  readonly from: number;
  readonly to: number;
}

const within = (from: number, length: number): VisibleRange => {
  const start = Math.max(Math.min(from, length - STEP), 0);
  return { from: start, to: Math.min(start + MOST, length) };
};

export const rangeAtEnd = (length: number): VisibleRange => within(length - STEP * 2, length);
export const earlier = ({ from }: VisibleRange, length: number): VisibleRange => within(from - STEP, length);
export const later = ({ from, to }: VisibleRange, length: number): VisibleRange =>
  within(Math.max(from, to + STEP - MOST), length);

/** After messages have come or gone: what showed the end still does. */
export function grown(drawn: VisibleRange, before: number, length: number): VisibleRange {
  if (drawn.to < before) return within(drawn.from, length);
  return length - drawn.from > MOST || length < before ? rangeAtEnd(length) : within(drawn.from, length);
}
