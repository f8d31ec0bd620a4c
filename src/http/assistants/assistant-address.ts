import { z } from 'zod';
import { parseWith } from '../middleware/json-body.js';

const Id = z.object({ id: z.coerce.number().int().positive() });

/** The id in `/lamb/v1/assistants/:id…`. */
export function idIn(params: unknown): number {
  return parseWith(Id, params, 'The address').id;
}
