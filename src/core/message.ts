/** One conversation, in the words every room shares. */

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

export interface ImagePart {
  readonly type: 'image_url';
  readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
}

export type Content = string | readonly (TextPart | ImagePart)[];

/** A function call as the model wrote it: the arguments are its raw text, parsed only at the gate. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: Content;
}

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | UserMessage
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly content: string };

/** What a client may send. Calls of its own tools, and what they brought, stand with the answer that was made of them. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | UserMessage
  | { readonly role: 'assistant'; readonly content: string; readonly before?: readonly Message[] };

export function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
}

export function imagesOf(content: Content): readonly ImagePart[] {
  return typeof content === 'string' ? [] : content.filter((part) => part.type === 'image_url');
}

export function lastUserText(messages: readonly ChatMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user');
  return last ? textOf(last.content) : '';
}
