import type { z } from 'zod';
import type { AccessPolicy } from './core/access.js';
import type { AssistantSetup, ToolEntry } from './core/assistant.js';
import type { Plugins } from './core/plugins.js';
import { type AnyTool, isPlaceholderName } from './core/tool.js';

interface Surroundings {
  readonly plugins: Plugins;
  readonly policy: AccessPolicy;
  readonly ownerId: number;
}

/** Everything that would keep an assistant from running as meant, each with the place it stands. Empty: it may be saved. */
export async function faultsOfAssistant(setup: AssistantSetup, around: Surroundings): Promise<string[]> {
  const { connectors, processors } = around.plugins;
  const faults = [...setup.problems];
  if (setup.connector !== undefined && !connectors.has(setup.connector)) {
    faults.push(`metadata.connector: "${setup.connector}" is not installed; there are ${names(connectors)}`);
  }
  if (!processors.has(setup.processor)) {
    faults.push(
      `metadata.prompt_processor: "${setup.processor}" is not installed; there are ${names(processors)}`,
    );
  }
  const ofTools = await Promise.all(
    setup.tools.map((entry, i) => faultsOfEntry(entry, setup.tools.slice(0, i), around)),
  );
  ofTools.forEach((entryFaults, i) => {
    faults.push(...entryFaults.map((fault) => `metadata.tools.${String(i)}: ${fault}`));
  });
  return faults;
}

async function faultsOfEntry(
  entry: ToolEntry,
  before: readonly ToolEntry[],
  around: Surroundings,
): Promise<string[]> {
  const tool = around.plugins.tools.get(entry.type);
  if (!tool) return [`no tool called "${entry.type}" is installed; there are ${names(around.plugins.tools)}`];

  const faults = faultsOfMode(entry, tool);
  if (!tool.repeatable && before.some(({ type }) => type === entry.type)) {
    faults.push(`an assistant can hold "${entry.type}" only once`);
  }
  const config = tool.config.safeParse(entry.config);
  if (!config.success) {
    const { issues } = config.error as z.ZodError;
    return [...faults, ...issues.map(({ path, message }) => `config.${path.join('.')}: ${message}`)];
  }
  const touched = tool.touches(undefined, config.data);
  const verdicts = await Promise.all(touched.map((resource) => around.policy.mayUse(resource, around)));
  return [...faults, ...verdicts.flatMap((verdict) => (verdict.allowed ? [] : [verdict.reason]))];
}

function faultsOfMode(entry: ToolEntry, tool: AnyTool): string[] {
  if (entry.mode === 'function')
    return tool.asFunction ? [] : [`"${entry.type}" cannot be used as a function`];
  if (!tool.argsFromChat) return [`"${entry.type}" cannot fill a placeholder; use mode "function"`];
  const { placeholder } = entry;
  if (placeholder !== undefined && isPlaceholderName(placeholder)) return [];
  return [`placeholder "${placeholder ?? ''}" must match [a-z][a-z0-9_]* and not be user_input`];
}

function names(plugins: ReadonlyMap<string, unknown>): string {
  return [...plugins.keys()].join(', ');
}
