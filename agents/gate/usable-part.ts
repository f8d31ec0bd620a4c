import { nameOf, type Resource } from '../../src/core/access/access.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { AnyTool } from '../../src/core/tool.js';

export interface RefusedResource {
  readonly resource: Resource;
  readonly reason: string;
}

/** What a tool may be called with now. */
export interface UsablePart {
  /** Without what is refused; undefined when the tool cannot do without it, or nothing is left. */
  readonly config: Record<string, unknown> | undefined;
  readonly refused: readonly RefusedResource[];
}

interface Wanted {
  readonly tool: AnyTool;
  readonly args: Record<string, unknown> | undefined;
  readonly config: Record<string, unknown>;
}

/** Asks for everything a call touches, as things stand now. */
export async function usablePart(
  { tool, args, config }: Wanted,
  { policy, assistant }: Pick<RunContext, 'policy' | 'assistant'>,
): Promise<UsablePart> {
  const allowed = new Set<string>();
  const refused: RefusedResource[] = [];
  for (const resource of tool.touches(args, config)) {
    const verdict = await policy.mayUse(resource, assistant);
    if (verdict.allowed) allowed.add(nameOf(resource));
    else refused.push({ resource, reason: verdict.reason });
    if (refused.length > 0 && !tool.without) break;
  }
  if (refused.length === 0) return { config, refused };
  if (!tool.without || allowed.size === 0) return { config: undefined, refused };
  const rest = tool.without(
    config,
    refused.map(({ resource }) => resource),
  );
  // What the tool says it leaves out is not taken on trust.
  const isAllowed = tool.touches(args, rest).every((resource) => allowed.has(nameOf(resource)));
  return { config: isAllowed ? rest : undefined, refused };
}
