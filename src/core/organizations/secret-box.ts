import { AppError } from '../errors.js';

/** Keeps secrets unreadable at rest. */
export interface SecretBox {
  seal(text: string): string;
  /** Throws when it was sealed with another key, or changed since. */
  open(sealed: string): string;
}

/** Names the way it was sealed, so that another way can come beside it. */
export const SEALED = 'sealed.v1.';

export function isSealed(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SEALED);
}

export const unreadableSecret = () =>
  new AppError(
    'A stored key cannot be read: it was sealed with another SECRET_KEY. An administrator can restore that key, or enter the stored keys anew.',
    { status: 500, type: 'api_error', code: 'secret_unreadable' },
  );
