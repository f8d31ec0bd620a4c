import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { brokenOff } from '../../src/clients/provider-faults.js';
import type { Connector, ModelReply, ModelRequest } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { Message } from '../../src/core/message.js';
import type { ProviderSettings, RunContext } from '../../src/core/runs/run-context.js';
import { type PicturePart, toLangChain } from './langchain.js';
import { createLangChainReply, type UsageCount } from './langchain-reply.js';
import { openProviderLine, type ProviderLine } from './stream.js';
import { enabledProvider } from '../../src/clients/provider-settings.js';

/** What one provider that is spoken to through LangChain has of its own. */
export interface LangChainProvider {
  readonly name: string;
  /** Where it is asked and with which credential: neither is LangChain's to know. */
  address(provider: ProviderSettings, model: string): Pick<ProviderLine, 'url' | 'headers'>;
  /** The model, with retries of its own switched off, and how to call it. */
  open(request: ModelRequest, line: ProviderLine): Promise<{ chat: BaseChatModel; options: object }>;
  readonly picture: PicturePart;
  readonly usage: UsageCount;
  /** What has to be said in words because the provider has no setting for it. */
  reword?(request: ModelRequest): readonly Message[];
}

/** Speaks to a LangChain chat model. It is loaded with the first word: that takes a second, and many never need it. */
export function speakThroughLangChain(provider: LangChainProvider): Connector['speak'] {
  return async function* speak(request, ctx) {
    const settings = enabledProvider(ctx.settings, provider.name);
    const line = openProviderLine(provider.address(settings, request.model), ctx);
    const reply = createLangChainReply(provider.usage);
    try {
      const words = await import('langchain');
      const { chat, options } = await provider.open(request, line);
      const said = provider.reword?.(request) ?? request.messages;
      const messages = toLangChain(said, provider.picture, words);
      // Below LangChain's callbacks, so that its tracing, which the environment can switch on, hears nothing.
      const pieces = chat._streamResponseChunks(messages, { ...options, signal: line.signal });
      for await (const chunk of pieces) {
        const text = reply.read(chunk.message, chunk.generationInfo);
        if (text !== '') yield text;
      }
    } catch (thrown) {
      throw faultOf(thrown, line, ctx);
    } finally {
      line.hangUp();
    }
    return finish(reply, request, line, ctx);
  };
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
