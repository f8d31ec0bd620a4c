import type { z } from 'zod';
import type { AccessPolicy } from './core/access.js';
import type { AssistantContent, AssistantSetup, ToolEntry } from './core/assistant.js';
import type { Plugins } from './core/plugins.js';
import { type AnyTool, isPlaceholderName } from './core/tool.js';

export interface Ownership {
  readonly ownerId: number;
  /** The assistant being changed; undefined for a new one. */
  readonly assistantId: number | undefined;
}

/** Everything that would keep an assistant from running as meant, each with the place it stands. Empty: it may be saved. */
export type FaultsOfAssistant = (
  content: AssistantContent,
  ownership: Ownership,
) => Promise<readonly string[]>;

interface CheckDeps {
  readonly plugins: Plugins;
  readonly policy: AccessPolicy;
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
}

type Surroundings = CheckDeps & Ownership;

/** As many functions as providers take. */
const MOST_TOOLS = 128;
const MOST_FAULTS = 20;

export function createAssistantCheck(deps: CheckDeps): FaultsOfAssistant {
  return async (content, ownership) => {
    const setup = deps.readSetup(content);
    const faults = await faultsOfSetup(setup, { ...deps, ...ownership });
    return faults.slice(0, MOST_FAULTS);
  };
}

async function faultsOfSetup(setup: AssistantSetup, around: Surroundings): Promise<string[]> {
  const { connectors, processors } = around.plugins;
  if (setup.tools.length > MOST_TOOLS) {
    return [`metadata.tools: an assistant can hold at most ${String(MOST_TOOLS)} tools`];
  }
  const faults = [...setup.problems, ...setup.oddities];
  if (setup.connector !== undefined && !connectors.has(setup.connector)) {
    faults.push(`metadata.connector: "${setup.connector}" is not installed; there are ${names(connectors)}`);
  }
  if (!processors.has(setup.processor)) {
    faults.push(
      `metadata.prompt_processor: "${setup.processor}" is not installed; there are ${names(processors)}`,
    );
  }
  const seen = new Set<string>();
  for (const [i, entry] of setup.tools.entries()) {
    const ofEntry = await faultsOfEntry(entry, seen, around);
    faults.push(...ofEntry.map((fault) => `metadata.tools.${String(i)}: ${fault}`));
    seen.add(entry.type);
  }
  return faults;
}

async function faultsOfEntry(
  entry: ToolEntry,
  seen: ReadonlySet<string>,
  around: Surroundings,
): Promise<string[]> {
  // What is switched off cannot run, so it may wait for its tool or resource; it is checked when it is switched on.
  if (!entry.enabled) return [];
  const tool = around.plugins.tools.get(entry.type);
  if (!tool) return [`no tool called "${entry.type}" is installed; there are ${names(around.plugins.tools)}`];

  const faults = [...faultsOfMode(entry, tool), ...faultsOfApproval(entry, tool)];
  if (!tool.repeatable && seen.has(entry.type)) {
    faults.push(`an assistant can hold "${entry.type}" only once`);
  }
  const config = tool.config.safeParse(entry.config);
  if (!config.success) {
    const { issues } = config.error as z.ZodError;
    return [...faults, ...issues.map(({ path, message }) => `config.${path.join('.')}: ${message}`)];
  }
  const touched = tool.touches(undefined, config.data);
  const acting = { ownerId: around.ownerId, id: around.assistantId };
  const verdicts = await Promise.all(touched.map((resource) => around.policy.mayUse(resource, acting)));
  return [...faults, ...verdicts.flatMap((verdict) => (verdict.allowed ? [] : [verdict.reason]))];
}

function faultsOfMode(entry: ToolEntry, tool: AnyTool): string[] {
  if (entry.mode === 'function')
    return (tool.asFunction ?? tool.functions) ? [] : [`"${entry.type}" cannot be used as a function`];
  if (!tool.argsFromChat) return [`"${entry.type}" cannot fill a placeholder; use mode "function"`];
  const { placeholder } = entry;
  if (placeholder !== undefined && isPlaceholderName(placeholder)) return [];
  return [`placeholder "${placeholder ?? ''}" must match [a-z][a-z0-9_]* and not be user_input`];
}

/** Whether a tool may change things is the owner's to say, in so many words. */
function faultsOfApproval({ type, approval }: ToolEntry, { danger }: AnyTool): string[] {
  if (danger === 'read' || approval !== undefined) return [];
  const deed = danger === 'write' ? 'can change things' : 'acts outside this service';
  return [`"${type}" ${deed}: set its approval to "never", "ask" or "always-allowed"`];
}

function names(plugins: ReadonlyMap<string, unknown>): string {
  return [...plugins.keys()].join(', ');
}
