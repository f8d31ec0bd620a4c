import { z } from 'zod';
import type { SecretBox } from '../organizations/secret-box.js';
import type { LaunchFacts } from './launch.js';

const Words = z.record(z.string(), z.string());
const Titled = z.object({ id: z.string(), title: z.string() });
const Services = z.object({
  lineItemUrl: z.string().optional(),
  lineItemsUrl: z.string().optional(),
  gradeScopes: z.array(z.string()),
  membershipsUrl: z.string().optional(),
});
const Settings = z.object({
  returnUrl: z.string(),
  acceptMultiple: z.boolean(),
  acceptLineItem: z.boolean(),
  data: z.string().optional(),
});
const Basis = z.object({
  platformId: z.number().int(),
  deploymentId: z.string(),
  subject: z.string(),
  role: z.enum(['instructor', 'learner']),
  name: z.string(),
  locale: z.string().optional(),
  course: Titled.optional(),
  custom: Words,
  services: Services,
  returnUrl: z.string().optional(),
  openedIn: z.enum(['iframe', 'window']).optional(),
});
const Facts = z.discriminatedUnion('kind', [
  Basis.extend({ kind: z.literal('activity'), link: Titled }),
  Basis.extend({ kind: z.literal('deep_link'), settings: Settings }),
]);

/** At rest what a launch says is sealed: names of people and courses are in it. */
export function openFacts(sealed: string, box: SecretBox): LaunchFacts {
  return Facts.parse(JSON.parse(box.open(sealed)));
}
