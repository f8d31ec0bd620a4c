import { z } from 'zod';
import { Face } from '../assistants.js';
import { Budget } from '../budgets.js';
import { Moment, pageOf, type Told } from '../common.js';

/** What the routes of public links answer with. */

export const Link = z.object({
  id: z.number(),
  url: z.string().nullable().describe('Null where the key it was sealed with is not there any more.'),
  expires_at: Moment.nullable(),
  budget_id: z.string().nullable(),
  created_at: Moment,
  visits: z.number().describe('Those under way.'),
});
export type Link = Told<typeof Link>;

export const Links = pageOf(Link).extend({
  allowed: z.boolean().describe('Whether the organisation allows links now.'),
  embed_origins: z.array(z.string()).describe('The sites whose pages may show them in a frame.'),
  budgets: z
    .array(Budget.pick({ id: true, scope: true, unit: true, amount: true, period: true, currency: true }))
    .describe('Those that you may let the visitors of a new link spend.'),
});
export type Links = Told<typeof Links>;

export const BegunVisit = z.object({
  token: z.string().describe('What the page calls the API with.'),
  expires_at: Moment,
});
export type BegunVisit = Told<typeof BegunVisit>;

export const LinkVisit = z.object({
  assistant: z.object({
    id: z.number(),
    name: z.string(),
    description: z.string(),
    vision: z.boolean().describe('Whether it takes pictures.'),
    attachments: z.boolean().describe('Whether files may be sent along with a question.'),
    ...Face.omit({ tags: true }).shape,
  }),
  organization_name: z.string().describe('Who offers it.'),
});
export type LinkVisit = Told<typeof LinkVisit>;

export const Audience = z.object({
  activities: z
    .object({
      count: z.number().describe('At most 200 are counted.'),
      named: z.array(z.object({ title: z.string(), course_title: z.string(), platform_name: z.string() })),
    })
    .describe('Named are those that whoever asks has set up, or looks after.'),
  platforms: z
    .array(z.object({ name: z.string(), kind: z.enum(['1.3', '1.1']) }))
    .describe('The learning platforms that may open assistants of this organisation.'),
  links: z.number().describe('How many public links lead to it.'),
  launch_url: z.string().describe('What a platform of LTI 1.3 opens.'),
});
export type Audience = Told<typeof Audience>;
