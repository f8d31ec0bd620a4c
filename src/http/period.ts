import { z } from 'zod';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 24 * 60 * 60 * 1000;

/** `from` and `to` of lists: days, both of them included, or moments. Days are those of UTC. */
const Moment = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  'must be a day or a time, as in ISO 8601',
);
export const PeriodQuery = z.object({ from: Moment.optional(), to: Moment.optional() });

export interface Period {
  /** From this moment on. */
  readonly since?: string | undefined;
  /** Up to this moment, and not at it. */
  readonly before?: string | undefined;
}

export function periodOf({ from, to }: z.output<typeof PeriodQuery>): Period {
  return {
    since: from === undefined ? undefined : new Date(from).toISOString(),
    before:
      to === undefined ? undefined : new Date(Date.parse(to) + (DAY.test(to) ? DAY_MS : 0)).toISOString(),
  };
}
