/** The rows of a large installation, made by the database itself: SQL that SQLite and PostgreSQL both understand. */

export interface Sizes {
  readonly organizations: number;
  readonly users: number;
  readonly apiKeys: number;
  readonly assistants: number;
  readonly shares: number;
  readonly rubrics: number;
  readonly promptTemplates: number;
  readonly collections: number;
  readonly documents: number;
  readonly conversations: number;
  readonly runs: number;
  readonly ledgerRows: number;
  /** Of one assistant. */
  readonly versions: number;
  /** In one conversation. */
  readonly messages: number;
}

/** The first id of each table that was filled, and who is who among the users. */
export interface Places {
  readonly organization: number;
  readonly user: number;
  readonly busy: number;
  readonly quiet: number;
  readonly assistant: number;
}

const MESSAGES_EACH = 4;
const STEPS_EACH = 3;
const SECONDS_APART = 29;
const DAY = 86_400;
const SPACED =
  'Answer in the words of the course, name your sources, and ask back when a question is unclear. ';

/** Numbers from 0: `n.i`. */
const count = (howMany: number) =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${String(howMany - 1)})`;
const padded = (value: string, digits: number) =>
  `substr(CAST(${String(10 ** digits)} + (${value}) AS TEXT), 2)`;
/** Unique for different values, in no order, as random ids are. */
const scattered = (value: string) => padded(`((${value}) * 48271) % 99999989`, 8);
/** A time that grows with the number, in a calendar of months of 28 days. */
function timeAt(value: string): string {
  const t = `((${value}) * ${String(SECONDS_APART)})`;
  const date = [
    `CAST(2024 + ${t} / ${String(DAY * 336)} AS TEXT)`,
    padded(`1 + ${t} / ${String(DAY * 28)} % 12`, 2),
    padded(`1 + ${t} / ${String(DAY)} % 28`, 2),
  ];
  const time = [`${t} / 3600 % 24`, `${t} / 60 % 60`, `${t} % 60`].map((part) => padded(part, 2));
  return `${date.join(" || '-' || ")} || 'T' || ${time.join(" || ':' || ")} || '.000Z'`;
}

const text = (value: string) => `'${value}'`;
const prompt = (times: number) => text(SPACED.repeat(times));

export const organizations = ({ organizations }: Sizes) =>
  `INSERT INTO organizations (slug, name, is_system, config, created_at, updated_at)
   ${count(organizations)}
   SELECT 'large-' || i, 'School ' || i, (i < 0), '{}', ${timeAt('i')}, ${timeAt('i')} FROM n`;

/** Number 0 administers the first organisation, 1 is the busy one in it, the last is alone in the last one. */
export const users = ({ users, organizations }: Sizes, place: Pick<Places, 'organization'>) =>
  `INSERT INTO users (organization_id, email, name, role, enabled, created_at, updated_at)
   ${count(users)}
   SELECT ${String(place.organization)} + CASE WHEN i = ${String(users - 1)} THEN ${String(organizations - 1)}
            WHEN i < 2 THEN 0 ELSE i % ${String(organizations - 1)} END,
          'person-' || i || '@large.example', 'Person ' || i,
          CASE WHEN i = 0 THEN 'org_admin' WHEN i % 3 = 2 THEN 'student' ELSE 'creator' END,
          (i % 50 <> 49 OR i = ${String(users - 1)}), ${timeAt('i')}, ${timeAt('i')} FROM n`;

/** Somebody for each number: every fifth is the busy one's, number 3 the quiet one's, the others everybody else's. */
const somebody = ({ users }: Sizes, { user, busy, quiet }: Places, number = 'n.i') =>
  `users ON users.id = CASE WHEN ${number} % 5 = 0 THEN ${String(busy)} WHEN ${number} = 3 THEN ${String(quiet)} ELSE ${String(user)} + (${number} * 7) % ${String(users - 1)} END`;

export const apiKeys = (sizes: Sizes, places: Places) =>
  `INSERT INTO api_keys (user_id, name, prefix, hash, trusted_proxy, created_at)
   ${count(sizes.apiKeys)}
   SELECT users.id, 'Key ' || i, 'bw_0000', 'no key has this hash ' || i, (i < 0), ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)}`;

/** One in four is published, one in forty to everyone; one in a hundred is deleted. */
export const assistants = (sizes: Sizes, places: Places) =>
  `INSERT INTO assistants (organization_id, owner_id, name, description, system_prompt, prompt_template, metadata,
     rag_collections, published, publish_scope, enabled, assistant_type, version, deleted_at,
     created_at, updated_at)
   ${count(sizes.assistants)}
   SELECT users.organization_id, users.id, 'Assistant ' || i, 'Helps with course ' || (i % 300),
     ${prompt(16)} || i, '{context} {user_input}',
     CASE i % 10 WHEN 0 THEN '{"_format_version":2,"connector":"openai","llm":"bench","capabilities":{"vision":true},"tools":[{"type":"weather","mode":"function","enabled":true,"config":{}}]}'
       WHEN 1 THEN '{"_format_version":2,"connector":"openai","llm":"bench","tools":[{"type":"single_file_rag","enabled":true,"config":{"file_path":"notes.md"}}]}'
       ELSE '{"connector":"openai","llm":"bench","prompt_processor":"simple_augment","rag_processor":"no_rag","file_path":"","capabilities":{"vision":false,"image_generation":false}}' END,
     '', (i % 4 = 0), CASE WHEN i % 40 = 0 THEN 'everyone' ELSE 'organization' END, (i % 60 <> 59),
     CASE i % 10 WHEN 0 THEN 'orchestrator' WHEN 1 THEN 'multi_tool' ELSE 'classic' END,
     1,
     CASE WHEN i % 100 = 99 THEN ${timeAt('i')} END, ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)} ORDER BY i`;

export const firstVersions = ({ assistants }: Sizes, { assistant }: Places) =>
  `INSERT INTO assistant_versions (assistant_id, version, content, content_hash, author_id, created_at)
   SELECT id, 1, '{"name":"Assistant","metadata":null}', 'hash of ' || id, owner_id, created_at FROM assistants
   WHERE id BETWEEN ${String(assistant)} AND ${String(assistant + assistants - 1)}`;

/** The first assistant, which is the busy one's, was changed often. */
export const laterVersions = ({ versions }: Sizes, { assistant, busy }: Places) =>
  `INSERT INTO assistant_versions (assistant_id, version, content, content_hash, author_id, created_at)
   ${count(versions - 1)}
   SELECT ${String(assistant)}, i + 2, '{"name":"Assistant","metadata":null,"system_prompt":"' || ${prompt(16)} || '"}',
     'hash ' || i, ${String(busy)}, ${timeAt('i')} FROM n`;

/** The first assistant is shared with everybody; the others with the busy one and here and there. */
export const shares = ({ shares, users, assistants }: Sizes, { assistant, user, busy }: Places) =>
  `INSERT INTO assistant_shares (assistant_id, user_id, shared_by, created_at)
   ${count(shares)}
   SELECT DISTINCT ${String(assistant)} + CASE WHEN i < ${String(users)} THEN 0 ELSE (i * 31) % ${String(assistants)} END,
     CASE WHEN i < ${String(users)} THEN ${String(user)} + i WHEN i % 10 = 0 THEN ${String(busy)} ELSE ${String(user)} + (i * 7) % ${String(users - 1)} END,
     ${String(busy)}, ${text('2026-01-01T00:00:00.000Z')} FROM n`;

export const rubrics = (sizes: Sizes, places: Places) =>
  `INSERT INTO rubrics (id, organization_id, owner_id, title, description, data, is_public, created_at, updated_at)
   ${count(sizes.rubrics)}
   SELECT 'rubric-' || ${scattered('i')}, users.organization_id, users.id, 'Rubric ' || i, 'For course ' || (i % 300),
     '{"criteria":[],"note":"' || ${prompt(16)} || '"}', (i % 4 = 0), ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)}`;

export const promptTemplates = (sizes: Sizes, places: Places) =>
  `INSERT INTO prompt_templates (organization_id, owner_id, name, description, system_prompt, prompt_template,
     is_shared, created_at, updated_at)
   ${count(sizes.promptTemplates)}
   SELECT users.organization_id, users.id, 'Template ' || i, 'For course ' || (i % 300), ${prompt(16)},
     '{user_input}', (i % 4 = 0), ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)}`;

export const collections = (sizes: Sizes, places: Places) =>
  `INSERT INTO collections (id, organization_id, owner_id, name, description, is_shared, place, created_at, updated_at)
   ${count(sizes.collections)}
   SELECT 'collection-' || ${scattered('i')}, users.organization_id, users.id, 'Collection ' || i,
     'For course ' || (i % 300), (i % 4 = 0), 'here', ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)}`;

/** In a few of the collections, so that these are large; one in fifty waits to be read. */
export const documents = (sizes: Sizes) =>
  `INSERT INTO documents (id, collection_seq, owner_id, filename, bytes, sha256, status, stage, progress, passages,
     language, edition, work, queued_at, created_at, updated_at)
   ${count(sizes.documents)}
   SELECT 'document-' || ${scattered('i')}, collections.seq, collections.owner_id, 'chapter ' || i || '.pdf', 100000,
     'sha-' || i, CASE i % 50 WHEN 0 THEN 'queued' ELSE 'ready' END, CASE i % 50 WHEN 0 THEN 'waiting' ELSE 'done' END,
     100, 40, 'en', CASE i % 50 WHEN 0 THEN NULL ELSE i END, CASE i % 50 WHEN 0 THEN 'ingest' END,
     ${timeAt('i')}, ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN collections ON collections.id = 'collection-' || ${scattered('i % 20')}`;

export const conversations = (sizes: Sizes, places: Places) =>
  `INSERT INTO conversations (id, user_id, assistant_id, title, created_at, updated_at)
   ${count(sizes.conversations)}
   SELECT 'conversation-' || ${scattered('i')}, users.id, ${String(places.assistant)} + i % ${String(sizes.assistants)},
     'Question ' || i, ${timeAt('i')}, ${timeAt('i')}
   FROM n JOIN ${somebody(sizes, places)}`;

const aMessage = `'"' || ${prompt(2)} || '"'`;

export const messages = ({ conversations }: Sizes) =>
  `INSERT INTO messages (conversation_id, role, content, run_id, incomplete, created_at)
   ${count(conversations * MESSAGES_EACH)}
   SELECT 'conversation-' || ${scattered(`i / ${String(MESSAGES_EACH)}`)},
     CASE i % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, ${aMessage}, NULL, (i < 0), ${timeAt('i')} FROM n`;

/** The first conversation, which is the busy one's, is long. */
export const longConversation = ({ messages }: Sizes) =>
  `INSERT INTO messages (conversation_id, role, content, run_id, incomplete, created_at)
   ${count(messages - MESSAGES_EACH)}
   SELECT 'conversation-' || ${scattered('0')}, CASE i % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, ${aMessage},
     NULL, (i < 0), ${timeAt('i')} FROM n`;

export const LONG_CONVERSATION = 'conversation-00000000';

export const runs = (sizes: Sizes, places: Places) =>
  `INSERT INTO runs (id, assistant_id, assistant_version, organization_id, user_id, via, status, started_at, ms,
     iterations, capped, prompt_tokens, completion_tokens, estimated)
   ${count(sizes.runs)}
   SELECT 'run_' || ${scattered('i')}, ${String(places.assistant)} + i % ${String(sizes.assistants)}, 1,
     users.organization_id, users.id, 'api-key', 'completed', ${timeAt('i')}, 900, 1, (i < 0), 700, 120, (i < 0)
   FROM n JOIN ${somebody(sizes, places)}`;

export const runSteps = ({ runs }: Sizes) =>
  `INSERT INTO run_steps (run_id, position, kind, tool, ok, started_at, ms, iteration, input_chars, input_sha256,
     output_chars, output_sha256, connector, model, prompt_tokens, completion_tokens, estimated)
   ${count(runs * STEPS_EACH)}
   SELECT 'run_' || ${scattered(`i / ${String(STEPS_EACH)}`)}, i % ${String(STEPS_EACH)},
     CASE i % 3 WHEN 1 THEN 'tool' ELSE 'model' END, CASE i % 3 WHEN 1 THEN 'weather' END, (i >= 0), ${timeAt('i / 3')},
     300, 1, 900, ${text('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')}, 400,
     ${text('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')}, CASE i % 3 WHEN 1 THEN NULL ELSE 'openai' END,
     CASE i % 3 WHEN 1 THEN NULL ELSE 'bench' END, CASE i % 3 WHEN 1 THEN NULL ELSE 350 END,
     CASE i % 3 WHEN 1 THEN NULL ELSE 60 END, CASE i % 3 WHEN 1 THEN NULL ELSE (i < 0) END FROM n`;

/** Two calls of a model for each run, on its day and its speaker's. */
export const ledger = (sizes: Sizes, places: Places) =>
  `INSERT INTO usage_ledger (run_id, organization_id, user_id, assistant_id, connector, model, prompt_tokens,
     completion_tokens, estimated, created_at)
   ${count(sizes.ledgerRows)}
   SELECT 'run_' || ${scattered('i / 2')}, users.organization_id, users.id,
     ${String(places.assistant)} + (i / 2) % ${String(sizes.assistants)}, 'openai', 'bench', 350, 60, (i < 0), ${timeAt('i / 2')}
   FROM n JOIN ${somebody(sizes, places, '(n.i / 2)')}`;
