import { timedOut } from '../../src/core/errors.js';
import type { Contexts } from '../../src/core/processor.js';
import type { Message } from '../../src/core/message.js';
import type { Ending, Listener, Tell } from '../../src/core/runs/event.js';
import { citedIn, createSourceList, type SourceList } from '../gate/citations.js';
import { fillPlaceholders } from '../gate/fill-placeholders.js';
import { recallResults } from '../gate/memory/recall.js';
import { openToolbox, type Toolbox } from '../gate/toolbox.js';
import { type LoopEnding, toolLoop } from '../tool-loop.js';
import { handOver } from './handover/hand-over.js';
import { approvedCalls, resumedPrompt } from './handover/resumed-run.js';
import type { PreparedRun, RunDeps } from './prepare.js';
import { beforeTools, composeRun } from './processor.js';
import { recordRun, runBegan } from './record.js';
import { routeTools } from './route-tools.js';

const NOTHING_FOUND: Contexts = new Map();

/** The whole story: placeholders, prompt, model and tools; on record before its end is told. */
export async function executeRun(run: PreparedRun, deps: RunDeps, listener: Listener): Promise<Ending> {
  const { ctx, connector, model, fallback, deadline, trace, client, resumed } = run;
  // Whoever is slow to hear is waited for as long as the run may take, and no longer.
  const inTime = (slow: Promise<void> | undefined) => slow && unlessAborted(slow, ctx.signal);
  const tell: Tell = (event) => inTime(listener.tell(event));
  const sources = createSourceList(resumed?.handover.state.sources);
  let answer = '';
  let ending: Ending | undefined;
  let fault: unknown;
  runBegan(run, deps);
  try {
    await tell({ type: 'run.started', run_id: ctx.runId });
    const toolbox = run.toolbox ?? (await openToolbox(deps.plugins.tools, ctx));
    const prompt = resumed
      ? resumedPrompt(resumed, ctx.limits.toolResultMaxChars)
      : await composePrompt(run, { toolbox, sources, tell }, deps);
    const first = resumed ? toolbox : await routeTools(run, toolbox, tell);
    const rounds = resumed?.handover.state.rounds ?? 0;
    const ended = await toolLoop(
      {
        ...{ connector, model, fallback, prompt, toolbox, first, sources, client, rounds },
        approved: approvedCalls(resumed),
        tell,
        say(text) {
          if (answer === '') trace.textBegan();
          answer += text;
          return inTime(listener.say(text));
        },
      },
      ctx,
    );
    ending = await endingOf(run, ended, { answer, sources }, deps);
    return ending;
  } catch (thrown) {
    fault = deadline.expired() ? timedOut('The run') : ctx.signal.aborted ? ctx.signal.reason : thrown;
    throw fault;
  } finally {
    deadline.dispose();
    const listed = ending?.sources ?? citedIn(answer, sources.list());
    const kept = recordRun(run, { answer, ending, fault, sources: listed }, deps);
    // Nobody is told of a child's end: its parent goes on meanwhile, and waits at its own.
    if (run.parent) run.parent.trace.waitFor(kept);
    else await kept;
  }
}

function unlessAborted(slow: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    const heard = () => {
      signal.removeEventListener('abort', leave);
    };
    slow.finally(heard).then(resolve, reject);
  });
}

interface Means extends Pick<Listener, 'tell'> {
  readonly toolbox: Toolbox;
  readonly sources: SourceList;
}

async function composePrompt(
  run: PreparedRun,
  { toolbox, sources, tell }: Means,
  { plugins }: RunDeps,
): Promise<readonly Message[]> {
  const { ctx } = run;
  const { chatForTools: chat = ctx.chat, contexts: own } = await beforeTools(run);
  const found =
    toolbox.placeholders.length === 0
      ? NOTHING_FOUND
      : await fillPlaceholders(toolbox.placeholders, sources, { ...ctx, chat }, tell);
  const contexts = own ? new Map([...own, ...found]) : found;
  const brought = ctx.assistant.setup.rememberTools && run.conversation?.brought;
  const talk = brought ? await recallResults(ctx, { toolbox, sources, brought, tell }) : ctx.chat;
  const composing = talk === ctx.chat ? run : { ...run, ctx: { ...ctx, chat: talk } };
  const prompt = composeRun(composing, { contexts, functions: toolbox.specs }, plugins);
  await tell({ type: 'prompt.composed', label: 'merging tool outputs', merged: toolbox.placeholders.length });
  return prompt;
}

async function endingOf(
  run: PreparedRun,
  { finishReason, iterations, capped, handed }: LoopEnding,
  { answer, sources }: { readonly answer: string; readonly sources: SourceList },
  deps: RunDeps,
): Promise<Ending> {
  const { trace, resumed } = run;
  const listed = sources.list();
  const state = { rounds: iterations, sources: listed };
  const tools = [...(resumed?.handover.state.tools ?? []), ...trace.tools()];
  const usage = trace.usage();
  const ending = { finishReason, iterations, capped, usage, sources: citedIn(answer, listed), tools };
  return handed ? { ...ending, ...(await handOver(run, handed, state, deps)) } : ending;
}
