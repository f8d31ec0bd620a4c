import type { Content, Conversation, OpenCall, WholeConversation } from '../../../src/http/contract/chat.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Api } from '../api/client.ts';

export interface Question {
  readonly assistant: number;
  /** Another one than the newest. */
  readonly version?: number | undefined;
  readonly content: Content;
  /** Kept in this conversation; undefined when it is not to be kept. */
  readonly conversation?: string | undefined;
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
  };
}
