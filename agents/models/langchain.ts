import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessageChunk, BaseMessage, ContentBlock } from '@langchain/core/messages';
import { brokenOff, enabledProvider } from '../../src/clients/provider.js';
import { isRecord, type JsonRecord } from '../../src/core/base/json.js';
import type { Connector, FunctionSpec, ModelReply, ModelRequest } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import { type Content, type ImagePart, type Message, textOf, type ToolCall } from '../../src/core/message.js';
import { estimateUsage, type FinishReason, type Usage } from '../../src/core/runs/event.js';
import type { ProviderSettings, RunContext } from '../../src/core/runs/run-context.js';
import { gatherCalls } from './gather-calls.js';
import { openProviderLine, type ProviderLine } from './stream.js';

type Words = typeof import('@langchain/core/messages');

/** How a provider wants a picture put to it. */
type PicturePart = (image: ImagePart) => ContentBlock;

/** Our messages in LangChain's words. */
export function toLangChain(
  messages: readonly Message[],
  picture: PicturePart,
  { SystemMessage, HumanMessage, AIMessage, ToolMessage }: Words,
): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    switch (message.role) {
      case 'system':
        return [new SystemMessage(message.content)];
      case 'user':
        return [new HumanMessage({ content: contentFor(message.content, picture) })];
      case 'tool':
        return [new ToolMessage({ content: message.content, tool_call_id: message.toolCallId })];
      case 'assistant': {
        const tool_calls = (message.toolCalls ?? []).map(toLangChainCall);
        // Several providers refuse a turn in which nothing is said and nothing is called.
        if (message.content === '' && tool_calls.length === 0) return [];
        return [new AIMessage({ content: message.content, tool_calls })];
      }
    }
  });
}

/** Functions in OpenAI's words, which LangChain takes for every provider. */
export function toTools(functions: readonly FunctionSpec[]) {
  return functions.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...parameters } },
  }));
}

/** `any` is LangChain's word for a tool of whatever name. */
export function langChainChoice({ mustAnswer, choice }: Pick<ModelRequest, 'mustAnswer' | 'choice'>): string {
  if (mustAnswer) return 'none';
  if (choice === 'required') return 'any';
  return choice?.name ?? 'auto';
}

const MADE = /^data:([\w.+-]+\/[\w.+-]+);base64,(?!$)/;

/** The type and the base64 of a picture that came along; undefined for one that is somewhere else. */
export function dataOf({ image_url: { url } }: ImagePart): { mimeType: string; data: string } | undefined {
  const [head = '', mimeType] = MADE.exec(url) ?? [];
  return mimeType === undefined ? undefined : { mimeType, data: url.slice(head.length) };
}

/** Put in the place of a picture that the model cannot be given: an answer that ignores it would look blind. */
export const LINKED_PICTURE = '(A picture was linked here. This model cannot fetch it.)';

const FINISHED: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content_filter'],
  ['refusal', 'content_filter'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['spii', 'content_filter'],
  ['image_safety', 'content_filter'],
]);

/** Every provider has its own word for how an answer ended. */
export function finishReasonOf(word: string): FinishReason {
  return FINISHED.get(word.toLowerCase()) ?? 'stop';
}

/** The words in a piece of an answer; what a model thinks to itself is none of them. */
export function spokenIn(content: BaseMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

function contentFor(content: Content, picture: PicturePart): string | ContentBlock[] {
  if (typeof content === 'string') return content;
  const pictures = content.filter((part) => part.type === 'image_url');
  return [{ type: 'text', text: textOf(content) }, ...pictures.map(picture)];
}

function toLangChainCall({ id, name, arguments: text }: ToolCall) {
  return { type: 'tool_call' as const, id, name, args: argumentsIn(text) };
}

/** What the gate refused as unreadable is told as empty: providers take nothing but an object. */
export function argumentsIn(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What one provider that is spoken to through LangChain has of its own. */
export interface LangChainProvider<Package> {
  readonly name: string;
  /** Its package of LangChain's. */
  load(): Promise<Package>;
  /** Where it is asked and with which credential: neither is LangChain's to know. */
  address(provider: ProviderSettings, model: string): Pick<ProviderLine, 'url' | 'headers'>;
  /** The model, with retries of its own switched off, and how to call it. */
  open(request: ModelRequest, line: ProviderLine, loaded: Package): { chat: BaseChatModel; options: object };
  readonly picture: PicturePart;
  readonly usage: UsageCount;
  /** What has to be said in words because the provider has no setting for it. */
  reword?(request: ModelRequest): readonly Message[];
}

/** Speaks to a LangChain chat model. Its packages are loaded when they are needed: many services never do. */
export function throughLangChain<Package>(
  provider: LangChainProvider<Package>,
): Required<Pick<Connector, 'load' | 'stream'>> {
  let loading: ReturnType<typeof loadInTurns<Package>> | undefined;
  // Kept: where tools may be dropped in, every import asks another thread where it leads.
  const load = () => (loading ??= loadInTurns(provider));
  return {
    load,
    async stream(request, ctx, say) {
      const settings = enabledProvider(ctx.settings, provider.name);
      const line = openProviderLine(provider.address(settings, request.model), ctx);
      const reply = createLangChainReply(provider.usage);
      try {
        const { words, loaded } = await load();
        const { chat, options } = provider.open(request, line, loaded);
        const said = provider.reword?.(request) ?? request.messages;
        const messages = toLangChain(said, provider.picture, words);
        // Below LangChain's callbacks, so that its tracing, which the environment can switch on, hears nothing.
        const pieces = chat._streamResponseChunks(messages, { ...options, signal: line.signal });
        for await (const chunk of pieces) {
          const text = reply.read(chunk.message, chunk.generationInfo);
          if (text !== '') await say(text);
        }
      } catch (thrown) {
        throw faultOf(thrown, line, ctx);
      } finally {
        line.hangUp();
      }
      return finish(reply, request, line, ctx);
    },
  };
}

/**
 * One import after another, what others are made of first: each holds the event loop while its modules are compiled and
 * run, and whoever is being answered meanwhile has a turn in between.
 */
async function loadInTurns<Package>({ load }: LangChainProvider<Package>) {
  const words = await import('@langchain/core/messages');
  await turnOfTheLoop();
  await import('@langchain/core/language_models/chat_models');
  await turnOfTheLoop();
  return { words, loaded: await load() };
}

function finish(
  reply: ReturnType<typeof createLangChainReply>,
  { messages }: ModelRequest,
  line: ProviderLine,
  ctx: RunContext,
): ModelReply {
  // A library may take a broken or cancelled line for the end of the answer.
  ctx.signal.throwIfAborted();
  const fault = line.fault();
  if (fault) throw fault;
  return reply.finish(JSON.stringify(messages).length);
}

/** What happened on the line is known best there; the library's own words may quote the answer and stay here. */
function faultOf(thrown: unknown, line: ProviderLine, ctx: RunContext): unknown {
  if (ctx.signal.aborted) return thrown;
  const fault = line.fault() ?? (thrown instanceof AppError ? thrown : undefined);
  if (fault) return fault;
  if (line.used()) return brokenOff('sent an answer that cannot be understood');
  return new AppError(
    'This model cannot be asked this way: it takes no such pictures, functions or settings.',
    { status: 422, type: 'invalid_request_error', code: 'unsupported_by_model', cause: thrown },
  );
}

const MOST_CHARS = 4_000_000;

/** Whether each count of a stream comes on top of those before (`added`) or stands for all so far (`running`). */
type UsageCount = 'added' | 'running';

/** What is read of a piece. */
export interface Piece extends Pick<AIMessageChunk, 'content' | 'tool_call_chunks' | 'additional_kwargs'> {
  readonly usage_metadata?: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly total_tokens: number;
    readonly input_token_details?: { readonly cache_read?: number };
    readonly output_token_details?: { readonly reasoning?: number };
  };
}

/** The largest that was said of each: of several counts of a stream only one has them. */
function detailsOf(
  said: NonNullable<Piece['usage_metadata']>,
  before: Usage | undefined,
): Pick<Usage, 'cachedTokens' | 'reasoningTokens'> {
  const { input_token_details: prompt, output_token_details: answer } = said;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = said;
  const cachedTokens = Math.max(prompt?.cache_read ?? 0, before?.cachedTokens ?? 0);
  // Gemini's are in the total alone.
  const untold = total - input - output;
  const reasoningTokens = Math.max(answer?.reasoning ?? untold, before?.reasoningTokens ?? 0);
  return {
    ...(cachedTokens > 0 ? { cachedTokens } : {}),
    ...(reasoningTokens > 0 ? { reasoningTokens } : {}),
  };
}

/** Puts a streamed answer together from LangChain's pieces. */
export function createLangChainReply(counts: UsageCount) {
  const calls = gatherCalls();
  let chars = 0;
  let finish: string | undefined;
  let usage: Usage | undefined;

  /** The arguments stay the text the model wrote: whether they can be read is for the gate to say. */
  function takeCalls({ tool_call_chunks: chunks = [] }: Piece): void {
    for (const { index, id = '', name = '', args = '' } of chunks)
      calls.take({ index, id, name, arguments: args });
  }

  function takeUsage({ usage_metadata: said }: Piece): void {
    if (!said) return;
    const { promptTokens, completionTokens } = usage ?? { promptTokens: 0, completionTokens: 0 };
    const details = detailsOf(said, usage);
    usage =
      counts === 'running'
        ? {
            promptTokens: Math.max(promptTokens, said.input_tokens),
            completionTokens: Math.max(completionTokens, said.output_tokens),
            ...details,
          }
        : {
            promptTokens: promptTokens + said.input_tokens,
            // What a model thinks to itself is in the total alone, and is paid for.
            completionTokens:
              completionTokens + Math.max(said.output_tokens, said.total_tokens - said.input_tokens),
            ...details,
          };
  }

  return {
    /** Takes one piece; gives the text it brought, which may be none. */
    read(message: Piece, info: Readonly<Record<string, unknown>> = {}): string {
      takeUsage(message);
      // One answer was asked for: whatever else a server says beside it is not it.
      if ((info['completion'] ?? 0) !== 0) return '';
      takeCalls(message);
      const word = info['finish_reason'] ?? info['finishReason'] ?? message.additional_kwargs['stop_reason'];
      if (typeof word === 'string') finish = word;
      const fresh = spokenIn(message.content);
      chars += fresh.length;
      if (chars > MOST_CHARS) throw brokenOff('sent too much');
      return fresh;
    },
    /** What there was beside its words, once the pieces have ended. Throws when they ended too early. */
    finish(promptChars: number): ModelReply {
      if (finish === undefined) throw brokenOff('broke off in the middle of its answer');
      return {
        toolCalls: calls.calls(),
        finishReason: finishReasonOf(finish),
        usage: usage ?? estimateUsage(promptChars, chars),
      };
    },
  };
}
