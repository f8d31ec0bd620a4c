import type { Expectation } from './tests-api.ts';

/** What can be expected of an answer, in the order it is offered. */
export const KINDS = [
  ...(['contains', 'not_contains', 'judged', 'refuses', 'cites', 'calls', 'not_calls'] as const),
  ...(['language', 'max_rounds', 'max_cost', 'matches', 'other'] as const),
] as const;
export type Kind = (typeof KINDS)[number];

/** An expectation as it is written: one field says all of it. */
export interface ExpectationDraft {
  readonly kind: Kind;
  readonly text: string;
  /** Of the answer to which question, counted from 1; undefined for the last. */
  readonly turn: number | undefined;
}

/** How the value of an expectation stands in its field. Undefined where it does not fit in. */
interface Form {
  readonly read: (value: unknown) => string | undefined;
  readonly write: (text: string) => unknown;
}

const asText: Form = {
  read: (value) => (typeof value === 'string' ? value : undefined),
  write: (text) => (text.trim() === '' ? undefined : text),
};
const asNumber: Form = {
  read: (value) => (typeof value === 'number' ? String(value) : undefined),
  write: (text) => (Number(text) > 0 ? Number(text) : undefined),
};
const underKey = (key: string): Form => ({
  read(value) {
    if (typeof value !== 'object' || value === null) return undefined;
    const [entry, ...others] = Object.entries(value);
    return entry?.[0] === key && others.length === 0 ? asText.read(entry[1]) : undefined;
  },
  write: (text) => (text.trim() === '' ? undefined : { [key]: text.trim() }),
});

const FORMS: Readonly<Record<Exclude<Kind, 'other'>, Form>> = {
  ...{ contains: asText, not_contains: asText, judged: asText, matches: asText, language: asText },
  ...{ max_rounds: asNumber, max_cost: asNumber },
  ...{ cites: underKey('document'), calls: underKey('tool'), not_calls: underKey('tool') },
  refuses: { read: (value) => (value === true ? '' : undefined), write: () => true },
};

export const NEW_EXPECTATION: ExpectationDraft = { kind: 'contains', text: '', turn: undefined };

export function draftOf({ turn, ...expected }: Expectation): ExpectationDraft {
  const about = typeof turn === 'number' ? turn : undefined;
  const [[kind, value] = ['', undefined]] = Object.entries(expected);
  const text = Object.hasOwn(FORMS, kind) ? FORMS[kind as keyof typeof FORMS].read(value) : undefined;
  if (text === undefined) return { kind: 'other', text: JSON.stringify(expected), turn: about };
  return { kind: kind as Kind, text, turn: about };
}

/** Undefined while it says nothing that could be expected. */
export function expectationOf({ kind, text, turn }: ExpectationDraft): Expectation | undefined {
  const expected = kind === 'other' ? objectIn(text) : writtenAs(kind, text);
  return expected && { ...expected, ...(turn === undefined ? {} : { turn }) };
}

function writtenAs(kind: Exclude<Kind, 'other'>, text: string): Expectation | undefined {
  const value = FORMS[kind].write(text);
  return value === undefined ? undefined : { [kind]: value };
}

function objectIn(text: string): Expectation | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Expectation)
      : undefined;
  } catch {
    return undefined;
  }
}
