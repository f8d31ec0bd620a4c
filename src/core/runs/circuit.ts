import type { Timestamp } from '../base/ids.js';

/** Whether a provider is asked at all, as long as it fails again and again. */
export interface Circuit {
  /** One request to it; or, in seconds, how long nobody is to make one. */
  attempt(): CircuitAttempt | number;
}

export interface CircuitAttempt {
  succeeded(): void;
  failed(): void;
  /** Without having told: whoever asked has left, or was refused for what they asked. */
  over(): void;
}

export interface Circuits {
  /** Of one organisation's provider; another's failures are none of its business. */
  of(organizationId: number, provider: string): Circuit;
  /** How it stands with an organisation's provider. */
  stateOf(organizationId: number, provider: string): CircuitState;
  /** The providers that are left alone by any organisation at this moment. */
  open(): ReadonlySet<string>;
}

/** `closed` is as usual; `half_open` when the next question is the one that tries it out. */
export type CircuitState =
  { readonly state: 'closed' | 'half_open' } | { readonly state: 'open'; readonly retryAt: Timestamp };

const PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 120_000;

interface State {
  failures: number;
  /** When it may be tried out; 0 while it is asked as usual. */
  until: number;
  pauseMs: number;
  isTried: boolean;
}

/**
 * Nobody waits for a provider that answers nobody: after so many calls in a row that failed, whoever made them, it is left
 * alone for a while, then tried out by one. 0 switches it off.
 */
export function createCircuits(mostFailures: number, now: () => number = Date.now): Circuits {
  const states = new Map<number, Map<string, State>>();

  return {
    of(organizationId, provider) {
      const state = () => states.get(organizationId)?.get(provider);
      const failed = (isTrial: boolean) => {
        const known = state() ?? { failures: 0, until: 0, pauseMs: PAUSE_MS, isTried: false };
        const providers = states.get(organizationId) ?? new Map<string, State>();
        states.set(organizationId, providers.set(provider, known));
        known.failures += 1;
        if (mostFailures === 0 || known.failures < mostFailures) return;
        if (isTrial) known.pauseMs = Math.min(known.pauseMs * 2, LONGEST_PAUSE_MS);
        known.until = now() + known.pauseMs;
      };
      return {
        attempt() {
          const known = state();
          const isTrial = known !== undefined && known.until !== 0;
          if (isTrial) {
            if (now() < known.until) return Math.ceil((known.until - now()) / 1000);
            if (known.isTried) return 1;
            known.isTried = true;
          }
          return {
            succeeded: () => states.get(organizationId)?.delete(provider),
            failed: () => {
              failed(isTrial);
            },
            over: () => {
              if (isTrial) known.isTried = false;
            },
          };
        },
      };
    },
    open() {
      const at = now();
      const known = [...states.values()].flatMap((providers) => [...providers]);
      return new Set(known.flatMap(([provider, { until }]) => (at < until ? [provider] : [])));
    },
    stateOf(organizationId, provider) {
      const until = states.get(organizationId)?.get(provider)?.until ?? 0;
      if (until === 0) return { state: 'closed' };
      return now() < until
        ? { state: 'open', retryAt: new Date(until).toISOString() }
        : { state: 'half_open' };
    },
  };
}
