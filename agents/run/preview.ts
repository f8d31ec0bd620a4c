import type { Caller } from '../../src/core/access/caller.js';
import type { Assistant } from '../../src/core/assistants/assistant.js';
import type { FunctionSpec } from '../../src/core/connector.js';
import { AppError, timedOut } from '../../src/core/errors.js';
import type { ChatMessage, Message } from '../../src/core/message.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { createSourceList } from '../gate/citations.js';
import { contextsOf, runPlaceholders, textsOf } from '../gate/fill-placeholders.js';
import type { ToolOutcome } from '../gate/invocation.js';
import { openToolbox } from '../gate/toolbox.js';
import { type PromptPart, promptParts } from '../prompt/parts.js';
import { type Drafted, draftedAssistant, draftedNow } from './find-assistant.js';
import { type PreparedRun, prepareRun, type RunDeps } from './prepare.js';
import { previewWarnings, type WarningDetail } from './preview-warnings.js';
import { beforeTools, composeRun, knownPlaceholders } from './processor.js';

export interface PreviewRequest extends Drafted {
  readonly runId: string;
  readonly caller: Caller;
  readonly chat: readonly ChatMessage[];
  readonly signal: AbortSignal;
}

/** What the model would read first, and what each tool put into it. */
export interface Preview {
  readonly messages: readonly Message[];
  readonly functions: readonly FunctionSpec[];
  readonly placeholders: readonly {
    readonly name: string;
    readonly tool: string;
    readonly chars: number;
    readonly tokens: number;
  }[];
  readonly warnings: readonly string[];
  /** The same warnings, one by one, as facts for pages that say them in their reader's language. */
  readonly warning_details: readonly WarningDetail[];
  /** What takes how much room, in the order it is read. */
  readonly parts: readonly {
    readonly part: PromptPart['part'];
    readonly name?: string;
    readonly chars: number;
    readonly tokens: number;
  }[];
  /** Of all parts together. */
  readonly total_tokens: number;
}

export type PreviewRun = (request: PreviewRequest) => Promise<Preview>;

export interface PreviewDeps extends RunDeps {
  readonly countTokens: (text: string) => Promise<number>;
}

/** A run up to its model: the same preparation, the same gate, the same composition; no model is asked. */
export function createPreviewRun(deps: PreviewDeps): PreviewRun {
  return async (request) => {
    const assistant = await draftedAssistant(request, deps.onAccess);
    const run = await prepareRun(partsOf({ ...request, assistant: withoutEnding(assistant) }, deps), deps);
    try {
      return await look(run, assistant, deps);
    } catch (thrown) {
      throw run.deadline.expired() ? timedOut('The preview') : thrown;
    } finally {
      run.deadline.dispose();
    }
  };
}

async function look(run: PreparedRun, assistant: Assistant, deps: PreviewDeps): Promise<Preview> {
  const { ctx } = run;
  const toolbox = await openToolbox(deps.plugins.tools, ctx);
  // No model is asked for a preview, not even a small one.
  const { chatForTools: chat = ctx.chat, contexts: own } = await beforeTools({ ...run, small: undefined });
  const missed = new Set<string>();
  const askSmallModel: RunContext['askSmallModel'] = ({ tool, purpose }) => {
    const isDoneElsewhere = purpose === 'rerank' && ctx.settings.reranker !== undefined;
    if (!run.small && !isDoneElsewhere) missed.add(tool);
    return Promise.resolve(undefined);
  };
  const outcomes = await runPlaceholders(toolbox.placeholders, {
    ...{ ...ctx, chat, askSmallModel, mayRerank: false },
  });
  const texts = textsOf(toolbox.placeholders, outcomes, createSourceList());
  const contexts = new Map([...(own ?? []), ...contextsOf(toolbox.placeholders, texts)]);
  const functions = toolbox.specs;
  const messages = composeRun(run, { contexts, functions }, deps.plugins);
  const count = countingOnce(deps.countTokens);

  const filled = toolbox.placeholders.map((tool, i) => ({ tool, outcome: outcomes[i] as ToolOutcome }));
  const placeholders = [];
  for (const [i, { placeholder: name, entry }] of toolbox.placeholders.entries()) {
    const text = texts[i] ?? '';
    placeholders.push({
      name,
      tool: entry.type,
      chars: text.length,
      tokens: await count(text),
    });
  }
  const found = await previewWarnings({
    ...{ assistant, toolbox, own, filled, missed, ctx },
    plugins: deps.plugins,
  });
  const { teaching } = run;
  const composed = { assistant, chat: ctx.chat, contexts, functions, messages, teaching };
  const parts = await Promise.all(
    promptParts({ ...composed, knownPlaceholders: knownPlaceholders(deps.plugins) }).map(
      async ({ text, ...part }) => ({ ...part, chars: text.length, tokens: await count(text) }),
    ),
  );
  const total_tokens = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const warnings = found.map(({ message }) => message);
  const warning_details = found.map(({ message: _message, ...detail }) => detail);
  return { messages, functions, placeholders, warnings, warning_details, parts, total_tokens };
}

/** What a tool brought is a part of the prompt as well, and may be long. */
function countingOnce(countTokens: PreviewDeps['countTokens']): PreviewDeps['countTokens'] {
  const counted = new Map<string, Promise<number>>();
  return (text) => {
    const known = counted.get(text) ?? countTokens(text);
    counted.set(text, known);
    return known;
  };
}

function notInPreview(): AppError {
  const message = 'Other assistants are not asked in a preview.';
  return new AppError(message, { status: 403, type: 'permission_error', code: 'not_in_preview' });
}

/** A preview tells of a failure that would end a run, rather than ending itself. */
function withoutEnding(assistant: Assistant): Assistant {
  const tools = assistant.setup.tools.map((entry) =>
    entry.onError === 'fail' ? { ...entry, onError: 'omit' as const } : entry,
  );
  return { ...assistant, setup: { ...assistant.setup, tools } };
}

function partsOf({ assistant, draft, ...request }: PreviewRequest, deps: RunDeps) {
  const { caller } = request;
  return {
    ...request,
    assistant,
    parent: undefined,
    sampling: {},
    conversation: undefined,
    mayAsk: false,
    currentAssistant: () => draftedNow(assistant, { draft, caller }, deps),
    startChild: () => Promise.reject(notInPreview()),
  };
}
