import bcrypt from 'bcryptjs';
import type { LambRows } from './lamb-database.js';

/** What the people of the school type to sign in. Hashed cheaply: what it costs is not what is tested. */
export const LAMB_PASSWORD = 'the old pass phrase 7';
const HASH = bcrypt.hashSync(LAMB_PASSWORD, 4);

/** 2024-05-17T12:00:00Z, in seconds. */
const AT = 1_715_947_200;
const times = { created_at: AT, updated_at: AT + 60 };

export const SECRET = 'sk-lamb-canary-0123456789';
export const BROKEN = '{"llm": "gpt-4o",, ';
export const SPACED = '{ "connector" :"bypass",  "llm": "simple-bypass", "custom": 12345678901234567890 }\n';

const config = (name: string) =>
  JSON.stringify({
    version: '1.0',
    setups: {
      default: {
        name,
        providers: { openai: { api_key: SECRET, base_url: 'https://models.test/v1', models: ['m'] } },
      },
    },
    features: { signup_enabled: true, signup_key: SECRET },
  });

const organizations = [
  { id: 1, slug: 'lamb', name: 'LAMB System', is_system: 1, config: config('system'), ...times },
  { id: 2, slug: 'biology', name: 'Biology', is_system: 0, config: config('biology'), ...times },
  { id: 3, slug: 'closed', name: 'Closed', is_system: 0, status: 'suspended', config: 'no JSON', ...times },
  { id: 4, slug: 'default', name: 'Not ours', is_system: 0, config: '{}', ...times },
  { id: 5, slug: '  ', name: 'Nameless', is_system: 0, config: '{}', ...times },
];

const user = (id: number, organization_id: number | null, name: string, more: object = {}) => ({
  id,
  organization_id,
  user_email: `${name}@school.test`,
  user_name: name,
  password_hash: HASH,
  ...times,
  ...more,
});

const people = [
  user(1, 1, 'root', { role: 'admin' }),
  user(2, 2, 'Ada'),
  user(3, 2, 'head'),
  user(4, 2, 'pupil', { user_type: 'end_user' }),
  user(5, 2, 'gone', { enabled: 0 }),
  user(6, 2, 'lti', { password_hash: null, auth_provider: 'lti_creator', lti_user_id: '77' }),
  user(7, 3, 'shut'),
  user(8, 99, 'stray'),
  user(9, null, 'early', { password_hash: 'md5:0123' }),
  user(10, 2, '', { user_email: '  ' }),
  user(11, 2, 'twin', { user_email: 'ADA@school.test ' }),
];

const organization_roles = [
  { id: 1, organization_id: 1, user_id: 1, role: 'owner' },
  { id: 2, organization_id: 2, user_id: 3, role: 'admin' },
  { id: 3, organization_id: 2, user_id: 2, role: 'member' },
  { id: 4, organization_id: 4, user_id: 2, role: 'owner' },
  { id: 5, organization_id: 99, user_id: 8, role: 'owner' },
];

const assistant = (id: number, api_callback: string | null, more: object = {}) => ({
  id,
  organization_id: 2,
  name: `2_assistant_${String(id)}`,
  description: `Number ${String(id)}`,
  owner: 'ada@school.test',
  api_callback,
  system_prompt: 'You are kind.',
  prompt_template: 'Q: {user_input}',
  RAG_endpoint: '',
  RAG_Top_k: 3,
  RAG_collections: '',
  ...times,
  ...more,
});

const bypass = {
  prompt_processor: 'simple_augment',
  connector: 'bypass',
  llm: 'simple-bypass',
  rag_processor: 'no_rag',
};
const asks = (...ids: readonly (number | string)[]) =>
  JSON.stringify({
    ...bypass,
    tools: ids.map((id) => ({ type: 'assistant', name: `ask_${String(id)}`, assistant_id: id })),
  });

const assistants = [
  assistant(40, asks(41, 42)),
  assistant(41, JSON.stringify(bypass), { RAG_collections: '7, ,8,,', RAG_Top_k: 5 }),
  assistant(42, SPACED, { owner: 'ADA@School.test' }),
  assistant(43, '', { description: null, prompt_template: null }),
  assistant(44, BROKEN),
  assistant(45, null, { owner: 'nobody@school.test' }),
  assistant(46, '{}', { owner: 'deleted_assistant@owi.com', name: '2_x_deleted_1715947200' }),
  assistant(47, '{}', { name: '2_y_deleted_1715947201' }),
  assistant(48, '{}', { owner: '' }),
  assistant(49, asks(46, '40', 49)),
  assistant(50, '[1]', { organization_id: 77, RAG_Top_k: 99_999_999_999 }),
];

const assistant_publish = [
  { assistant_id: 40, oauth_consumer_name: 'consumer_40', created_at: AT },
  { assistant_id: 41, oauth_consumer_name: null, created_at: AT },
  { assistant_id: 42, oauth_consumer_name: 'null', created_at: AT },
];

const assistant_shares = [
  { id: 1, assistant_id: 41, shared_with_user_id: 3, shared_by_user_id: 2, shared_at: AT },
  { id: 2, assistant_id: 41, shared_with_user_id: 6, shared_by_user_id: 88, shared_at: AT },
  { id: 3, assistant_id: 46, shared_with_user_id: 3, shared_by_user_id: 2, shared_at: AT },
  { id: 4, assistant_id: 41, shared_with_user_id: 88, shared_by_user_id: 2, shared_at: AT },
];

export const RUBRIC_DATA =
  '{"title":"Essay", "criteria":[{"id":"c1","name":"Style","weight":100,"levels":[]}]}';
const rubric = (id: number, rubric_id: string | null, more: object = {}) => ({
  id,
  rubric_id,
  organization_id: 2,
  owner_email: 'ada@school.test',
  title: 'Essay',
  description: null,
  rubric_data: RUBRIC_DATA,
  is_public: 1,
  ...times,
  ...more,
});

const rubrics = [
  rubric(1, '6f9f2f6e-0000-4000-8000-000000000001'),
  rubric(2, '6f9f2f6e-0000-4000-8000-000000000002', { rubric_data: '{"criteria": []}', is_public: 0 }),
  rubric(3, '6f9f2f6e-0000-4000-8000-000000000003', { rubric_data: BROKEN }),
  rubric(4, null),
  rubric(5, '6f9f2f6e-0000-4000-8000-000000000005', { owner_email: 'nobody@school.test' }),
];

const template = (id: number, name: string, more: object = {}) => ({
  id,
  organization_id: 2,
  owner_email: 'ada@school.test',
  name,
  system_prompt: 'Ask back.',
  prompt_template: '{user_input}',
  is_shared: 1,
  ...times,
  ...more,
});

const prompt_templates = [
  template(1, 'Socratic', { description: 'Asks back' }),
  template(2, 'Private', { is_shared: 0 }),
  template(3, 'Socratic', { organization_id: 4 }),
  template(4, ''),
];

const kb = (id: number, kb_id: string | null, more: object = {}) => ({
  id,
  kb_id,
  kb_name: 'Cells',
  owner_user_id: 2,
  organization_id: 2,
  is_shared: 1,
  metadata: '{"language": "en"}',
  ...times,
  ...more,
});

const kb_registry = [
  kb(1, '7'),
  kb(2, '8', { metadata: BROKEN }),
  kb(3, '9', { owner_user_id: 88 }),
  kb(4, ' '),
];

const spoken = (...messages: readonly string[]) =>
  JSON.stringify(messages.map((content) => ({ role: 'user', content })));
const testScenario = (id: string, messages: string, more: object = {}) => ({
  id,
  assistant_id: 41,
  title: `Scenario ${id}`,
  messages,
  expected_behavior: 'It asks back.',
  created_by: 'ada@school.test',
  ...more,
});
const assistant_test_scenarios = [
  testScenario('s1', spoken('What is a cell?', 'And its nucleus?'), { scenario_type: 'multi_turn' }),
  testScenario('s2', '[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"}]'),
  testScenario('s3', spoken('Hello'), { expected_behavior: '' }),
  testScenario('s4', spoken('Hello'), { assistant_id: 999 }),
  testScenario('s5', BROKEN),
  testScenario('s6', '[{"role":"system","content":"Be kind."}]'),
  testScenario('s7', spoken('a'.repeat(10_001))),
];

const log = (id: number, assistant_id: number | null, usage_data: string) => ({
  id,
  assistant_id,
  usage_data,
  created_at: AT,
});
const usage_logs = [
  log(1, 41, '{"prompt_tokens": 1, "completion_tokens": 1}'),
  log(2, 42, '{"prompt_tokens": 10, "completion_tokens": 5}'),
  log(3, 42, '{"prompt_tokens": -1, "completion_tokens": "7"}'),
  log(4, 42, BROKEN),
  log(5, null, '{"prompt_tokens": 10}'),
  log(6, 46, '{"prompt_tokens": 10}'),
];
const assistant_usage_totals = [
  { assistant_id: 40, prompt_tokens_total: 3_000_000_000, completion_tokens_total: 20, updated_at: AT },
  {
    assistant_id: 41,
    prompt_tokens_total: 100,
    completion_tokens_total: 50,
    cost_usd_total: 0.5,
    updated_at: AT,
  },
  { assistant_id: 43, prompt_tokens_total: 0, completion_tokens_total: 0, updated_at: AT },
];

/** One installation with everything that real ones have, odd rows included. */
export const SCHOOL: LambRows = {
  organizations,
  Creator_users: people,
  organization_roles,
  assistants,
  assistant_publish,
  assistant_shares,
  rubrics,
  prompt_templates,
  kb_registry,
  assistant_test_scenarios,
  usage_logs,
  assistant_usage_totals,
};

/** Added to it last, so that LAMB has not folded it into its file yet. */
export const LATEST: LambRows = {
  Creator_users: [user(20, 2, 'late')],
  assistants: [assistant(60, JSON.stringify(bypass), { owner: 'late@school.test' })],
  assistant_publish: [{ assistant_id: 60, oauth_consumer_name: 'consumer_60', created_at: AT }],
};
