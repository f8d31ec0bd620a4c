/** What the routes below `/lamb/v1/assistants` answer with. */
export type AssistantType = 'classic' | 'multi_tool' | 'orchestrator';

export interface Assistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The owner's e-mail. */
  readonly owner: string;
  readonly organization_id: number;
  readonly may_edit: boolean;
  readonly published: boolean;
  readonly publish_scope: 'organization' | 'everyone';
  readonly enabled: boolean;
  readonly version: number;
  readonly assistant_type: AssistantType;
  /** Whether it takes pictures. */
  readonly vision: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** What follows is for those who may edit it. */
  readonly system_prompt?: string;
  readonly prompt_template?: string;
  /** As its author has written it. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly RAG_collections?: string;
  readonly RAG_Top_k?: number | null;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  /** With how many people, by name. */
  readonly shared_with?: number;
  /** Of one in the bin. */
  readonly deleted_at?: string;
}

export interface VersionFacts {
  readonly version: number;
  /** The author's e-mail. */
  readonly author: string;
  readonly created_at: string;
  readonly content_hash: string;
}

export interface Version extends VersionFacts {
  /** Null when what was stored is no JSON object. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** As it was stored, to the byte. */
  readonly metadata_text: string | null;
}

export interface VersionDiff {
  readonly from: number;
  readonly to: number;
  readonly fields: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
  /** By JSON path. */
  readonly metadata: {
    readonly added: readonly { readonly path: string; readonly value: unknown }[];
    readonly removed: readonly { readonly path: string; readonly value: unknown }[];
    readonly changed: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[];
  };
}
