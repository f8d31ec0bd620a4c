/** How the program ends; docs/cli.md tells the same. */
export const EXIT = {
  /** The service refused or failed, or doctor found something. */
  failed: 1,
  /** The arguments, or a file that was named, are not right; of a suite, that it could not be told. */
  misused: 2,
  /** There is no key, it is not taken, or it may not do that. */
  notAllowed: 3,
  unreachable: 4,
  /** As shells say it of SIGINT. */
  interrupted: 130,
} as const;

/** Something to be told in one line: what is wrong, and what to do about it. */
export interface CliFault extends Error {
  readonly exitCode: number;
  /** What the service answered with; absent where the fault is none of its. */
  readonly status?: number | undefined;
}

export function cliFault(message: string, exitCode: number = EXIT.failed, status?: number): CliFault {
  return Object.assign(new Error(message), { exitCode, status });
}

export const misused = (message: string): CliFault => cliFault(message, EXIT.misused);

export const interrupted = (): CliFault => cliFault('Stopped.', EXIT.interrupted);

export function isCliFault(thrown: unknown): thrown is CliFault {
  return thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number';
}

export const isInterrupted = (thrown: unknown): boolean =>
  isCliFault(thrown) && thrown.exitCode === EXIT.interrupted;
