import type { Timestamp } from '../../src/core/stores.js';

export function now(): Timestamp {
  return new Date().toISOString();
}
