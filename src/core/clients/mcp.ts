import type { JsonSchema } from '../json-schema.js';

/** A server of the Model Context Protocol, as it is called. */
export interface McpAddress {
  readonly url: URL;
  /** With every secret filled in. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as its server describes it, tamed: short, on one line, in a schema that is safe to check by. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface McpCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly progress: (percent: number | undefined) => void;
}

export interface McpServers {
  /** What the server offers, remembered for a while. */
  tools(server: McpAddress, signal: AbortSignal): Promise<readonly McpTool[]>;
  /** What the tool answered, as text. */
  call(server: McpAddress, call: McpCall): Promise<string>;
}
