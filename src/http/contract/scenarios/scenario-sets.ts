import { z } from 'zod';
import type { Told } from '../common.js';

/** What the routes of ready-made scenarios answer with. */
export const ScenarioSets = z.object({
  data: z.array(
    z.object({ id: z.string(), title: z.string(), about: z.string().describe('What it is for.') }),
  ),
});
export type ScenarioSets = Told<typeof ScenarioSets>;
