import type { GetPromptResult, Prompt, PromptMessage } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { PreviewRun } from '../../../agents/run/preview.js';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { Page, PageRequest } from '../../core/base/ids.js';
import { safeLabel } from '../../core/base/text.js';
import { AppError } from '../../core/errors.js';
import { type Message, textOf } from '../../core/message.js';
import { createAssistantLookup, type LookupDeps } from '../assistants/lookup.js';
import { parseWith } from '../middleware/json-body.js';
import { idAfter } from './assistant-tools.js';
import type { McpCall } from './call.js';

const PREFIX = 'assistant_';

export interface AssistantPromptDeps extends LookupDeps {
  readonly previewRun: PreviewRun;
}

export interface AssistantPrompts {
  /** Those the caller may edit now: a prompt shows how an assistant is made. */
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
  const toEdit = async (id: number, caller: Caller) => {
    try {
      return await find.toEdit(id, caller, 'preview');
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.status < 500) return undefined;
      throw thrown;
    }
  };

  return {
    async page(caller, page) {
      const { role, email: owner } = caller;
      // Others edit their own alone, so the database need not be asked for what is left out again.
      const filter = role === 'system_admin' || role === 'org_admin' ? {} : { owner };
      const { data, nextCursor } = await assistants.list(policy.visibleTo(caller), filter, page);
      const editable = data.filter(
        (assistant) => assistant.enabled && policy.mayEdit(caller, assistant).allowed,
      );
      return { data: editable.map(describe), nextCursor };
    },
    async get(name, given, { caller, runId, signal }) {
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

function describe({ id, name, description }: Assistant): Prompt {
  return {
    name: `${PREFIX}${String(id)}`,
    title: safeLabel(name),
    description,
    arguments: [{ name: 'user_input', description: 'What the user says', required: true }],
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
