import { isRecord, type JsonRecord, own } from '../base/json.js';

/** How much at a time an organisation lets happen; undefined where it says nothing. */
export interface OrganizationLimits {
  readonly concurrentRuns: number | undefined;
  readonly concurrentRunsPerUser: number | undefined;
  readonly requestsPerMinute: number | undefined;
  readonly requestsPerMinutePerUser: number | undefined;
  /** Of one answer. */
  readonly maxOutputTokens: number | undefined;
  /** Of one visitor of a public link. */
  readonly linkQuestionsPerHour: number | undefined;
}

const KEYS = [
  ...['concurrent_runs', 'concurrent_runs_per_user'],
  ...['requests_per_minute', 'requests_per_minute_per_user'],
  ...['max_output_tokens', 'link_questions_per_hour'],
] as const;

const MOST = 1_000_000_000;

/** What cannot be understood counts as not said. */
export function readLimits(config: JsonRecord): OrganizationLimits {
  const limits = own(config, 'limits');
  const limit = (key: (typeof KEYS)[number]) => {
    const value = isRecord(limits) ? own(limits, key) : undefined;
    return isLimit(value) ? value : undefined;
  };
  return {
    concurrentRuns: limit('concurrent_runs'),
    concurrentRunsPerUser: limit('concurrent_runs_per_user'),
    requestsPerMinute: limit('requests_per_minute'),
    requestsPerMinutePerUser: limit('requests_per_minute_per_user'),
    maxOutputTokens: limit('max_output_tokens'),
    linkQuestionsPerHour: limit('link_questions_per_hour'),
  };
}

/** A limit that is none would be passed over, and whoever set it would believe in it. */
export function badLimitsIn(config: JsonRecord): readonly string[] {
  const limits = own(config, 'limits');
  if (limits === undefined) return [];
  if (!isRecord(limits)) return ['limits must be an object'];
  return KEYS.filter((key) => {
    const value = own(limits, key);
    return value !== undefined && value !== null && !isLimit(value);
  }).map((key) => `limits.${key} must be a whole number from 1 to ${String(MOST)}`);
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST;
}
