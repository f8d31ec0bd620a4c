import type { Resource } from '../core/access/access.js';
import type { Plugins } from '../core/plugins.js';

/** One entry of canonical metadata's `tools`, as far as it says which tool it is. */
export interface ListedTool {
  /** Where it stands in the list. */
  readonly place: number;
  readonly type: string;
  readonly enabled: boolean;
  readonly installed: boolean;
  /** What it reaches for: asked of the tool, or read from the usual keys where the tool is not installed. */
  readonly resources: readonly Resource[];
}

export function listedTools(metadata: Readonly<Record<string, unknown>>, plugins: Plugins): ListedTool[] {
  const entries = Array.isArray(metadata['tools']) ? (metadata['tools'] as readonly unknown[]) : [];
  return entries.flatMap((entry, place) => {
    if (!isRecord(entry) || typeof entry['type'] !== 'string') return [];
    const { type } = entry as { readonly type: string };
    const config = isRecord(entry['config']) ? entry['config'] : {};
    const tool = plugins.tools.get(type);
    const parsed = tool?.config.safeParse(config);
    const resources = parsed?.success ? tool?.touches(undefined, parsed.data) : undefined;
    return [
      {
        place,
        type,
        enabled: entry['enabled'] !== false,
        installed: tool !== undefined,
        resources: resources ?? usualResources(config),
      },
    ];
  });
}

/** The keys that the built-in tools name their resources by. */
function usualResources(config: Readonly<Record<string, unknown>>): readonly Resource[] {
  const { collections, rubric_id, file_path, assistant_id } = config;
  const named = (kind: string, values: readonly unknown[]) =>
    values
      .filter((id) => typeof id === 'string' || typeof id === 'number')
      .map((id) => ({ kind, id }) as Resource);
  return [
    ...named('collection', Array.isArray(collections) ? collections : []),
    ...named('rubric', [rubric_id]),
    ...named('file', [file_path]),
    ...named('assistant', [assistant_id]),
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
