/** What main.ts lends of its process: nothing else touches it. */
export interface Program {
  print(text: string): void;
  complain(text: string): void;
  exit(code: number): void;
}

/** Ends in good order, with this exit code if all goes well. To be called more than once does no harm. */
export type Stop = (why: string, exitCode: number) => void;
