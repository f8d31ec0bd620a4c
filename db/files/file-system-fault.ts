import { AppError, unavailable } from '../../src/core/errors.js';

export function isFileSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** For `catch`: undefined instead of a fault with one of these codes. */
export function except(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (isFileSystemError(error) && codes.includes(error.code)) return undefined;
    throw error;
  };
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const NO_WRITING = new Set([...FULL, 'EROFS', 'EMFILE', 'ENFILE']);

/** A disk that takes nothing more is told of as such; it is nobody's fault, and may pass. */
export function whenDiskRefuses(error: unknown): never {
  if (error instanceof AppError || !isFileSystemError(error) || !NO_WRITING.has(error.code)) throw error;
  const why = FULL.has(error.code)
    ? 'The disk of the service is full. Whoever looks after it has to make room.'
    : 'The disk takes no files at the moment.';
  throw unavailable(`${why} Nothing was changed.`, 'storage_unavailable');
}
