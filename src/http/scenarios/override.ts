import { z } from 'zod';

/** An administrator lets through what has not passed its scenarios, and says why. */
export const Override = z
  .strictObject({ reason: z.string().trim().min(1, 'must not be empty').max(500) })
  .describe('By an administrator of the organisation: lets through what has not passed its scenarios.');
