/** One conversation, in the words every room shares. */

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
}

/** What a model reads. */
export type Content = string | readonly (TextPart | ImagePart)[];

/** A file that was sent along: an attachment, as it is kept with what was said. */
export interface FilePart {
  readonly type: 'file';
  readonly file: {
    readonly file_id: string;
    readonly filename: string;
    readonly media_type: string;
    readonly bytes: number;
  };
  /** What the model is told of it, in this run alone. */
  readonly text?: string;
}

/** The same as a client sends it: by its id, or with its bytes. */
export interface SentFile {
  readonly type: 'file';
  readonly file: { readonly file_id: string } | { readonly file_data: string; readonly filename: string };
}

/** What somebody says. */
export type ChatContent = string | readonly (TextPart | ImagePart | FilePart)[];

/** A function call as the model wrote it: the arguments are its raw text, parsed only at the gate. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: ChatContent;
}

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: Content }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** What a client may send. Calls of its own tools, and what they brought, stand with the answer that was made of them. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | UserMessage
  | { readonly role: 'assistant'; readonly content: string; readonly before?: readonly Message[] };

/** A chat whose files nobody has looked at yet. */
export type SentMessage =
  | Exclude<ChatMessage, UserMessage>
  | {
      readonly role: 'user';
      readonly content: string | readonly (TextPart | ImagePart | FilePart | SentFile)[];
    };

/** How a model is told that a call came to nothing. */
const FAILED = 'Error: ';

export const toldFailure = (reason: string): string => FAILED + reason;

/** Why the call came to nothing, if that is what the model was told. */
export const failureIn = (result: string): string | undefined =>
  result.startsWith(FAILED) ? result.slice(FAILED.length) : undefined;

type AnyPart = TextPart | ImagePart | FilePart | SentFile;

export function textOf(content: string | readonly AnyPart[]): string {
  if (typeof content === 'string') return content;
  return content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

export function imagesOf(content: string | readonly AnyPart[]): readonly ImagePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'image_url');
}

export function filesOf(content: ChatContent): readonly FilePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'file');
}

/** What of it a model reads, without what a prompt puts around it. */
export function toldContent(content: ChatContent): Content {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'file' ? { type: 'text', text: part.text ?? '' } : part));
}

export function hasFiles(chat: readonly SentMessage[]): boolean {
  return chat.some(
    ({ role, content }) =>
      role === 'user' && typeof content !== 'string' && content.some(({ type }) => type === 'file'),
  );
}

export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last ? textOf(last.content) : '';
}
