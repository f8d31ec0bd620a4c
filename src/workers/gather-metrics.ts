import type { MetricsSnapshot } from '../telemetry/metrics.js';
import type { WorkerPool } from './pool.js';

/** A worker that is busy for longer is told of as it was when it last answered. */
const MOST_WAIT_MS = 2_000;

export interface MetricsGathering {
  /** It serves, and answers when it is asked. */
  joined(id: number): void;
  /** It has ended: what it counted until it was last asked goes on counting. */
  left(id: number): void;
  /** A worker wants to know what all have measured. */
  wanted(asker: number, request: number): void;
  told(id: number, snapshot: MetricsSnapshot): void;
}

interface Open {
  readonly asker: number;
  readonly request: number;
  readonly missing: Set<number>;
  readonly timer: NodeJS.Timeout;
}

/** Whichever worker is asked for metrics, all of them answer, and none that has ended takes its counts along. */
export function createMetricsGathering(
  pool: Pick<WorkerPool, 'tell'>,
  mostWaitMs = MOST_WAIT_MS,
): MetricsGathering {
  const last = new Map<number, MetricsSnapshot>();
  const serving = new Set<number>();
  const open = new Set<Open>();
  let departed: MetricsSnapshot = [];

  const finish = (one: Open) => {
    clearTimeout(one.timer);
    open.delete(one);
    const snapshots = [...last.values(), departed];
    pool.tell(one.asker, { type: 'metrics', request: one.request, snapshots });
  };
  const noLongerMissing = (id: number) => {
    for (const one of [...open]) {
      one.missing.delete(id);
      if (one.missing.size === 0) finish(one);
    }
  };

  return {
    joined(id) {
      serving.add(id);
    },
    left(id) {
      serving.delete(id);
      departed = addedUp([departed, last.get(id) ?? []]);
      last.delete(id);
      noLongerMissing(id);
    },
    wanted(asker, request) {
      const timer = setTimeout(() => {
        finish(one);
      }, mostWaitMs);
      const one: Open = { asker, request, missing: new Set(serving), timer };
      open.add(one);
      for (const id of serving) pool.tell(id, { type: 'metrics-wanted' });
    },
    told(id, snapshot) {
      if (serving.has(id)) last.set(id, snapshot);
      noLongerMissing(id);
    },
  };
}

/** As `getMetricsAsJSON` of prom-client tells them. */
interface Told {
  readonly name: string;
  readonly type: string;
  readonly values: readonly Value[];
}

interface Value {
  readonly labels: object;
  readonly value: number;
  /** Of histograms, the name of the series. */
  readonly metricName?: string;
}

/** What only ever grows, of all of them together; what stands now stands no longer. */
function addedUp(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const sums = new Map<string, { readonly told: Told; readonly values: Map<string, Value> }>();
  for (const told of snapshots.flat() as Told[]) {
    if (told.type !== 'counter' && told.type !== 'histogram') continue;
    const sum = sums.get(told.name) ?? { told, values: new Map<string, Value>() };
    sums.set(told.name, sum);
    for (const one of told.values) {
      const key = JSON.stringify([one.metricName, one.labels]);
      sum.values.set(key, { ...one, value: (sum.values.get(key)?.value ?? 0) + one.value });
    }
  }
  return [...sums.values()].map(({ told, values }) => ({ ...told, values: [...values.values()] }));
}
