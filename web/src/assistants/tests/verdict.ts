import type { Passed } from './tests-api.ts';

const LOOKS = {
  passed: { tone: 'good', icon: 'check' },
  failed: { tone: 'bad', icon: 'close' },
  undecided: { tone: 'warn', icon: 'warning' },
} as const;

export const verdictOf = (passed: Passed): 'passed' | 'failed' | 'undecided' => {
  if (passed === null) return 'undecided';
  return passed ? 'passed' : 'failed';
};

export const lookOf = (passed: Passed) => LOOKS[verdictOf(passed)];
