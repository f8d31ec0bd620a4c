import { z } from 'zod';
import { Face, Tests } from './assistants.js';
import { StoredMessage } from './chat.js';
import { Moment, pageOf, type Told } from './common.js';
import { Submission } from './submissions.js';

/** What the routes of a visit from a learning platform and of its activity answer with. */

export const TranscriptPolicy = z.enum(['none', 'pseudonymous', 'named']);
export type TranscriptPolicy = Told<typeof TranscriptPolicy>;

export const PlacedAssistant = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  vision: z.boolean().describe('Whether it takes pictures.'),
  attachments: z.boolean().describe('Whether files may be sent along with a question.'),
  ...Face.omit({ tags: true }).shape,
  may_use: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether it answers here now. Those who learn see only those that do, and are not told the rest.',
    ),
  evaluates: z.boolean().exactOptional().describe('It can propose grades.'),
});
export type PlacedAssistant = Told<typeof PlacedAssistant>;

export const ExamWindow = z
  .object({
    from: Moment,
    to: Moment,
    message: z.string().exactOptional().describe('What its teacher says to those who come.'),
  })
  .describe('A time in which those who learn get no answers.');
export type ExamWindow = Told<typeof ExamWindow>;

export const Activity = z
  .object({
    id: z.number(),
    title: z.string(),
    course_title: z.string(),
    configured: z.boolean(),
    assistants: z.array(PlacedAssistant),
    pinned_version: z.number().nullable().describe('Null follows the newest.'),
    transcript_policy: TranscriptPolicy,
    retention_days: z.number(),
    steps_visible: z.boolean(),
    exam_windows: z.array(ExamWindow),
    evaluation: z
      .object({
        assistant_id: z.number(),
      })
      .nullable(),
    platform_id: z.number(),
    platform_name: z.string(),
    updated_at: Moment,
  })
  .describe('A link in a course, and what is behind it.');
export type Activity = Told<typeof Activity>;

export const LinkedAccount = z
  .object({
    email: z.string(),
    name: z.string(),
    is_administrator: z.boolean().describe('Of the organisation, or of the whole.'),
  })
  .describe('The account here that somebody has proved to be theirs.');
export type LinkedAccount = Told<typeof LinkedAccount>;

export const Consent = z.object({
  needed: z.boolean(),
  given_at: Moment.nullable(),
});
export type Consent = Told<typeof Consent>;

export const LtiSession = z
  .object({
    kind: z.enum(['activity', 'deep_link']),
    role: z.enum(['instructor', 'learner']),
    name: z.string().describe('May be empty: platforms need not tell.'),
    locale: z
      .enum(['en', 'es', 'ca', 'eu'])
      .nullable()
      .describe('Of the course, as far as it is one of ours.'),
    platform: z.object({
      name: z.string(),
    }),
    course: z
      .object({
        id: z.string(),
        title: z.string(),
      })
      .nullable(),
    return_url: z.string().nullable(),
    opened_in: z.enum(['iframe', 'window']).nullable(),
    account: LinkedAccount.nullable().describe('Of an instructor who has proved to have one here.'),
    activity: Activity.nullable(),
    consent: Consent,
    suggested_assistant_ids: z
      .array(z.number())
      .describe('What the link itself asks for, while nobody has set it up.'),
    grading: z.object({
      available: z.boolean(),
      reason: z.string().nullable(),
    }),
  })
  .describe('Who came from where, and what they opened.');
export type LtiSession = Told<typeof LtiSession>;

export const UsableAssistant = z
  .object({
    id: z.number(),
    name: z.string(),
    description: z.string(),
    owner_name: z.string(),
    version: z.number(),
    evaluates: z.boolean(),
    tests: Tests,
  })
  .describe('An assistant that an instructor may place.');
export type UsableAssistant = Told<typeof UsableAssistant>;

export const Placed = z
  .object({
    return_url: z.string(),
    jwt: z.string(),
  })
  .describe('What goes back to the platform, signed.');
export type Placed = Told<typeof Placed>;

export const QuestionsOfDay = z.object({
  day: z.string(),
  questions: z.number().nullable().describe('Null where too few asked for a figure to be shown.'),
});
export type QuestionsOfDay = Told<typeof QuestionsOfDay>;

export const AttentionExample = z.object({
  conversation_id: z.string().nullable(),
  question: z.string(),
  why: z.enum(['unanswered', 'sourceless']),
  at: Moment,
});
export type AttentionExample = Told<typeof AttentionExample>;

export const ToolUse = z.object({
  tool: z.string(),
  title: z.string(),
  calls: z.number(),
  failed: z.number(),
});
export type ToolUse = Told<typeof ToolUse>;

export const Dashboard = z.object({
  period: z.object({
    from: z.string(),
    to: z.string(),
  }),
  participants: z.object({
    students: z.number().nullable().describe('Null where so few took part that it is not told.'),
    of: z.number().nullable(),
    suppressed: z.boolean().describe('There is more than is counted.'),
  }),
  questions: z.object({
    total: z.number().nullable(),
    per_day: z.array(QuestionsOfDay),
  }),
  tools: z.array(ToolUse),
  attention: z.object({
    unanswered: z.number().nullable(),
    sourceless: z.number().nullable(),
    examples: z.array(AttentionExample),
  }),
  cost: z.object({
    amount: z.number().nullable(),
    currency: z.string().nullable(),
    prompt_tokens: z.number().nullable(),
    completion_tokens: z.number().nullable(),
  }),
  transcript_policy: TranscriptPolicy,
  small_group: z.boolean(),
});
export type Dashboard = Told<typeof Dashboard>;

export const Speaker = z
  .object({
    label: z.string(),
    number: z.number().nullable(),
  })
  .describe('Somebody by name, or as a number.');
export type Speaker = Told<typeof Speaker>;

export const TranscriptRow = z.object({
  id: z.string(),
  title: z.string(),
  who: Speaker,
  assistant_id: z.number(),
  messages: z.number(),
  started_at: Moment,
  updated_at: Moment,
});
export type TranscriptRow = Told<typeof TranscriptRow>;

export const TranscriptPage = pageOf(TranscriptRow).extend({
  shown: z.boolean(),
  reason: z.enum(['policy_none', 'too_few']).nullable(),
});
export type TranscriptPage = Told<typeof TranscriptPage>;

export const TranscriptMessage = StoredMessage.omit({ run_id: true, steps: true }).describe(
  'Without its run, which leads to whoever asked.',
);
export type TranscriptMessage = Told<typeof TranscriptMessage>;

export const Transcript = TranscriptRow.omit({ messages: true }).extend({
  messages: z.array(TranscriptMessage),
});
export type Transcript = Told<typeof Transcript>;

export const LinkedTo = z.object({ account: LinkedAccount });
export const Consented = z.object({ consent: Consent });

export const OwnData = z
  .object({
    exported_at: Moment,
    name: z.string(),
    activity: Activity.pick({
      ...{ title: true, course_title: true, platform_name: true, transcript_policy: true },
      retention_days: true,
    }),
    participation: z
      .object({ number: z.number(), first_seen_at: Moment, last_seen_at: Moment })
      .exactOptional(),
    consent: Consent.pick({ given_at: true }),
    conversations: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        assistant_name: z.string().nullable(),
        created_at: Moment,
        updated_at: Moment,
        messages: z.array(TranscriptMessage),
      }),
    ),
    submissions: z.array(
      Submission.pick({ text: true, status: true, grade: true, created_at: true, updated_at: true }),
    ),
  })
  .describe('All that is kept about somebody in one activity.');
