import { defineConnector } from '../../src/core/connector.js';
import { AppError, notConfigured, rateLimited } from '../../src/core/errors.js';
import type { RunContext } from '../../src/core/run-context.js';
import { createReplyReader } from '../openai-reply.js';
import { openAIRequest } from '../openai-request.js';

/** Any OpenAI-compatible server, spoken to natively: this is the fast path. */
export default defineConnector({
  name: 'openai',
  provider: 'openai',

  models({ providers: { openai } }) {
    if (!openai?.enabled) return [];
    return [...new Set([...(openai.defaultModel ? [openai.defaultModel] : []), ...openai.models])];
  },

  async *speak(request, ctx) {
    const body = JSON.stringify(openAIRequest(request));
    const response = await send(body, ctx);
    const reader = createReplyReader();
    let begun = false;
    try {
      for await (const bytes of response.body) {
        begun = true;
        const text = reader.read(bytes);
        if (text !== '') yield text;
      }
    } catch (fault) {
      if (ctx.signal.aborted || fault instanceof AppError) throw fault;
      throw unreachable(fault, !begun);
    }
    return reader.finish(body.length);
  },
});

async function send(body: string, ctx: RunContext) {
  const { openai } = ctx.settings.providers;
  if (!openai?.enabled) throw notConfigured('The OpenAI provider');

  const response = await ctx.models
    .post({
      url: `${openai.baseUrl}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(openai.apiKey === '' ? {} : { authorization: `Bearer ${openai.apiKey}` }),
      },
      body,
      signal: ctx.signal,
    })
    .catch((fault: unknown) => {
      throw ctx.signal.aborted ? fault : unreachable(fault, true);
    });

  const streamed = (response.header('content-type') ?? '').includes('text/event-stream');
  if (response.status === 200 && streamed) return response;
  await response.discard();
  throw response.status === 200 ? unusable() : refusal(response.status, response.header('retry-after'));
}

/** What the provider's status means for the reader. Its body stays here: it may quote the key or the prompt. */
function refusal(status: number, retryAfter: string | undefined): AppError {
  const retryAfterSeconds = secondsOf(retryAfter);
  if (status === 429) {
    const message = 'The model provider is receiving too many requests. Try again in a while.';
    return rateLimited(message, retryAfterSeconds, { retryable: true });
  }
  const retryable = status === 408 || status >= 500;
  const [message, code] =
    status === 401 || status === 403
      ? [
          'The model provider refused our credentials. An administrator can check the key.',
          'upstream_credentials',
        ]
      : [`The model provider answered with an error (${String(status)}).`, 'upstream_failed'];
  return new AppError(message, { status: 502, type: 'api_error', code, retryable, retryAfterSeconds });
}

function unreachable(cause: unknown, retryable: boolean): AppError {
  if (/TIMEOUT/.test(String((cause as { readonly code?: unknown } | undefined)?.code))) {
    const message = 'The model provider was silent for too long.';
    return new AppError(message, {
      status: 504,
      type: 'api_error',
      code: 'upstream_timeout',
      retryable,
      cause,
    });
  }
  const message = retryable
    ? 'The model provider could not be reached.'
    : 'The connection to the model provider broke in the middle of its answer.';
  return new AppError(message, { status: 502, type: 'api_error', code: 'upstream_failed', retryable, cause });
}

function unusable(): AppError {
  const message =
    'The model provider did not answer with an event stream. An administrator can check its base URL.';
  return new AppError(message, { status: 502, type: 'api_error', code: 'upstream_unusable' });
}

/** Seconds, or a date, or nonsense, which counts as not said. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter.trim())) return Number(retryAfter);
  if (!/^[A-Z][a-z]{2}, .+ GMT$/.test(retryAfter)) return undefined;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}
