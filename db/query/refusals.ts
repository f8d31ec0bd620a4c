import { accountGone, conflict } from '../../src/core/errors.js';

/** Says in our words that something of that name is there already. */
export function orConflict(message: string, reason?: string): (error: unknown) => never {
  return (error) => {
    throw isUniqueViolation(error) ? conflict(message, { reason }) : error;
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
  return codeOf(error) === '23505' || isSqliteConstraint(error, 'UNIQUE');
}

/** What a row belongs to is not there, or would not be any more. */
export function isMissingParent(error: unknown): boolean {
  return codeOf(error) === '23503' || isSqliteConstraint(error, 'FOREIGN KEY');
}

/** PostgreSQL: somebody else has had a lock for longer than was to be waited. */
export function isLockedByOthers(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** By which PostgreSQL (its manual, appendix A) and SQLite tell what they refuse; empty for anything else. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isSqliteConstraint(error: unknown, which: 'UNIQUE' | 'FOREIGN KEY'): boolean {
  return (
    codeOf(error) === 'SQLITE_CONSTRAINT' && (error as Error).message.includes(`${which} constraint failed`)
  );
}
