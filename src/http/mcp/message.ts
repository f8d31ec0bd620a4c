import { z } from 'zod';
import { isNoDeeperThan } from '../../core/base/strict-json.js';
import { badRequest } from '../../core/errors.js';

/** Room for a call's arguments at their deepest, and for what is around them. */
const DEEPEST = 40;

const Cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const Named = z.object({ method: z.string() });

/** As much of a JSON-RPC message as the route itself must know; the rest is the protocol's to judge. */
export interface Heard {
  readonly method: string | undefined;
  /** The call that the client wants no more. */
  readonly cancels: string | number | undefined;
}

/** One message at a time: a batch would be many calls that count as one. */
export function heard(body: unknown): Heard {
  if (Array.isArray(body)) throw badRequest('Send one JSON-RPC message at a time: batches are not taken.');
  if (!isNoDeeperThan(body, DEEPEST)) {
    throw badRequest(`The message nests deeper than ${String(DEEPEST)} levels.`);
  }
  const named = Named.safeParse(body);
  const cancelled = Cancelled.safeParse(body);
  return {
    method: named.success ? named.data.method : undefined,
    cancels: cancelled.success ? cancelled.data.params.requestId : undefined,
  };
}
