import type { Assistant } from './assistants/assistant.js';
import type { FunctionSpec } from './connector.js';
import type { ChatMessage, Message } from './message.js';
import type { SmallQuestion, ToolServices } from './runs/run-context.js';

/** What the placeholder tools brought, by placeholder, in the order of the assistant's entries. */
export type Contexts = ReadonlyMap<string, readonly string[]>;

export interface Composition {
  readonly assistant: Assistant;
  readonly chat: readonly ChatMessage[];
  readonly contexts: Contexts;
  /** Every placeholder this installation knows: such a one is blanked when nothing filled it. */
  readonly knownPlaceholders: ReadonlySet<string>;
  readonly functions: readonly FunctionSpec[];
}

/** What a processor may see before the placeholder tools run. */
export interface ProcessorContext extends ToolServices {
  readonly chat: readonly ChatMessage[];
  /** One short answer of the organisation's small fast model; undefined when it has none or none may be asked now. */
  askSmallModel(question: SmallQuestion): Promise<string | undefined>;
}

export interface Preparation {
  /** What the placeholder tools read as the chat; the prompt keeps the user's own words. */
  readonly chatForTools?: readonly ChatMessage[];
  /** Placeholders that the processor itself fills. */
  readonly contexts?: Contexts;
}

/** Turns a chat and what the tools found into the messages the model reads. */
export interface PromptProcessor {
  readonly name: string;
  prepare?(ctx: ProcessorContext): Promise<Preparation>;
  compose(composition: Composition): readonly Message[];
}

export function defineProcessor(processor: PromptProcessor): PromptProcessor {
  return processor;
}

export function faultsOfProcessor(candidate: unknown): string[] {
  if (typeof candidate !== 'object' || candidate === null)
    return ['its default export is not a prompt processor'];
  const processor = candidate as Partial<PromptProcessor>;
  const faults: string[] = [];
  if (typeof processor.name !== 'string') faults.push('"name" must be a text');
  if (!['function', 'undefined'].includes(typeof processor.prepare))
    faults.push('"prepare" must be a function');
  if (typeof processor.compose !== 'function') faults.push('"compose" must be a function');
  return faults;
}
