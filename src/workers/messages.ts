import type { PeerMessage } from '../http/peers.js';
import type { MetricsSnapshot } from '../telemetry/metrics.js';

/** What a worker hears from its keeper. */
export type ToWorker =
  | { readonly type: 'start'; readonly port: number; readonly prepares: boolean }
  | { readonly type: 'stop'; readonly why: string }
  | { readonly type: 'peer-message'; readonly message: PeerMessage }
  | { readonly type: 'metrics-wanted' }
  /** What all have measured, for the worker that wanted to know. */
  | { readonly type: 'metrics'; readonly request: number; readonly snapshots: readonly MetricsSnapshot[] };

/** What a keeper hears from its workers. */
export type ToSupervisor =
  /** The worker reads messages from now on; any sent before are lost. */
  | { readonly type: 'online' }
  | { readonly type: 'listening'; readonly url: string; readonly banner: string | undefined }
  /** The worker is about to end by itself; the supervisor may start its replacement. */
  | { readonly type: 'stopping' }
  | { readonly type: 'peer-message'; readonly message: PeerMessage }
  | { readonly type: 'gather-metrics'; readonly request: number }
  | { readonly type: 'metrics-told'; readonly snapshot: MetricsSnapshot };

/** RateLimiterCluster sends over the same line, with types of its own (`init`) but always with a `channel`. */
export const readByWorker = (message: unknown) => (isOurs(message) ? (message as ToWorker) : undefined);
export const readBySupervisor = (message: unknown) =>
  isOurs(message) ? (message as ToSupervisor) : undefined;

function isOurs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message && !('channel' in message);
}
