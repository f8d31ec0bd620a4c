/** How many messages are drawn at the most, and how many more when somebody comes near the edge. */
const MOST = 60;
const STEP = 10;

/** The part of a long conversation that is drawn: from this message on, as many as there is room for. */
export interface Drawn {
  readonly from: number;
  readonly to: number;
}

const within = (from: number, length: number): Drawn => {
  const start = Math.max(Math.min(from, length - STEP), 0);
  return { from: start, to: Math.min(start + MOST, length) };
};

export const atTheEnd = (length: number): Drawn => within(length - STEP * 2, length);
export const earlier = ({ from }: Drawn, length: number): Drawn => within(from - STEP, length);
export const later = ({ from, to }: Drawn, length: number): Drawn =>
  within(Math.max(from, to + STEP - MOST), length);

/** After messages have come or gone: what showed the end still does. */
export function grown(drawn: Drawn, before: number, length: number): Drawn {
  if (drawn.to < before) return within(drawn.from, length);
  return length - drawn.from > MOST || length < before ? atTheEnd(length) : within(drawn.from, length);
}
