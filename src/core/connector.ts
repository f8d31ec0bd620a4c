import type { JsonSchema } from './json-schema.js';
import type { Message, ToolCall } from './message.js';
import { faultsOfProvider, type Provider } from './provider.js';
import type { FinishReason, NumberedSource, Say, Usage } from './runs/event.js';
import type { Sampling } from './runs/model-choice.js';
import type { RunContext, Settings } from './runs/run-context.js';

/** What the model must call, where it is not free to choose. */
export type ToolChoice = 'required' | { readonly name: string };

export interface FunctionSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface ModelRequest {
  readonly model: string;
  /** From round to round it grows at its end; what stands in it stays as it is. */
  readonly messages: readonly Message[];
  readonly functions: readonly FunctionSpec[];
  /** True when the model may ask for no more tools. */
  readonly mustAnswer: boolean;
  /** Which tools it has to ask for, where the client says so. */
  readonly choice?: ToolChoice | undefined;
  readonly sampling: Sampling;
  /** What the run has found so far, as it will be numbered for the reader. */
  readonly sources: readonly NumberedSource[];
}

/** What a model's answer was beside its words, which were said as they came. */
export interface ModelReply {
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

/** Speaks to one kind of model. */
export interface Connector {
  readonly name: string;
  /** What forms call it. */
  readonly title: string;
  /** Whether its models can call functions. */
  readonly supportsFunctions: boolean;
  /** What a client may ask of a model that this one has no way to ask for; the client is told. */
  readonly ignores?: readonly (keyof Sampling | 'tool_choice')[];
  /** Whose models it asks; undefined when it needs nobody's. */
  readonly provider?: Provider;
  /** The models an author may choose, as far as they are known. */
  models(settings: Settings): readonly string[];
  /**
   * Loads the packages it needs that not every service does. Called in the background once an organisation has set up its
   * provider; whoever asks before that waits for the same.
   */
  load?(): Promise<unknown>;
  /** Says text as it arrives, no faster than it is listened to, and then tells what else there was. */
  stream(request: ModelRequest, ctx: RunContext, say: Say): Promise<ModelReply>;
}

export function defineConnector<Defined extends Connector>(connector: Defined): Defined {
  return connector;
}

export function faultsOfConnector(candidate: unknown): string[] {
  if (typeof candidate !== 'object' || candidate === null) return ['its default export is not a connector'];
  const connector = candidate as Partial<Connector>;
  const faults: string[] = [];
  if (typeof connector.name !== 'string') faults.push('"name" must be a text');
  if (typeof connector.title !== 'string') faults.push('"title" must be a text');
  if (typeof connector.supportsFunctions !== 'boolean')
    faults.push('"supportsFunctions" must be true or false');
  if (typeof connector.models !== 'function') faults.push('"models" must be a function');
  if (typeof connector.stream !== 'function') faults.push('"stream" must be a function');
  if (connector.load !== undefined && typeof connector.load !== 'function')
    faults.push('"load" must be a function');
  return [...faults, ...(connector.provider === undefined ? [] : faultsOfProvider(connector.provider))];
}
