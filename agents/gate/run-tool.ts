import { newRunId } from '../../src/core/base/ids.js';
import { AppError } from '../../src/core/errors.js';
import { errorLocation } from '../../src/core/log.js';
import { createDeadline, fetchUntil } from '../../src/core/runs/deadline.js';
import type { StatusEvent, Tell } from '../../src/core/runs/event.js';
import type { RunContext, ToolContext } from '../../src/core/runs/run-context.js';
import type { ToolResult } from '../../src/core/tool.js';
import type { Admitted } from './admit.js';
import { createQuestions } from './ask-for-tool.js';
import type { CallSite, ToolOutcome } from './invocation.js';
import { progressEvent } from './report.js';
import { presentResult } from './result.js';

interface Finished {
  readonly outcome: ToolOutcome;
  readonly childRunId: string | undefined;
}

/** Runs an admitted call within its time, passing on what it reports meanwhile. Never throws. */
export async function runTool(
  { ready, args }: Admitted,
  site: CallSite,
  ctx: RunContext,
  tell: Tell,
): Promise<Finished> {
  const { tool, config } = ready;
  const deadline = createDeadline(ctx.signal, tool.timeoutMs ?? ctx.limits.toolTimeoutMs);
  const reports = createReports(tell);
  const questions = createQuestions({ tool: tool.name, site, signal: deadline.signal }, ctx);
  let childRunId: string | undefined;

  const around = ctx.toolServices();
  const toolContext: ToolContext = {
    ...around,
    chat: ctx.chat,
    functionName: site.kind === 'tool' ? (ready.asFunction?.name ?? '') : '',
    signal: deadline.signal,
    fetch: fetchUntil(around.fetch, deadline.signal),
    progress: (label, percent, doing) => {
      const { hide } = around.secrets;
      const told = doing?.subject === undefined ? doing : { ...doing, subject: hide(doing.subject) };
      reports.progress(progressEvent(site, tool.name, { label: hide(label), percent, doing: told }));
    },
    askAssistant: (assistantId, question, history) => {
      childRunId = newRunId();
      const { callId } = site;
      const { signal } = deadline;
      return ctx.startChild({
        runId: childRunId,
        assistantId,
        question,
        history,
        callId,
        signal,
        tell: reports.tell,
      });
    },
    askModel: questions.ask,
    askSmallModel: questions.askSmall,
    rerank: questions.rerank,
    drawPicture: questions.draw,
  };

  try {
    const settled = await settle(() => tool.run(args, config, toolContext), deadline.signal);
    reports.over();
    await questions.settled();
    if (deadline.expired()) return { outcome: failed('The tool took too long.', 'timeout'), childRunId };
    return { outcome: judge(settled, tool.name, ctx), childRunId };
  } finally {
    deadline.dispose();
  }
}

/** Of one turn of the event loop; more than anybody reads. */
const MOST_REPORTS = 1000;

/** What a call tells while it is at work, and not afterwards. How far it is may be told too often: then it is dropped. */
function createReports(tell: Tell) {
  let isOver = false;
  let isHeldUp = false;
  let told = 0;
  const goOn = () => {
    isHeldUp = false;
  };
  return {
    tell: (event: StatusEvent) => (isOver ? undefined : tell(event)),
    progress(event: StatusEvent): void {
      if (isOver || isHeldUp || told === MOST_REPORTS) return;
      told += 1;
      if (told === 1) setImmediate(() => (told = 0));
      const slow = tell(event);
      isHeldUp = slow !== undefined;
      slow?.then(goOn, goOn);
    },
    over() {
      isOver = true;
    },
  };
}

type Settled = { readonly result: ToolResult } | { readonly thrown: unknown };

/** Ends with the tool or with the signal, whichever is first; a tool that rejects later is already heard. */
function settle(run: () => Promise<ToolResult>, signal: AbortSignal): Promise<Settled> {
  return new Promise((resolve) => {
    const onAbort = () => {
      resolve({ thrown: signal.reason });
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort, { once: true });
    const done = (settled: Settled) => {
      signal.removeEventListener('abort', onAbort);
      resolve(settled);
    };
    // In a promise, so that a tool which throws before its first await is caught too.
    void Promise.resolve()
      .then(run)
      .then(
        (result) => {
          done({ result });
        },
        (thrown: unknown) => {
          done({ thrown });
        },
      );
  });
}

/** Whatever another server echoes, a secret that was sent to it goes no further. */
function judge(settled: Settled, tool: string, ctx: RunContext): ToolOutcome {
  const { hide } = ctx.toolServices().secrets;
  try {
    if ('thrown' in settled) {
      if (settled.thrown instanceof AppError) {
        const { message, code } = settled.thrown;
        return failed(hide(message), code);
      }
      ctx.log.warn({ tool, fault: errorLocation(settled.thrown) }, 'tool failed');
      return failed('The tool failed.');
    }
    const result = settled.result as Partial<ToolResult> | undefined;
    const content: unknown = result?.content;
    if (typeof content !== 'string') {
      ctx.log.warn({ tool }, 'tool returned no text');
      return failed('The tool failed.');
    }
    return presentResult({ ...result, content }, { hide, maxChars: ctx.limits.toolResultMaxChars });
  } catch (thrown) {
    ctx.log.warn({ tool, fault: errorLocation(thrown) }, 'tool returned what cannot be passed on');
    return failed('The tool failed.');
  }
}

const failed = (reason: string, code = 'tool_failed'): ToolOutcome => ({ ok: false, reason, code });
