/** A function that is offered, in the words of the wire. */
export interface OfferedFunction {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What is asked, and what a model that knows the answer calls. */
export interface Turn {
  readonly question: string;
  readonly calls: readonly Call[];
}

export interface CallCase {
  readonly id: string;
  /** What its file is called after, such as `parallel`. */
  readonly category: string;
  readonly functions: readonly OfferedFunction[];
  readonly turns: readonly Turn[];
}
