import type { AccessPolicy, Resource } from '../core/access/access.js';
import type { Assistant, AssistantContent } from '../core/assistants/assistant.js';
import type { Conversion } from '../core/assistants/history.js';
import type { Plugins } from '../core/plugins.js';
import type { AssistantStore } from '../core/stores.js';
import type { FileFault } from './check.js';

type Kind = 'tools' | 'collections' | 'rubrics' | 'files' | 'assistants';

/** What an assistant leans on, by kind: tools by type, the rest by id or path. */
export type Needs = Readonly<Record<Kind, readonly (string | number)[]>>;

/** Names that stood behind ids when the bundle was made: an id alone may mean another assistant elsewhere. */
export interface BundleNames {
  readonly assistants?: Readonly<Record<string, string>> | undefined;
}

/** An assistant as one piece that can travel, and back. */
export interface AssistantBundles {
  /** Holds no secret and nothing about people. */
  pack(assistant: Assistant): Promise<{
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly requires: Needs;
    readonly names: BundleNames;
  }>;
  /** The content fit for this owner here: what they cannot use is switched off and named, and nothing runs by itself. */
  unpack(
    content: AssistantContent,
    names: BundleNames,
    ownerId: number,
  ): Promise<{ readonly content: AssistantContent; readonly missing: Needs }>;
}

export interface BundleDeps {
  readonly plugins: Plugins;
  readonly policy: AccessPolicy;
  readonly assistants: Pick<AssistantStore, 'get'>;
  readonly fileFault: FileFault;
  /** Throws when the metadata cannot be understood. */
  readonly conversionOf: (content: AssistantContent) => Conversion;
}

export function createAssistantBundles(deps: BundleDeps): AssistantBundles {
  return {
    async pack(assistant) {
      const needs = allOf(
        listedTools(deps.conversionOf(assistant).after, deps.plugins)
          .filter(({ enabled }) => enabled)
          .map(({ type, resources }) => [{ kind: 'tools' as const, id: type }, ...resources.map(needOf)]),
      );
      const named = await Promise.all(needs.assistants.map((id) => nameOf(Number(id), assistant, deps)));
      return {
        metadata: withoutSecrets(assistant.metadata) as Readonly<Record<string, unknown>>,
        requires: needs,
        names: { assistants: Object.fromEntries(named.flat()) },
      };
    },

    async unpack(packed, names, ownerId) {
      const content = withoutNights(packed);
      const { after } = deps.conversionOf(content);
      const tools = listedTools(after, deps.plugins);
      const lacks = await Promise.all(
        tools.map(async (tool) => (tool.enabled ? lackOf(tool, { names, ownerId, deps }) : [])),
      );
      const missing = allOf(lacks);
      if (lacks.every((lack) => lack.length === 0)) return { content, missing };

      const entries = after['tools'] as readonly unknown[];
      const off = new Set(tools.filter((_, i) => lacks[i]?.length).map(({ place }) => place));
      const switched = entries.map((entry, i) =>
        off.has(i) ? { ...(entry as object), enabled: false } : entry,
      );
      return { content: { ...content, metadata: { ...after, tools: switched } }, missing };
    },
  };
}

/** Runs of every night are paid for by the owner, so a new one has to ask for them. */
function withoutNights({ metadata, ...content }: AssistantContent): AssistantContent {
  const { nightly_suite: _nightly, ...kept } = metadata;
  return { ...content, metadata: kept };
}

/** None for one that its owner may no longer use: a bundle tells nothing that they could not know. */
async function nameOf(
  id: number,
  by: Assistant,
  { policy, assistants }: BundleDeps,
): Promise<readonly (readonly [string, string])[]> {
  if (!(await policy.mayUse({ kind: 'assistant', id }, by)).allowed) return [];
  const other = await assistants.get(id);
  return other ? [[String(id), other.name]] : [];
}

interface Need {
  readonly kind: Kind;
  readonly id: string | number;
}

const KIND_OF: Readonly<Record<string, Kind>> = {
  assistant: 'assistants',
  collection: 'collections',
  rubric: 'rubrics',
  file: 'files',
};

interface Importing {
  readonly names: BundleNames;
  readonly ownerId: number;
  readonly deps: BundleDeps;
}

async function lackOf({ type, installed, resources }: ListedTool, importing: Importing): Promise<Need[]> {
  if (!installed) return [{ kind: 'tools', id: type }];
  const usable = await Promise.all(resources.map((resource) => mayUse(resource, importing)));
  return resources.filter((_, i) => !usable[i]).map(needOf);
}

async function mayUse(resource: Resource, { names, ownerId, deps }: Importing): Promise<boolean> {
  if (!(await deps.policy.mayUse(resource, { ownerId })).allowed) return false;
  switch (resource.kind) {
    case 'file':
      return (await deps.fileFault(ownerId, resource.id)) === undefined;
    case 'assistant': {
      const name = names.assistants?.[String(resource.id)];
      return name === undefined || (await deps.assistants.get(resource.id))?.name === name;
    }
    default:
      return true;
  }
}

function needOf({ kind, id }: Resource): Need {
  return { kind: KIND_OF[kind] ?? 'tools', id };
}

function allOf(needs: readonly (readonly Need[])[]): Needs {
  const ids = (kind: Kind) => [
    ...new Set(
      needs
        .flat()
        .filter((need) => need.kind === kind)
        .map(({ id }) => id),
    ),
  ];
  return {
    tools: ids('tools'),
    collections: ids('collections'),
    rubrics: ids('rubrics'),
    files: ids('files'),
    assistants: ids('assistants'),
  };
}

/** One entry of canonical metadata's `tools`, as far as it says which tool it is. */
interface ListedTool {
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

const SECRET_NAME = /(^|_)(api_?key|secret|password|passwd|token|authorization|bearer|credentials?)$/;

/** The same value without the texts that stand under a name for secrets. Numbers stay: they count something. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => !(typeof inner === 'string' && namesSecret(key) && !isReference(inner)))
    .map(([key, inner]): [string, unknown] => [key, withoutSecrets(inner)]);
  return Object.fromEntries(entries);
}

/** Tells where a secret is kept, not what it is; with nothing beside it but how it is sent. */
function isReference(text: string): boolean {
  return /^(?:[A-Za-z]+ )?\$\{secret:\w+\}$/.test(text);
}

/** `apiKey`, `x-api-key` and `API_KEY` are one name. */
function namesSecret(key: string): boolean {
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll('-', '_');
  return SECRET_NAME.test(words.toLowerCase());
}
