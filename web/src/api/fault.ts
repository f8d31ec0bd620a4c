/** An answer that is a refusal, or no answer at all (status 0). */
export interface Fault extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The field it is about. */
  readonly param: string | undefined;
}

interface FaultFacts {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
}

export function createFault({ status, message, code, param }: FaultFacts): Fault {
  return Object.assign(new Error(message), { status, code, param });
}

export const noAnswer = (): Fault => createFault({ status: 0, message: '' });

export function isFault(thrown: unknown): thrown is Fault {
  return thrown instanceof Error && 'status' in thrown;
}

export const isAborted = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError';

/** Reads the OpenAI error shape; a proxy in between may answer with anything else. */
export function faultIn(status: number, body: string): Fault {
  const error = errorIn(body);
  return createFault({
    status,
    message: textOf(error.message) ?? '',
    code: textOf(error.code),
    param: textOf(error.param),
  });
}

function errorIn(body: string): Readonly<Record<string, unknown>> {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
