import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { createStores } from '../../db/stores.js';
import type { Role } from '../../src/core/access/caller.js';
import {
  type AssistantContent,
  BLANK_CONTENT,
  type ToolCatalogue,
} from '../../src/core/assistants/assistant.js';
import type { RunRecord, RunStep } from '../../src/core/runs/record.js';
import type { Stores, User } from '../../src/core/stores.js';

const PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['simple_rag', 'context'],
  ['rubric_rag', 'rubric'],
  ['single_file_rag', 'file'],
  ['no_rag', 'context'],
  ['weather', 'weather'],
  ['moodle', 'moodle'],
  ['assistant', 'tool_result'],
]);

export const catalogue: ToolCatalogue = { placeholderOf: (type) => PLACEHOLDERS.get(type) };

const FOLDERS = { filesFolder: 'unused', documentsFolder: 'unused', attachmentsFolder: 'unused' };

export const storesOn = (db: Knex): Stores => createStores(db, { ...FOLDERS, catalogue });

export async function aUser(
  stores: Stores,
  facts: { readonly email?: string; readonly organizationId?: number; readonly role?: Role } = {},
): Promise<User> {
  const organizationId = facts.organizationId ?? (await anOrganization(stores));
  const { email = `${randomUUID()}@example.org`, role = 'creator' } = facts;
  return stores.users.create({ organizationId, email, name: 'Ada', role, passwordHash: null });
}

export async function anOrganization(stores: Stores): Promise<number> {
  const { id } = await stores.organizations.create({ slug: randomUUID(), name: 'School', isSystem: false });
  return id;
}

export function content(changes: Partial<AssistantContent> = {}): AssistantContent {
  return {
    ...BLANK_CONTENT,
    name: 'Biology tutor',
    description: 'Answers questions about cells',
    systemPrompt: 'You are a tutor.',
    promptTemplate: '{context}\n\n{user_input}',
    ...changes,
  };
}

export function aToolStep(changes: Partial<RunStep> = {}): RunStep {
  return {
    kind: 'tool',
    ok: true,
    startedAt: '2026-01-02T03:04:05.678Z',
    ms: 12,
    iteration: 1,
    input: { chars: 100, sha256: 'abc' },
    output: { chars: 20, sha256: 'def' },
    ...changes,
  };
}

export function aModelStep(changes: Partial<RunStep> = {}): RunStep {
  const usage = { promptTokens: 30, completionTokens: 5 };
  return aToolStep({ kind: 'model', connector: 'openai', model: 'gpt-4o-mini', usage, ...changes });
}

export function aRun(
  of: { readonly user: User; readonly assistantId: number },
  changes: Partial<RunRecord> = {},
): RunRecord {
  return {
    id: `run_${randomUUID()}`,
    parentRunId: undefined,
    assistantId: of.assistantId,
    assistantVersion: 1,
    organizationId: of.user.organizationId,
    userId: of.user.id,
    via: 'api-key',
    conversationId: undefined,
    activityId: undefined,
    status: 'completed',
    errorCode: undefined,
    startedAt: '2026-01-02T03:04:05.678Z',
    ms: 40,
    iterations: 1,
    capped: false,
    usage: { promptTokens: 30, completionTokens: 5 },
    steps: [aModelStep()],
    ...changes,
  };
}
