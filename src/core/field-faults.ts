import type { z } from 'zod';
import type { FieldFault } from './errors.js';

/** What can be wrong with a value, for forms that say it in their reader's words. */
export const FAULT_CODES = [
  'required',
  'text',
  'number',
  'whole',
  'least',
  'most',
  'above',
  'below',
  'shorter',
  'longer',
  'pattern',
  'choice',
  'fewer',
  'more',
  'kind',
] as const;
export type ValueFault = (typeof FAULT_CODES)[number];

interface Found {
  readonly code: ValueFault;
  readonly bound?: number;
  readonly message: string;
}

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** A schema's own sentence goes before these. Given to `safeParse`, so that nobody reads what a library calls a fault. */
export const IN_PLAIN_WORDS = { error: (issue: z.core.$ZodRawIssue) => found(issue)?.message };

export function fieldFault(path: string, issue: z.core.$ZodIssue): FieldFault {
  const { code, bound } = found(issue) ?? {};
  // What a schema says itself may be more than its kind: where it does, the sentence stands.
  const isOwn = code !== undefined && found(issue)?.message !== issue.message;
  return {
    ...{ path, message: issue.message },
    ...(code === undefined || (isOwn && code === 'pattern') ? {} : { code }),
    ...(bound === undefined ? {} : { bound }),
  };
}

const KINDS: Readonly<Record<string, readonly [ValueFault, string]>> = {
  string: ['text', 'must be text'],
  number: ['number', 'must be a number'],
  int: ['whole', 'must be a whole number'],
  boolean: ['kind', 'must be true or false'],
  array: ['kind', 'must be a list'],
  object: ['kind', 'must be an object'],
  record: ['kind', 'must be an object'],
};

function found(issue: Issue): Found | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return wrongKind(String(issue.expected), isMissing(issue));
    case 'too_small':
      return tooSmall(String(issue.origin), Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return tooBig(String(issue.origin), Number(issue.maximum), issue.inclusive !== false);
    case 'invalid_value':
      return { code: 'choice', message: `must be one of ${issue.values.map(String).join(', ')}` };
    case 'invalid_format':
      return { code: 'pattern', message: 'does not have the right form' };
    default:
      return undefined;
  }
}

/** Before a fault is told its value is at hand; afterwards its sentence says the same. */
function isMissing(issue: Issue): boolean {
  return 'input' in issue ? issue.input === undefined : issue.message === REQUIRED.message;
}

const REQUIRED: Found = { code: 'required', message: 'is needed' };

function wrongKind(expected: string, isUnsaid: boolean): Found {
  if (isUnsaid) return REQUIRED;
  const [code, message] = KINDS[expected] ?? (['kind', 'is not of the right kind'] as const);
  return { code, message };
}

function tooSmall(origin: string, bound: number, isInclusive: boolean): Found {
  const least = String(bound);
  if (origin === 'string') {
    return bound === 1
      ? { code: 'required', message: 'must not be empty' }
      : { code: 'shorter', bound, message: `must have at least ${least} characters` };
  }
  if (isCounted(origin)) return { code: 'fewer', bound, message: `must have at least ${least}` };
  return isInclusive
    ? { code: 'least', bound, message: `must be at least ${least}` }
    : { code: 'above', bound, message: `must be more than ${least}` };
}

function tooBig(origin: string, bound: number, isInclusive: boolean): Found {
  const most = String(bound);
  if (origin === 'string') return { code: 'longer', bound, message: `must have at most ${most} characters` };
  if (isCounted(origin)) return { code: 'more', bound, message: `must have at most ${most}` };
  return isInclusive
    ? { code: 'most', bound, message: `must be at most ${most}` }
    : { code: 'below', bound, message: `must be less than ${most}` };
}

const isCounted = (origin: string): boolean => ['array', 'set', 'map', 'object'].includes(origin);
