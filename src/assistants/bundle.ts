import type { AccessPolicy, Resource } from '../core/access/access.js';
import type { Assistant, AssistantContent } from '../core/assistants/assistant.js';
import type { Conversion } from '../core/assistants/history.js';
import type { Plugins } from '../core/plugins.js';
import type { AssistantStore } from '../core/stores.js';
import type { FileFault } from './file-fault.js';
import { listedTools, type ListedTool } from './listed-tools.js';
import { withoutSecrets } from './without-secrets.js';

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
  /** The content fit for this owner here: what they cannot use is switched off and named. */
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

    async unpack(content, names, ownerId) {
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
