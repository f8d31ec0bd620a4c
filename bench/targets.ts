import type { Measures } from './bench.js';
import { OURS, RULES } from './contenders.js';
import type { Found } from './results.js';

/** What is promised. A figure is reached when it is at most, or at least, the bound. */
interface Target {
  readonly number: string;
  readonly what: string;
  readonly scenario: string;
  readonly unit: string;
  readonly bound: number;
  readonly is: 'most' | 'least';
  /** Of one contender. */
  figure(measures: Measures, who: string): number | undefined;
}

export interface Row {
  readonly number: string;
  readonly what: string;
  readonly target: string;
  readonly figure: number | null;
  readonly unit: string;
  readonly is: Target['is'];
  /** The same of the least that keeps the rules: what it misses nobody reaches. */
  readonly rulesAlone?: number;
  /** The same of the run that was kept last. */
  readonly before?: number;
  readonly verdict: 'pass' | 'falls short' | 'failed' | 'not measured';
  readonly remark?: string;
}

const own = (measure: string) => (measures: Measures, who: string) => measures[measure]?.[who];

/** Measured as a part of what a peer costs, and told as how many times less that is. */
const timesLess = (measure: string) => (measures: Measures, who: string) => {
  const part = measures[measure]?.[who];
  return part === undefined ? undefined : 1 / part;
};

const most = (bound: number, unit: string) => ({ is: 'most' as const, bound, unit });
const least = (bound: number, unit: string) => ({ is: 'least' as const, bound, unit });

const TARGETS: readonly Target[] = [
  {
    ...{ number: '1', scenario: 'burst', what: 'burst chat, CPU × passthrough' },
    ...{ ...most(1.5, '×'), figure: own('burstRatio') },
  },
  {
    ...{ number: '2a', scenario: 'burst', what: 'burst chat, times less CPU than createAgent' },
    ...{ ...least(60, '×'), figure: timesLess('burstOfCreateAgent') },
  },
  {
    ...{ number: '2b', scenario: 'burst', what: 'burst chat, times less CPU than AI SDK' },
    ...{ ...least(40, '×'), figure: timesLess('burstOfAiSdk') },
  },
  {
    ...{ number: '3', scenario: 'paced', what: 'paced, CPU per chunk × passthrough' },
    ...{ ...most(1.15, '×'), figure: own('pacedRatio') },
  },
  {
    ...{ number: '4a', scenario: 'tools', what: 'one tool, times less CPU than createAgent' },
    ...{ ...least(30, '×'), figure: timesLess('oneToolOfCreateAgent') },
  },
  {
    ...{ number: '4b', scenario: 'tools', what: 'three tools, times less CPU than createAgent' },
    ...{ ...least(30, '×'), figure: timesLess('threeToolsOfCreateAgent') },
  },
  {
    ...{ number: '5a', scenario: 'first-token', what: 'first-token overhead p50, chat' },
    ...{ ...most(0.6, 'ms'), figure: own('firstChatMs') },
  },
  {
    ...{ number: '5b', scenario: 'first-token', what: 'first-token overhead p50, one tool of 50 ms' },
    ...{ ...most(0.9, 'ms'), figure: own('firstOneToolMs') },
  },
  {
    ...{ number: '5c', scenario: 'first-token', what: 'first-token overhead p50, three tools of 50 ms' },
    ...{ ...most(1.2, 'ms'), figure: own('firstThreeToolsMs') },
  },
  {
    ...{ number: '6', scenario: 'open-streams', what: 'memory per open stream, 500 open' },
    ...{ ...most(64, 'KB'), figure: own('streamKb') },
  },
  {
    ...{ number: '7a', scenario: 'growth', what: 'CPU per message of history' },
    ...{ ...most(3, 'µs'), figure: own('messageUs') },
  },
  {
    ...{ number: '7b', scenario: 'growth', what: 'CPU per extra tool' },
    ...{ ...most(2, 'µs'), figure: own('toolUs') },
  },
  {
    ...{ number: '8', scenario: 'parts', what: 'database CPU per request' },
    ...{ ...most(35, 'µs'), figure: own('databaseUs') },
  },
  {
    ...{ number: '9', scenario: 'start', what: 'second start to listening' },
    ...{ ...most(500, 'ms'), figure: own('startMs') },
  },
  {
    ...{
      number: '10',
      scenario: 'open-streams',
      what: 'upstream streams left 1.5 s after 500 clients vanish',
    },
    ...{ ...most(0, ''), figure: own('streamsLeft') },
  },
  {
    ...{ number: '11', scenario: 'large-database', what: 'burst chat on a large database × a fresh one' },
    ...{ ...most(1.1, '×'), figure: own('largeRatio') },
  },
  {
    ...{ number: '12', scenario: 'budgets', what: 'burst chat with three budgets on the way × without any' },
    ...{ ...most(1.05, '×'), figure: own('budgetsRatio') },
  },
  {
    ...{ number: '13a', scenario: 'telemetry', what: 'counting a burst chat for metrics, of its CPU' },
    ...{ ...most(1, '%'), figure: own('countingShare') },
  },
  {
    ...{
      number: '13b',
      scenario: 'telemetry',
      what: 'burst chat while metrics are read 3 times a second × not',
    },
    ...{ ...most(1.05, '×'), figure: own('scrapedRatio') },
  },
  {
    ...{ number: '13c', scenario: 'telemetry', what: 'burst chat that is sent as a trace × not' },
    ...{ ...most(1.15, '×'), figure: own('tracedRatio') },
  },
  {
    ...{ number: '14a', scenario: 'shapes', what: 'burst chat, dearest provider’s events × cheapest' },
    ...{ ...most(1.25, '×'), figure: own('shapeBurstRatio') },
  },
  {
    ...{ number: '14b', scenario: 'shapes', what: 'paced, dearest provider’s events × cheapest' },
    ...{ ...most(1.25, '×'), figure: own('shapePacedRatio') },
  },
];

type Judged = Pick<Found, 'measures' | 'failures' | 'skipped'>;

export function rowsFor({ measures, failures, skipped }: Judged): Row[] {
  return TARGETS.map((target) => {
    const { number, what, scenario, unit, bound, is } = target;
    const figure = target.figure(measures, OURS);
    const rulesAlone = target.figure(measures, RULES);
    const failure = failures.find((remark) => remark.scenario === scenario && remark.contender === OURS);
    const remark =
      failure ?? (figure === undefined ? skipped.find((one) => one.scenario === scenario) : undefined);
    const isReached = figure !== undefined && (is === 'most' ? figure <= bound : figure >= bound);
    return {
      ...{ number, what, unit, is },
      target: `${is === 'most' ? '≤' : '≥'} ${String(bound)}${unit === '' ? '' : ` ${unit}`}`,
      figure: figure ?? null,
      ...(rulesAlone === undefined ? {} : { rulesAlone }),
      verdict: failure
        ? 'failed'
        : figure === undefined
          ? 'not measured'
          : isReached
            ? 'pass'
            : 'falls short',
      ...(remark ? { remark: remark.reason } : {}),
    };
  });
}
