import type { DraftedStarters } from '../../../src/http/contract/assistants.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api } from '../api/api.ts';
import type { FieldFault } from '../api/fault.ts';
import type { AssistantMetadata, ToolMode } from '../assistants/assistants-api.ts';
import type { Draft } from './draft.ts';
import type { Schema } from './schema-form/schema.ts';

export interface ToolFacts {
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly placeholder: string | null;
  readonly category: string;
  readonly function_name: string | null;
  readonly config_schema: Schema;
  readonly danger: 'read' | 'write' | 'external';
  readonly repeatable: boolean;
  readonly modes: readonly ToolMode[];
  readonly needs: readonly string[];
  readonly recommended_with: readonly string[];
  readonly presets: readonly ToolPreset[];
}

export interface ToolPreset {
  readonly name: string;
  readonly title: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface ConnectorFacts {
  readonly name: string;
  readonly title: string;
  readonly available_llms: readonly string[];
  readonly configured: boolean;
  readonly supports_functions: boolean;
}

export interface DefaultModel {
  readonly connector: string | null;
  readonly model: string | null;
}

/** What is installed here. */
export interface Catalogue {
  readonly prompt_processors: readonly string[];
  readonly connectors: Readonly<Record<string, ConnectorFacts>>;
  readonly tools: readonly ToolFacts[];
  /** Undefined when it could not be read. */
  readonly defaultModel?: DefaultModel | undefined;
}

export interface Conversion {
  readonly before: AssistantMetadata;
  readonly after: AssistantMetadata;
  readonly changed: readonly string[];
}

export type PartName =
  'system_prompt' | 'teaching' | 'template' | 'user_input' | 'placeholder' | 'history' | 'function';

export interface PromptPart {
  readonly part: PartName;
  readonly name?: string;
  readonly chars: number;
  readonly tokens: number;
}

export interface PreviewMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

export interface FunctionSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: object;
}

export interface WarningDetail {
  readonly code: string;
  readonly placeholder?: string;
  readonly tool?: string;
  readonly name?: string;
  readonly reason?: string;
  readonly reason_code?: string;
}

export interface Preview {
  readonly messages: readonly PreviewMessage[];
  readonly functions: readonly FunctionSpec[];
  readonly warnings: readonly string[];
  /** The same, one by one. */
  readonly warning_details?: readonly WarningDetail[];
  readonly parts: readonly PromptPart[];
  readonly total_tokens: number;
}

interface Rubric {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

interface OwnFile {
  readonly path: string;
}

interface Found {
  readonly q: string;
  readonly cursor: string | undefined;
}

const COMPLETIONS = '/lamb/v1/completions';
const ASSISTANTS = '/lamb/v1/assistants';

export type BuilderApi = ReturnType<typeof createBuilderApi>;

/** What the form asks of the service, beyond reading and saving an assistant. */
export function createBuilderApi(api: Api) {
  return {
    catalogue: () => api.get<Omit<Catalogue, 'defaultModel'>>(`${COMPLETIONS}/list`),
    faultsOfConfig: async (type: string, config: object) =>
      (
        await api.send<{ readonly faults?: readonly FieldFault[] }>(
          'POST',
          `${COMPLETIONS}/tools/${encodeURIComponent(type)}/validate`,
          { config },
        )
      ).faults ?? [],
    /** What answers for an assistant that names no model; nothing when nothing does. */
    defaultModel: async () =>
      (await api.get<{ readonly default_model: DefaultModel }>('/lamb/v1/setup')).default_model,
    preview: (
      id: number | undefined,
      { question, draft }: { readonly question: string; readonly draft: Draft },
      signal: AbortSignal,
    ) =>
      api.send<Preview>(
        'POST',
        id === undefined ? `${ASSISTANTS}/preview` : `${ASSISTANTS}/${String(id)}/preview`,
        { messages: [{ role: 'user', content: question }], draft },
        { signal },
      ),
    /** Thought up by a model; nothing is stored. */
    draftStarters: async (draft: Draft) =>
      (await api.send<DraftedStarters>('POST', `${ASSISTANTS}/draft-starters`, { draft })).starters,
    convert: (id: number, dryRun: boolean) =>
      api.send<Conversion>('POST', `${ASSISTANTS}/${String(id)}/convert`, { dry_run: dryRun }),
    rubrics: (query: Found, signal: AbortSignal) =>
      api.get<Page<Rubric>>('/lamb/v1/rubrics', { query: { ...query }, signal }),
    rubric: (id: string) => api.get<Rubric>(`/lamb/v1/rubrics/${encodeURIComponent(id)}`),
    files: (query: Found, signal: AbortSignal) =>
      api.get<Page<OwnFile>>('/lamb/v1/files', { query: { ...query }, signal }),
  };
}
