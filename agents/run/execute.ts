import { timedOut } from '../../src/core/errors.js';
import type { Contexts } from '../../src/core/processor.js';
import type { Ending, RunEvent } from '../../src/core/runs/event.js';
import { citedIn, createSourceList } from '../gate/citations.js';
import { fillPlaceholders } from '../gate/fill-placeholders.js';
import { openToolbox } from '../gate/toolbox.js';
import { toolLoop } from '../tool-loop.js';
import type { PreparedRun, RunDeps } from './prepare.js';
import { beforeTools, composeRun } from './processor.js';
import { recordRun } from './record.js';
import { routeTools } from './route-tools.js';

const NOTHING_FOUND: Contexts = new Map();

/** The whole story: placeholders, prompt, model and tools; on record before its end is told. */
export async function* executeRun(run: PreparedRun, deps: RunDeps): AsyncGenerator<RunEvent, Ending> {
  const { ctx, connector, model, fallback, trace, deadline } = run;
  const sources = createSourceList();
  let answer = '';
  let ending: Ending | undefined;
  let fault: unknown;
  try {
    yield { type: 'run.started', run_id: ctx.runId };
    const toolbox = await openToolbox(deps.plugins.tools, ctx);
    const { chatForTools: chat = ctx.chat, contexts: own } = await beforeTools(run);
    const found =
      toolbox.placeholders.length === 0
        ? NOTHING_FOUND
        : yield* fillPlaceholders(toolbox.placeholders, sources, { ...ctx, chat });
    const contexts = own ? new Map([...own, ...found]) : found;
    const prompt = composeRun(run, { contexts, functions: toolbox.specs }, deps.plugins);
    yield { type: 'prompt.composed', label: 'merging tool outputs', merged: toolbox.placeholders.length };

    const first = yield* routeTools(run, toolbox);
    const loop = toolLoop({ connector, model, fallback, prompt, toolbox, first, sources }, ctx);
    for (;;) {
      const step = await loop.next();
      if (step.done) {
        const listed = citedIn(answer, sources.list());
        ending = { ...step.value, usage: trace.usage(), sources: listed, tools: trace.tools() };
        return ending;
      }
      if (step.value.type === 'text') answer += step.value.text;
      yield step.value;
    }
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
