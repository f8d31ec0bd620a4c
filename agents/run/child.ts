import { safeLabel } from '../../src/core/base/text.js';
import { versionServed } from '../../src/core/assistants/served.js';
import { forbidden, notFound } from '../../src/core/errors.js';
import type { ChildAnswer, ChildRequest } from '../../src/core/runs/run-context.js';
import { collect } from '../base/collect.js';
import { executeRun } from './execute.js';
import { prepareRun, type RunBasis, type RunDeps } from './prepare.js';

/** Runs another assistant for a tool of this one: one level deep, by the right of this assistant's owner. */
export async function startChild(
  { assistantId, callId, tell, question, history, runId, signal }: ChildRequest,
  parent: RunBasis,
  deps: RunDeps,
): Promise<ChildAnswer> {
  const { ctx } = parent;
  const currentAssistant = async () => {
    if (!(await ctx.currentAssistant())) return undefined;
    if (!(await ctx.policy.mayUse({ kind: 'assistant', id: assistantId }, ctx.assistant)).allowed)
      return undefined;
    const target = await deps.stores.assistants.get(assistantId);
    // Also for its editors: what they try here is what others will get.
    return target?.enabled ? await versionServed(target, deps.stores.assistants) : undefined;
  };
  const found = await currentAssistant();
  if (!found || found.setup.problems.length > 0) throw notFound('The assistant');
  const assistant = found.servedVersion == null ? await deps.onAccess(found) : found;

  const child = await prepareRun(
    {
      runId,
      parent,
      assistant,
      caller: ctx.caller,
      chat: [...history, { role: 'user', content: question }],
      sampling: {},
      signal,
      conversation: undefined,
      mayAsk: false,
      currentAssistant,
      startChild: () =>
        Promise.reject(forbidden('An assistant that was called by another cannot call a third.')),
    },
    deps,
  );

  const facts = {
    ...{ call_id: callId, assistant_id: assistantId, label: safeLabel(`calling ${assistant.name}`) },
    subject: safeLabel(assistant.name),
  };
  const startedAt = Date.now();
  void tell({ type: 'assistant.started', ...facts });
  try {
    const { text, ending } = await collect((listener) => executeRun(child, deps, listener));
    return { text, sources: ending.sources };
  } finally {
    parent.trace.childCost(child.trace.usage());
    void tell({ type: 'assistant.completed', ...facts, ms: Date.now() - startedAt });
  }
}
