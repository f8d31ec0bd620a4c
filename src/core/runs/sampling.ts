/** What an OpenAI client may ask of the model itself. */
export interface Sampling {
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stop?: string | readonly string[];
  readonly seed?: number;
  readonly response_format?: Readonly<Record<string, unknown>>;
  readonly user?: string;
}
