import { z } from 'zod';
import { Avatar } from './assistants.js';
import { Moment, type Told } from './common.js';

/** What the routes of users, organisations, keys and the audit log answer with. */

export const Role = z.enum(['student', 'creator', 'org_admin', 'system_admin']);
export type Role = Told<typeof Role>;

export const User = z.object({
  id: z.number(),
  email: z.string(),
  name: z.string(),
  role: Role,
  organization_id: z.number(),
});
export type User = Told<typeof User>;

export const Me = User.extend({
  via: z.string().describe('What they have shown who they are with.'),
  organization_name: z.string().nullable(),
}).describe('Who is signed in.');
export type Me = Told<typeof Me>;

export const Account = User.extend({
  enabled: z.boolean(),
});
export type Account = Told<typeof Account>;

export const Organization = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
});
export type Organization = Told<typeof Organization>;

export const ApiKey = z.object({
  id: z.number(),
  name: z.string(),
  prefix: z.string(),
  trusted_proxy: z.boolean(),
  expires_at: Moment.nullable(),
  created_at: Moment,
});
export type ApiKey = Told<typeof ApiKey>;

export const MadeApiKey = ApiKey.extend({ key: z.string().describe('It is never shown again.') });

export const SignedIn = z.object({
  token: z.string(),
  expires_at: Moment,
  user: User,
});
export type SignedIn = Told<typeof SignedIn>;

export const AuditRow = z.object({
  id: z.number(),
  at: Moment,
  user_id: z.number().nullable(),
  user_email: z.string().nullable(),
  organization_id: z.number().nullable(),
  action: z.string(),
  resource: z.string(),
  outcome: z.enum(['done', 'denied']),
  reason: z.string(),
  run_id: z.string().nullable(),
});
export type AuditRow = Told<typeof AuditRow>;

export const ProviderFacts = z
  .object({
    name: z.string(),
    title: z.string(),
    base_url: z
      .string()
      .describe('Where it listens unless told otherwise; empty where everybody has an address of their own.'),
    fields: z
      .array(z.enum(['api_key', 'base_url']))
      .describe('What its form asks for; none where it has no form.'),
    embeddings_model: z
      .string()
      .nullable()
      .describe('The model to begin with for vectors; null where it makes none.'),
    reranker_model: z
      .string()
      .nullable()
      .describe('An example of a model that orders passages; null where it, and servers like it, do not.'),
  })
  .describe('Whoever runs models, as its connector declares it: the same for every organisation.');
export type ProviderFacts = Told<typeof ProviderFacts>;

export const DemoAssistant = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  avatar: Avatar,
});
export type DemoAssistant = Told<typeof DemoAssistant>;

export const Setup = z
  .object({
    organization_id: z.number(),
    may_administer: z.boolean(),
    providers: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        configured: z.boolean(),
        models: z.number(),
      }),
    ),
    default_model: z
      .object({
        connector: z.string().nullable(),
        model: z.string().nullable(),
        is_demo: z.boolean(),
      })
      .describe('What answers for an assistant that names nobody.'),
    embeddings: z.string().nullable(),
    knowledge_base_server: z.boolean(),
    moodle: z.boolean(),
    assistants: z.object({
      own: z.number(),
      visible: z.number(),
    }),
    collections: z.number(),
    rubrics: z.number(),
    demo_assistants: z.array(DemoAssistant),
  })
  .describe("What is there to work with in the caller's organisation, and what is missing.");
export type Setup = Told<typeof Setup>;

export const ProviderState = z
  .object({
    name: z.string(),
    title: z.string(),
    circuit: z
      .enum(['closed', 'open', 'half_open'])
      .describe('`half_open` when the next question is the one that tries it out.'),
    retry_at: Moment.nullable(),
  })
  .describe('Whether a provider is asked: not for a while after it has failed again and again.');
export type ProviderState = Told<typeof ProviderState>;

export const ConnectionTest = z
  .object({
    ok: z.boolean(),
    ms: z.number(),
    models: z.array(z.string()).nullable(),
    message: z.string(),
  })
  .describe('Whether a model provider answers.');
export type ConnectionTest = Told<typeof ConnectionTest>;

export const MoodleFinding = z.enum([
  'answers',
  'unreachable',
  'token_refused',
  'account_off',
  'services_off',
  'moved',
  'maintenance',
  'given',
  'found',
  'not_found',
  'several',
  'shown',
  'none',
  'all_missing',
  'some_missing',
  'hidden',
  'left_out',
  'separate_groups',
  'refused',
  'not_in_service',
  'unknown',
]);
export type MoodleFinding = Told<typeof MoodleFinding>;

export const MoodleCheck = z
  .object({
    ok: z.boolean(),
    ms: z.number(),
    user_id: z.number().nullable().describe('Who was asked about; null where they were not found.'),
    checks: z.array(
      z.object({
        name: z.enum(['connection', 'person', 'courses', 'assignments', 'grades', 'deadlines']),
        ok: z.boolean().nullable().describe('Null where it could not be told.'),
        finding: MoodleFinding,
        missing: z.array(z.string()),
        function: z.string().nullable(),
        message: z.string(),
      }),
    ),
  })
  .describe("What Moodle shows of one student, and what its token's user lacks.");
export type MoodleCheck = Told<typeof MoodleCheck>;

export const LocalModelState = z.object({
  name: z.string(),
  title: z.string(),
  is_usual: z.boolean().describe('The one that `local` alone means.'),
  languages: z.array(z.string()),
  dimensions: z.number(),
  licence: z.string(),
  download_bytes: z.number(),
  disk_bytes: z.number(),
  state: z.enum(['absent', 'installing', 'installed', 'failed']),
  done_bytes: z.number().exactOptional().describe('While it is being installed.'),
  reason: z
    .enum(['registry_unreachable', 'not_in_registry', 'npm_missing', 'wrong_content', 'disk_full', 'failed'])
    .exactOptional()
    .describe('Why it failed.'),
});
export type LocalModelState = Told<typeof LocalModelState>;

export const SearchState = z
  .object({
    default_embeddings: z
      .string()
      .describe('What the service uses where an organisation has not chosen, as EMBEDDINGS says.'),
    model: z
      .string()
      .nullable()
      .describe('Whose vectors are in use; null where passages are found by their words alone.'),
    documents: z.object({
      total: z.number(),
      embedded: z.number().describe('With vectors of that model.'),
      waiting: z.number().describe('Queued for their vectors, or just getting them.'),
    }),
    local_models: z.array(LocalModelState),
    may_install: z.boolean(),
  })
  .describe("How an organisation's documents are searched, and how far that is.");
export type SearchState = Told<typeof SearchState>;

export const EmbeddingsTest = z
  .object({
    ok: z.boolean(),
    ms: z.number(),
    dimensions: z.number().nullable(),
    languages: z
      .array(
        z.object({
          language: z.string(),
          similar: z.number(),
          different: z.number(),
          is_closer: z.boolean(),
        }),
      )
      .describe(
        'In each language: how near a question is to its answer, and to a sentence about something else.',
      ),
    message: z.string().describe('Why not; empty where it answered.'),
  })
  .describe('Whether a model makes vectors that can be searched by.');
export type EmbeddingsTest = Told<typeof EmbeddingsTest>;

export const RerankerTest = z
  .object({
    ok: z.boolean(),
    ms: z.number(),
    is_right: z.boolean(),
    message: z.string(),
  })
  .describe('Whether a reranker puts the sentence that answers first.');
export type RerankerTest = Told<typeof RerankerTest>;

const ConfigWarnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .describe('Keys that nothing here knows.');
export const MadeOrganization = Organization.extend({ warnings: ConfigWarnings.exactOptional() });
export const ChangedConfig = z
  .looseObject({ warnings: ConfigWarnings })
  .describe('What is set up now, with secrets masked.');

export const Installing = z.object({ name: z.string(), state: z.literal('installing') });
