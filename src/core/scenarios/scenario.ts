import { z } from 'zod';
import type { Timestamp } from '../base/ids.js';

/** A conversation that an assistant is tried with, and what is expected of its answers. */
export const SCENARIO_LIMITS = {
  ofAssistant: 200,
  messages: 20,
  message: 10_000,
  allMessages: 30_000,
  expectations: 20,
  name: 200,
  text: 2_000,
  pattern: 500,
} as const;

const EMPTY = 'must not be empty';
const Text = z
  .string()
  .max(SCENARIO_LIMITS.text)
  .refine((text) => text.trim() !== '', EMPTY);
const Name = z.string().trim().min(1, EMPTY).max(200);
const Count = z.number().int().min(1, 'must be at least 1').max(1_000_000);

const Kinds = {
  contains: Text,
  not_contains: Text,
  matches: z.string().min(1, EMPTY).max(SCENARIO_LIMITS.pattern),
  cites: z
    .strictObject({ collection: Name.optional(), document: Name.optional() })
    .refine(
      ({ collection, document }) => (collection === undefined) !== (document === undefined),
      'must name a collection or a document',
    ),
  calls: z.strictObject({
    tool: Name,
    function: Name.optional(),
    arguments: z
      .record(z.string().max(200), z.unknown())
      .refine((args) => JSON.stringify(args).length <= SCENARIO_LIMITS.text, 'must be shorter')
      .optional(),
  }),
  not_calls: z.strictObject({ tool: Name }),
  refuses: z.literal(true, 'must be true'),
  language: z.string().regex(/^[a-z]{2}$/, 'must be two letters, such as "ca"'),
  max_rounds: Count,
  max_cost: z.number().positive('must be above 0').max(1_000_000),
  rubric_at_least: z.strictObject({
    rubric_id: Name,
    points: z.number().positive('must be above 0: every answer has that').max(1_000_000),
  }),
  judged: Text,
} as const;

export type ExpectationKind = keyof typeof Kinds;
const KINDS = Object.keys(Kinds) as ExpectationKind[];

/** One thing that an answer is to be, or is not to be. */
export const Expectation = z
  .strictObject({
    ...z.object(Kinds).partial().shape,
    /** Of the answer to which message, counted from 1; without it the last. */
    turn: Count.optional(),
  })
  .superRefine((expectation, ctx) => {
    const named = KINDS.filter((kind) => expectation[kind] !== undefined);
    if (named.length === 1) return;
    const message =
      named.length === 0
        ? `must hold one of ${KINDS.join(', ')}`
        : `must hold one thing alone: split ${named.join(' and ')}`;
    ctx.addIssue({ code: 'custom', message });
  });
export type Expectation = z.output<typeof Expectation>;

export function kindOf(expectation: Expectation): ExpectationKind {
  return KINDS.find((kind) => expectation[kind] !== undefined) ?? 'contains';
}

export const ScenarioContent = z
  .strictObject({
    name: z.string().trim().min(1, EMPTY).max(SCENARIO_LIMITS.name),
    messages: z
      .array(
        z.strictObject({
          role: z.literal('user', 'must be "user"'),
          content: z
            .string()
            .max(SCENARIO_LIMITS.message)
            .refine((text) => text.trim() !== '', EMPTY),
        }),
      )
      .min(1, 'must hold at least one message')
      .max(SCENARIO_LIMITS.messages)
      .refine(
        (all) => all.reduce((sum, { content }) => sum + content.length, 0) <= SCENARIO_LIMITS.allMessages,
        `must have at most ${String(SCENARIO_LIMITS.allMessages)} characters in all`,
      ),
    expect: z
      .array(Expectation)
      .min(1, 'must hold at least one expectation: without, it could not fail')
      .max(SCENARIO_LIMITS.expectations),
    required: z.boolean().default(true),
  })
  .superRefine(({ messages, expect }, ctx) => {
    expect.forEach(({ turn }, at) => {
      if (turn === undefined || turn <= messages.length) return;
      ctx.addIssue({
        code: 'custom',
        path: ['expect', at, 'turn'],
        message: `there are ${String(messages.length)} messages`,
      });
    });
  });
export type ScenarioContent = z.output<typeof ScenarioContent>;

export interface Scenario extends ScenarioContent {
  readonly id: number;
  readonly assistantId: number;
  /** Of what is asked and expected: with another it is another scenario. */
  readonly hash: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface ScenarioStore {
  /** All of an assistant, oldest first: there are never many. */
  list(assistantId: number): Promise<readonly Scenario[]>;
  get(id: number): Promise<Scenario | undefined>;
  /** All of them or none; 'too many' when the assistant would have more than `most`. */
  add(
    assistantId: number,
    contents: readonly HashedScenario[],
    most: number,
  ): Promise<readonly Scenario[] | 'too many'>;
  replace(id: number, content: HashedScenario): Promise<Scenario | undefined>;
  delete(id: number): Promise<boolean>;
}

export type HashedScenario = ScenarioContent & Pick<Scenario, 'hash'>;
