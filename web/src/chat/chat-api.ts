import type { Api } from '../api/client.ts';
import type { Page } from '../api/shapes.ts';
import type { Source } from './sources.ts';
import type { KeptStep } from './steps.ts';

export interface Conversation {
  readonly id: string;
  readonly assistant_id: number;
  /** Null when it is gone, or no longer to be seen. */
  readonly assistant_name?: string | null;
  readonly title: string;
  readonly messages?: number;
  readonly updated_at: string;
}

export type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };
export type Content = string | readonly Part[];

export interface KeptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Content;
  readonly run_id: string | null;
  readonly incomplete: boolean;
  readonly sources?: readonly Source[];
  readonly steps?: readonly KeptStep[];
}

export interface WholeConversation extends Omit<Conversation, 'messages'> {
  readonly messages: readonly KeptMessage[];
}

/** A call that waits for a yes or no. */
export interface OpenCall {
  readonly call_id: string;
  readonly tool: string;
  readonly label: string;
  readonly arguments: unknown;
  readonly expires_at: string;
}

export interface Question {
  readonly assistant: number;
  /** Another one than the newest. */
  readonly version?: number | undefined;
  readonly content: Content;
  /** Kept in this conversation; undefined when it is not to be kept. */
  readonly conversation?: string | undefined;
}

interface Model {
  readonly id: string;
  readonly capabilities?: { readonly vision?: boolean };
}

const CONVERSATIONS = '/lamb/v1/conversations';
const modelOf = (assistant: number) => `lamb_assistant.${String(assistant)}`;

export type ChatApi = ReturnType<typeof createChatApi>;

export function createChatApi(api: Api) {
  const at = (id: string, ...rest: readonly string[]) =>
    [CONVERSATIONS, encodeURIComponent(id), ...rest].join('/');
  const approvals = (run: string) => `/lamb/v1/runs/${encodeURIComponent(run)}/approvals`;

  return {
    conversations: (
      query: { readonly q?: string; readonly cursor?: string | undefined },
      signal: AbortSignal,
    ) => api.get<Page<Conversation>>(CONVERSATIONS, { query: { ...query, limit: 30 }, signal }),
    conversation: (id: string) => api.get<WholeConversation>(at(id)),
    rename: (id: string, title: string) => api.send<Conversation>('PATCH', at(id), { title }),
    remove: (id: string) => api.send('DELETE', at(id), undefined, { keepalive: true }),
    /** Keeps the first messages only. */
    rewind: (id: string, keep: number) => api.send('POST', at(id, 'rewind'), { keep }),

    /** Streamed: see `framesOf`. */
    ask: ({ assistant, version, content, conversation }: Question, signal: AbortSignal) =>
      api.open(
        '/v1/chat/completions',
        {
          model: modelOf(assistant),
          messages: [{ role: 'user', content }],
          stream: true,
          stream_options: { include_usage: true },
          ...(version === undefined ? {} : { assistant_version: version }),
          ...(conversation === undefined ? {} : { conversation_id: conversation }),
        },
        { signal },
      ),
    openCalls: async (run: string) => (await api.get<Page<OpenCall>>(approvals(run))).data,
    decide: (run: string, call_id: string, approve: boolean) =>
      api.send('POST', approvals(run), { call_id, approve }),

    mayLook: async (assistant: number) => {
      const { data } = await api.get<{ readonly data: readonly Model[] }>('/v1/models');
      return data.find(({ id }) => id === modelOf(assistant))?.capabilities?.vision ?? false;
    },
  };
}
