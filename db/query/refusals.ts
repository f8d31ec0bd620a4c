import { accountGone, conflict } from '../../src/core/errors.js';

/** Says in our words that something of that name is there already. */
export function orConflict(message: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? conflict(message) : error;
  };
}

/** Says in our words that others still need it. */
export function orConflictWhenUsed(message: string): (error: unknown) => never {
  return (error) => {
    throw isMissingParent(error) ? conflict(message) : error;
  };
}

/** Says in our words that whoever it was written for is gone; to be used where nothing else can be missing. */
export function orAccountGone(error: unknown): never {
  throw isMissingParent(error) ? accountGone() : error;
}

export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const postgres = error.code === '23505';
  const sqlite = error.code === 'SQLITE_CONSTRAINT' && error.message.includes('UNIQUE constraint failed');
  return postgres || sqlite;
}

/** What a row belongs to is not there, or would not be any more. */
export function isMissingParent(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const sqlite =
    error.code === 'SQLITE_CONSTRAINT' && error.message.includes('FOREIGN KEY constraint failed');
  return error.code === '23503' || sqlite;
}
