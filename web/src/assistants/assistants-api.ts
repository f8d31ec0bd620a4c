import type * as wire from '../../../src/http/contract/assistants.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api, CallOptions } from '../api/api.ts';
import type { Overriding } from './tests/gate-refusal.ts';

export type AssistantType = wire.AssistantType;
export const ASSISTANT_TYPES = [
  'classic',
  'multi_tool',
  'orchestrator',
] as const satisfies readonly AssistantType[];
export type ToolMode = 'placeholder' | 'function';

/** One tool of an assistant, as its metadata holds it. Keys that are not listed here are kept. */
export interface ToolEntry {
  readonly type: string;
  readonly enabled?: boolean;
  readonly mode?: ToolMode;
  readonly placeholder?: string;
  readonly name?: string;
  readonly description?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** Switched on up to so many tokens; as many as the service takes where none are said. */
export interface TokenBound {
  readonly enabled?: boolean;
  readonly max_tokens?: number;
}

/** How it teaches; what is left out is off. */
export interface Pedagogy {
  readonly attempt_first?: boolean | undefined;
  readonly hints?: { readonly levels: number } | undefined;
  readonly no_solutions?: boolean | undefined;
  readonly stay_on_topic?: string | undefined;
}

export interface AssistantMetadata {
  readonly connector?: string;
  readonly llm?: string;
  readonly prompt_processor?: string;
  readonly capabilities?: { readonly vision?: boolean; readonly image_generation?: boolean };
  readonly verbose?: boolean;
  readonly tool_routing?: string | undefined;
  readonly client_tools?: string | undefined;
  readonly attachments?: TokenBound | undefined;
  readonly remember_tools?: TokenBound | undefined;
  readonly follow_ups?: boolean | undefined;
  readonly publish_gate?: 'suite' | undefined;
  readonly nightly_suite?: boolean | undefined;
  readonly pedagogy?: Pedagogy | undefined;
  readonly tools?: readonly ToolEntry[];
  readonly [key: string]: unknown;
}

/** With what its author has written, as far as the pages know it. */
export interface Assistant extends wire.Assistant {
  readonly tools?: readonly ToolEntry[];
  readonly metadata?: AssistantMetadata;
}

export interface AssistantContent {
  readonly name: string;
  readonly description: string;
  readonly system_prompt: string;
  readonly prompt_template: string;
  readonly metadata: AssistantMetadata;
  readonly RAG_collections?: string;
  readonly RAG_Top_k?: number | null;
  readonly greeting?: string;
  readonly starters?: readonly string[];
  readonly avatar?: wire.Avatar;
  readonly tags?: readonly string[];
}

export interface AssistantQuery {
  readonly q?: string | undefined;
  readonly type?: AssistantType | undefined;
  readonly owner?: string | undefined;
  /** One of its tags. */
  readonly tag?: string | undefined;
  readonly published?: boolean | undefined;
  /** With whoever asks, by name. */
  readonly shared?: true | undefined;
  /** One's own in the bin; the other filters do not go with it. */
  readonly deleted?: true | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What a bundle asked for and is not here, by kind. */
export type Missing = Readonly<Record<MissingKind, readonly (string | number)[]>>;
export const MISSING_KINDS = ['tools', 'collections', 'rubrics', 'files', 'assistants'] as const;
export type MissingKind = (typeof MISSING_KINDS)[number];

export interface Imported {
  readonly assistant: Assistant;
  readonly missing: Missing;
  /** What its tests name and is not here. */
  readonly missing_in_scenarios: readonly MissingInTest[];
}

export interface MissingInTest {
  readonly name: string;
  readonly path: string;
  readonly message: string;
}

const ROOT = '/lamb/v1/assistants';

export type AssistantsApi = ReturnType<typeof createAssistantsApi>;

export function createAssistantsApi(api: Api) {
  const at = (id: number, ...rest: readonly string[]) => [ROOT, String(id), ...rest].join('/');

  return {
    list: ({ published, shared, deleted, ...query }: AssistantQuery, signal?: AbortSignal) =>
      api.get<Page<Assistant>>(ROOT, {
        query: { ...query, published: text(published), shared: text(shared), deleted: text(deleted) },
        ...(signal ? { signal } : {}),
      }),
    get: (id: number) => api.get<Assistant>(at(id)),
    create: (content: Partial<AssistantContent> & { readonly name: string }) =>
      api.send<Assistant>('POST', ROOT, content),
    /** Refused with 409 when `version` is no longer the newest. */
    save: (
      id: number,
      content: Partial<AssistantContent> & Overriding & { readonly name: string; readonly version: number },
    ) => api.send<Assistant>('PUT', at(id), content),
    remove: (id: number, options: CallOptions = {}) => api.send('DELETE', at(id), undefined, options),
    /** Takes back one that was deleted. */
    restore: (id: number) => api.send<Assistant>('POST', at(id, 'restore'), {}),
    export: (id: number) => api.get<object>(at(id, 'export')),
    import: (bundle: object, name?: string) =>
      api.send<Imported>('POST', `${ROOT}/import`, { bundle, ...(name === undefined ? {} : { name }) }),
  };
}

const text = (flag: boolean | undefined) => (flag === undefined ? undefined : String(flag));
