/** An answer that is a refusal, or no answer at all (status 0). */
export interface Fault extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The field it is about. */
  readonly param: string | undefined;
  /** When to come back, in seconds. */
  readonly retryAfter: number | undefined;
  /** All that is wrong, each with its place, where the service tells them apart. */
  readonly errors: readonly FieldFault[];
}

export interface FieldFault {
  readonly path: string;
  readonly message: string;
  /** What kind of fault it is, where the service has a name for it, and the bound that was passed. */
  readonly code?: string;
  readonly bound?: number;
  /** What somebody calls that which is wrong. */
  readonly name?: string;
}

interface FaultFacts {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly errors?: readonly FieldFault[];
}

export function createFault({ status, message, errors = [], ...facts }: FaultFacts): Fault {
  const { code, param, retryAfter } = facts;
  return Object.assign(new Error(message), { status, code, param, retryAfter, errors });
}

export const noAnswer = (): Fault => createFault({ status: 0, message: '' });

export function isFault(thrown: unknown): thrown is Fault {
  return thrown instanceof Error && 'status' in thrown;
}

/** It is not there, or not for whoever asks: asking again brings the same answer. */
export const isFinal = (fault: unknown): boolean =>
  isFault(fault) && [401, 403, 404, 410].includes(fault.status);

export const isAborted = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError';

/** Reads the OpenAI error shape; a proxy in between may answer with anything else. */
export function faultIn(status: number, body: string, retryAfter?: string | null): Fault {
  const error = errorIn(body);
  return createFault({
    status,
    message: textOf(error.message) ?? '',
    code: textOf(error.code),
    param: textOf(error.param),
    // A proxy may name a date instead.
    retryAfter: /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined,
    errors: Array.isArray(error.errors) ? error.errors.filter(isFieldFault) : [],
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

const isFieldFault = (value: unknown): value is FieldFault =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'message' in value &&
  typeof value.path === 'string' &&
  typeof value.message === 'string';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
