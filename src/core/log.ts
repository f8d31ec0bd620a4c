/** Facts about what happened, never contents. */
export type LogFacts = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(facts: LogFacts, message: string): void;
  info(facts: LogFacts, message: string): void;
  warn(facts: LogFacts, message: string): void;
  error(facts: LogFacts, message: string): void;
}
