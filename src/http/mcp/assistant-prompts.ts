import type { GetPromptResult, Prompt, PromptMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { PreviewRun } from '../../../agents/run/preview.js';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { seenBy } from '../../core/assistants/served.js';
import type { Page, PageRequest } from '../../core/base/ids.js';
import { safeLabel } from '../../core/base/text.js';
import { AppError } from '../../core/errors.js';
import { type Message, textOf } from '../../core/message.js';
import { createAssistantLookup, type LookupDeps } from '../assistants/lookup.js';
import { parseWith } from '../middleware/json-body.js';
import { callName, idAfter } from './assistant-tools.js';
import type { McpCall } from './call.js';

const PREFIX = 'assistant_';

export interface AssistantPromptDeps extends LookupDeps {
  readonly previewRun: PreviewRun;
}

export interface AssistantPrompts {
  /**
   * The questions to begin with of all that the caller may chat with now; and those they may edit as they are made, which
   * nobody else is shown.
   */
  page(caller: Caller, page: PageRequest): Promise<Page<Prompt>>;
  /** Undefined when the caller has no such prompt. */
  get(
    name: string,
    given: unknown,
    call: Omit<McpCall, 'tell' | 'traceparent'>,
  ): Promise<GetPromptResult | undefined>;
}

const Input = z.object({ user_input: z.string().min(1) });

export function createAssistantPrompts(deps: AssistantPromptDeps): AssistantPrompts {
  const { assistants, audit, policy, previewRun } = deps;
  const find = createAssistantLookup(deps);
  const toEdit = (id: number, caller: Caller) => ifAllowed(find.toEdit(id, caller, 'preview'));
  const toSee = (id: number, caller: Caller) =>
    ifAllowed(find.toSee(id, caller, 'read').then((newest) => seenBy(caller, newest, deps)));

  return {
    async page(caller, page) {
      const { role, userId } = caller;
      // Others edit their own alone, so the database need not be asked for what is left out again.
      const offering = role === 'system_admin' || role === 'org_admin' ? {} : { ownOrStarting: userId };
      const filter = { enabled: true, ...offering };
      const { data, nextCursor } = await assistants.list(policy.visibleTo(caller), filter, page);
      const seen = await Promise.all(data.map((each) => seenBy(caller, each, deps)));
      const prompts = seen.map((assistant) => [
        ...(policy.mayEdit(caller, assistant).allowed ? [describe(assistant)] : []),
        ...assistant.starters.map((_, at) => describeStarter(assistant, at)),
      ]);
      return { data: prompts.flat(), nextCursor };
    },
    async get(name, given, { caller, runId, signal }) {
      const [, of, number] = STARTER.exec(name) ?? [];
      if (of !== undefined) return starterPrompt(await toSee(Number(of), caller), Number(number) - 1);
      const id = idAfter(PREFIX, name);
      const assistant = id === undefined ? undefined : await toEdit(id, caller);
      if (!assistant) return undefined;
      const { user_input } = parseWith(Input, given ?? {}, 'The arguments');
      const resource = `assistant ${String(assistant.id)}`;
      await audit.record(deedOf(caller, { action: 'preview', resource, runId }));
      const chat = [{ role: 'user' as const, content: user_input }];
      const { messages } = await previewRun({ runId, assistant, caller, chat, signal });
      return { description: assistant.description, messages: promptMessages(messages) };
    },
  };
}

async function ifAllowed(finding: Promise<Assistant>): Promise<Assistant | undefined> {
  try {
    return await finding;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined;
    throw thrown;
  }
}

function describe({ id, name, description }: Assistant): Prompt {
  return {
    name: `${PREFIX}${String(id)}`,
    title: safeLabel(name),
    description,
    arguments: [{ name: 'user_input', description: 'What the user says', required: true }],
  };
}

const STARTER = /^assistant_([1-9]\d{0,9})_starter_([1-9]\d?)$/;

function describeStarter({ id, name, starters }: Assistant, at: number): Prompt {
  return {
    name: `${PREFIX}${String(id)}_starter_${String(at + 1)}`,
    title: safeLabel(starters[at] ?? ''),
    description: `A question to begin with for ${safeLabel(name)}`,
  };
}

/** The question, and whom to ask: the model of the client is not the assistant it is meant for. */
function starterPrompt(assistant: Assistant | undefined, at: number): GetPromptResult | undefined {
  const question = assistant?.enabled ? assistant.starters[at] : undefined;
  if (!assistant || question === undefined) return undefined;
  const text = `${question}\n\nAsk the assistant "${safeLabel(assistant.name)}", with the tool ${callName(assistant.id)}.`;
  return {
    description: `A question to begin with for ${safeLabel(assistant.name)}`,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** MCP knows no system messages: what they say stands at the head of the first user message. */
function promptMessages(messages: readonly Message[]): PromptMessage[] {
  const instructions = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  const spoken = messages.flatMap((message) =>
    message.role === 'user' || message.role === 'assistant'
      ? [{ role: message.role, text: textOf(message.content) }]
      : [],
  );
  const first = spoken.findIndex(({ role }) => role === 'user');
  return spoken.map(({ role, text }, i) => ({
    role,
    content: { type: 'text', text: i === first ? [...instructions, text].join('\n\n') : text },
  }));
}
