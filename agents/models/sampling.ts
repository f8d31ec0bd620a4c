import { isRecord, type JsonRecord, own } from '../../src/core/base/json.js';
import type { ModelRequest } from '../../src/core/connector.js';
import type { Message } from '../../src/core/message.js';
import type { Sampling } from '../../src/core/runs/model-choice.js';

/** The form an answer is asked for in: any JSON object, or one of this schema. */
export type AnswerForm = { readonly schema: JsonRecord | undefined };

/** Undefined when the answer may be plain text. */
export function answerFormOf({ response_format: format }: Sampling): AnswerForm | undefined {
  const type = format?.['type'];
  if (type === 'json_object') return { schema: undefined };
  const described = format?.['json_schema'];
  const schema = isRecord(described) ? own(described, 'schema') : undefined;
  return type === 'json_schema' ? { schema: isRecord(schema) ? schema : undefined } : undefined;
}

/** For a provider that has no setting for it: the form is asked for in the instructions. */
export function askedInWords({ messages, sampling }: ModelRequest): readonly Message[] {
  const form = answerFormOf(sampling);
  if (!form) return messages;
  const wish = form.schema
    ? `Answer with one JSON object that fits this JSON Schema, and with nothing else:\n${JSON.stringify(form.schema)}`
    : 'Answer with one JSON object and with nothing else.';
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${wish}` }, ...rest]
    : [{ role: 'system', content: wish }, ...messages];
}

/** The longest answer that was asked for, under either of its names. */
export function mostTokens({ max_tokens, max_completion_tokens }: Sampling): number | undefined {
  return max_completion_tokens ?? max_tokens;
}

/** OpenAI's models that think know the newer name alone; many servers that speak like it know only the older one. */
const KNOWS_NEWER_NAME = /^(?:o\d|gpt-[5-9])/;

/** Never longer than the organisation lets answers be, under the name that the client used or the model knows. */
export function limitedTo(most: number | undefined, sampling: Sampling, model: string): Sampling {
  if (most === undefined || (mostTokens(sampling) ?? Infinity) <= most) return sampling;
  const isNewer = sampling.max_completion_tokens !== undefined || KNOWS_NEWER_NAME.test(model);
  const { max_tokens: _older, max_completion_tokens: _newer, ...rest } = sampling;
  return isNewer ? { ...rest, max_completion_tokens: most } : { ...rest, max_tokens: most };
}

export function stopsOf({ stop }: Sampling): string[] | undefined {
  if (stop === undefined) return undefined;
  return typeof stop === 'string' ? [stop] : [...stop];
}

/** The same without what was not said: a library may take `undefined` for a value. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
