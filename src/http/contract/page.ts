import { z } from 'zod';

/** A list, as far as it was asked for. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** What to ask for the rest with; null after the last row. */
  readonly next_cursor: string | null;
}

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    next_cursor: z.string().nullable().describe('What to ask for the rest with; null after the last row.'),
  });
