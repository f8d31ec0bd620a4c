import type { AdmitRun } from '../core/budgets/run-slot.js';

/** Throws a 429 that says when to come back. */
type Take = (key: string, message: string) => Promise<void>;

/** A count that all processes share, of so many a minute. */
export type RateOf = (name: string, perMinute: number) => Take;

const OF_ALL = 'This organisation has asked as much as it may within a minute.';
const OF_ONE = 'You have asked as much as you may within a minute.';

/** Lets so many runs of an organisation, and of each of its people, begin within a minute; then it is as without. */
export function limitingRates(admit: AdmitRun, rateOf: RateOf): AdmitRun {
  const rates = new Map<string, Take>();
  const rate = (name: string, perMinute: number): Take => {
    const key = `${name} ${String(perMinute)}`;
    const known = rates.get(key) ?? rateOf(key, perMinute);
    rates.set(key, known);
    return known;
  };
  return async (run) => {
    const { organizationId, userId, limits } = run;
    const { requestsPerMinute: all, requestsPerMinutePerUser: own } = limits;
    const key = String(organizationId);
    if (own !== undefined) await rate('runs-of-person', own)(`${key} ${String(userId)}`, OF_ONE);
    if (all !== undefined) await rate('runs-of-organisation', all)(key, OF_ALL);
    return await admit(run);
  };
}
