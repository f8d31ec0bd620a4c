import { z } from 'zod';
import type { Page } from '../../core/stores.js';

/** `limit` and `cursor` of every list. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(500).optional(),
});

export function pageOf<Row, Shown>({ data, nextCursor }: Page<Row>, show: (row: Row) => Shown) {
  return { data: data.map(show), next_cursor: nextCursor };
}
