import type { Passed } from './tests-api.ts';

export const verdictOf = (passed: Passed): 'passed' | 'failed' | 'undecided' => {
  if (passed === null) return 'undecided';
  return passed ? 'passed' : 'failed';
};
