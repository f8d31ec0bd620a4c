import type { Api } from '../api/api.ts';

export interface DemoAssistant {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** What there is to work with, and what is missing. */
export interface Setup {
  readonly organization_id: number;
  readonly may_administer: boolean;
  readonly providers: readonly {
    readonly name: string;
    readonly title: string;
    readonly configured: boolean;
    readonly models: number;
  }[];
  readonly default_model: {
    readonly connector: string | null;
    readonly model: string | null;
    readonly is_demo: boolean;
  };
  readonly embeddings: string | null;
  readonly knowledge_base_server: boolean;
  readonly moodle: boolean;
  readonly assistants: { readonly own: number; readonly visible: number };
  readonly collections: number;
  readonly rubrics: number;
  readonly demo_assistants: readonly DemoAssistant[];
}

export const readSetup = (api: Api): Promise<Setup> => api.get<Setup>('/lamb/v1/setup');
