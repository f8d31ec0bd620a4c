import type { BaseMessage, ContentBlock } from 'langchain';
import { isRecord, type JsonRecord } from '../../src/core/base/json.js';
import type { FunctionSpec } from '../../src/core/connector.js';
import { type Content, type ImagePart, type Message, textOf, type ToolCall } from '../../src/core/message.js';
import type { FinishReason } from '../../src/core/runs/event.js';

type Words = typeof import('langchain');

/** How a provider wants a picture put to it. */
export type PicturePart = (image: ImagePart) => ContentBlock;

/** Our messages in LangChain's words. */
export function toLangChain(
  messages: readonly Message[],
  picture: PicturePart,
  { SystemMessage, HumanMessage, AIMessage, ToolMessage }: Words,
): BaseMessage[] {
  return messages.flatMap((message): BaseMessage[] => {
    switch (message.role) {
      case 'system':
        return [new SystemMessage(message.content)];
      case 'user':
        return [new HumanMessage({ content: contentFor(message.content, picture) })];
      case 'tool':
        return [new ToolMessage({ content: message.content, tool_call_id: message.toolCallId })];
      case 'assistant': {
        const tool_calls = (message.toolCalls ?? []).map(toLangChainCall);
        // Several providers refuse a turn in which nothing is said and nothing is called.
        if (message.content === '' && tool_calls.length === 0) return [];
        return [new AIMessage({ content: message.content, tool_calls })];
      }
    }
  });
}

/** Functions in OpenAI's words, which LangChain takes for every provider. */
export function toTools(functions: readonly FunctionSpec[]) {
  return functions.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...parameters } },
  }));
}

const MADE = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s;

/** The type and the base64 of a picture that came along; undefined for one that is somewhere else. */
export function dataOf({ image_url: { url } }: ImagePart): { mimeType: string; data: string } | undefined {
  const [, mimeType, data] = MADE.exec(url) ?? [];
  return mimeType !== undefined && data !== undefined ? { mimeType, data } : undefined;
}

/** Put in the place of a picture that the model cannot be given: an answer that ignores it would look blind. */
export const LINKED_PICTURE = '(A picture was linked here. This model cannot fetch it.)';

const FINISHED: ReadonlyMap<string, FinishReason> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'content_filter'],
  ['refusal', 'content_filter'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['spii', 'content_filter'],
  ['image_safety', 'content_filter'],
]);

/** Every provider has its own word for how an answer ended. */
export function finishReasonOf(word: string): FinishReason {
  return FINISHED.get(word.toLowerCase()) ?? 'stop';
}

/** The words in a piece of an answer; what a model thinks to itself is none of them. */
export function spokenIn(content: BaseMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

function contentFor(content: Content, picture: PicturePart): string | ContentBlock[] {
  if (typeof content === 'string') return content;
  const pictures = content.filter((part) => part.type === 'image_url');
  return [{ type: 'text', text: textOf(content) }, ...pictures.map(picture)];
}

function toLangChainCall({ id, name, arguments: text }: ToolCall) {
  return { type: 'tool_call' as const, id, name, args: argumentsIn(text) };
}

/** What the gate refused as unreadable is told as empty: providers take nothing but an object. */
export function argumentsIn(text: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
