import type {
  Content,
  Conversation,
  ConversationFolder,
  OpenCall,
  WholeConversation,
} from '../../../src/http/contract/chat.ts';
import type { Feedback, FollowUps } from '../../../src/http/contract/runs.ts';
import type { Page } from '../../../src/http/contract/common.ts';
import type { Attachment } from '../../../src/http/contract/resources.ts';
import type { Api, UploadOptions } from '../api/client.ts';

export interface Question {
  readonly assistant: number;
  /** Another one than the newest. */
  readonly version?: number | undefined;
  readonly content: Content;
  /** Kept in this conversation; undefined when it is not to be kept. */
  readonly conversation?: string | undefined;
}

/** What is left out stays as it is. */
export interface ConversationChange {
  readonly pinned?: boolean;
  /** Null for none. */
  readonly folder?: string | null;
}

export type Rating = Feedback['rating'];

const CONVERSATIONS = '/lamb/v1/conversations';
const ATTACHMENTS = '/lamb/v1/attachments';
const modelOf = (assistant: number) => `lamb_assistant.${String(assistant)}`;

export type ChatApi = ReturnType<typeof createChatApi>;

export function createChatApi(api: Api) {
  const at = (id: string, ...rest: readonly string[]) =>
    [CONVERSATIONS, encodeURIComponent(id), ...rest].join('/');
  const ofRun = (run: string, part: string) => `/lamb/v1/runs/${encodeURIComponent(run)}/${part}`;
  const approvals = (run: string) => ofRun(run, 'approvals');

  return {
    conversations: (
      {
        pinned,
        filed,
        ...query
      }: {
        readonly q?: string;
        readonly pinned?: boolean;
        readonly folder?: string;
        /** Whether it is in a folder. */
        readonly filed?: boolean;
        readonly cursor?: string | undefined;
      },
      signal: AbortSignal,
    ) =>
      api.get<Page<Conversation>>(CONVERSATIONS, {
        query: { ...query, pinned: pinned?.toString(), filed: filed?.toString(), limit: 30 },
        signal,
      }),
    folders: async () => (await api.get<Page<ConversationFolder>>(`${CONVERSATIONS}/folders`)).data,
    conversation: (id: string) => api.get<WholeConversation>(at(id)),
    change: (id: string, change: ConversationChange) => api.send<Conversation>('PATCH', at(id), change),
    rename: (id: string, title: string) => api.send<Conversation>('PATCH', at(id), { title }),
    remove: (id: string) => api.send('DELETE', at(id), undefined, { keepalive: true }),
    /** Keeps the first messages only. */
    rewind: (id: string, keep: number) => api.send('POST', at(id, 'rewind'), { keep }),

    /** A file that goes with a question. */
    sendFile: (file: File, options: UploadOptions) => api.upload<Attachment>(ATTACHMENTS, [file], options),
    sentFile: (id: string, signal: AbortSignal) =>
      api.get<Attachment>(`${ATTACHMENTS}/${encodeURIComponent(id)}`, { signal }),

    /** Streamed: see `framesOf`. What is kept in a conversation goes on when the page is left. */
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
        { signal, ...(conversation === undefined ? {} : { headers: { 'x-resume': 'on' } }) },
      ),
    /** What a run tells after a frame, streamed. */
    events: (run: string, after: number, signal: AbortSignal) =>
      api.open(ofRun(run, 'events'), undefined, { query: { after }, signal }),
    cancel: (run: string) => api.send('POST', ofRun(run, 'cancel')),
    /** What somebody thinks of an answer that they got. */
    rate: (run: string, feedback: { readonly rating: Rating; readonly comment?: string }) =>
      api.send<Feedback>('POST', ofRun(run, 'feedback'), feedback),
    /** What could be asked next, of an assistant that offers it. */
    followUps: async (run: string) =>
      (await api.send<FollowUps>('POST', ofRun(run, 'follow-ups'))).follow_ups,
    openCalls: async (run: string) => (await api.get<Page<OpenCall>>(approvals(run))).data,
    decide: (run: string, call_id: string, approve: boolean) =>
      api.send('POST', approvals(run), { call_id, approve }),
  };
}
