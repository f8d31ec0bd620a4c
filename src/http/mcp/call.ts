import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../../core/access/caller.js';
import type { JsonRecord } from '../../core/base/json.js';
import type { Hiding } from '../../core/base/redactor.js';
import { lineFor, type NumberedSource, type StatusEvent } from '../../core/runs/event.js';

/** One call as whatever answers it sees it. */
export interface McpCall {
  readonly caller: Caller;
  readonly runId: string;
  /** W3C Trace Context, where the client sent it. */
  readonly traceparent: string | undefined;
  /** Ends when the client leaves or cancels, and when the service stops. */
  readonly signal: AbortSignal;
  readonly tell: (event: StatusEvent) => void;
}

/** One request of one caller. */
export interface McpExchange extends Pick<McpCall, 'caller' | 'runId' | 'traceparent'> {
  /** Those its client reads, the best first, where it says so. */
  readonly languages: readonly string[];
  /** What the client said when its session began: that it can ask people by a form. Later revisions say it with each request. */
  readonly takesForms: boolean;
  /** Does the work with a signal of its own, so that it can be waited for, left and cancelled. */
  during<T>(requestId: string | number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Passes on how a run goes, if the client asked to be told. */
export function progressTeller(ctx: ServerContext, redactor: Hiding): McpCall['tell'] {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  return (event) => {
    const line = lineFor(event);
    if (line === undefined) return;
    progress += 1;
    const params = { progressToken, progress, message: redactor.redact(line) };
    // A client that is no longer there to be told is noticed elsewhere.
    ctx.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

interface Brought {
  readonly text: string;
  readonly sources: readonly NumberedSource[];
  readonly runId: string;
  readonly conversationId?: string | undefined;
  /** The same for a program. */
  readonly data?: JsonRecord | undefined;
}

/** An answer: its text first, then where it comes from, in words for the model and as data for the client. */
export function resultOf({ text, sources, runId, conversationId, data }: Brought): CallToolResult {
  const notes = [
    ...(sources.length > 0 ? [['Sources:', ...sources.map(line)].join('\n')] : []),
    ...(conversationId === undefined ? [] : [`conversation_id: ${conversationId}`]),
  ];
  return {
    content: [text, ...notes].map((part) => ({ type: 'text' as const, text: part })),
    ...(data ? { structuredContent: data } : {}),
    _meta: {
      'bellwether/run_id': runId,
      'bellwether/sources': sources,
      ...(conversationId === undefined ? {} : { 'bellwether/conversation_id': conversationId }),
    },
  };
}

export function refusalOf(reason: string, runId: string): CallToolResult {
  return {
    content: [{ type: 'text', text: reason }],
    isError: true,
    _meta: { 'bellwether/run_id': runId },
  };
}

function line({ n, title, url }: NumberedSource): string {
  return `[${String(n)}] ${title}${url === undefined ? '' : ` ${url}`}`;
}
