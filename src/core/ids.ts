import { randomUUID } from 'node:crypto';

export function newRunId(): string {
  return `run_${randomUUID()}`;
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
