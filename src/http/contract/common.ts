import { z } from 'zod';

/** What is answered with, by its schema. Schemas describe; answers are not checked when they are sent. */
export type Told<Schema extends z.ZodType> = Unchangeable<z.output<Schema>>;

type Unchangeable<Value> = Value extends readonly (infer Item)[]
  ? readonly Unchangeable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Unchangeable<Value[Key]> }
    : Value;

/** In UTC. */
export const Moment = z.iso.datetime();

export const FieldFault = z
  .object({
    path: z.string().describe('Where in the body, with dots.'),
    message: z.string(),
    code: z.string().exactOptional().describe('Which kind of fault it is, where forms have words for it.'),
    bound: z.number().exactOptional().describe('The bound that was passed.'),
    name: z.string().exactOptional().describe('What somebody calls that which is wrong.'),
  })
  .describe('What is wrong with one field.');

export const ErrorBody = z
  .object({
    error: z.object({
      message: z.string().describe('What is wrong and what to do, for people.'),
      type: z.string(),
      code: z.string().describe('What is wrong, for programs.'),
      param: z.string().nullable().describe('What of the request it is about.'),
      errors: z.array(FieldFault).exactOptional().describe('Field by field, for forms.'),
    }),
  })
  .describe("A refusal or a failure, in OpenAI's shape.");
export type ErrorBody = Told<typeof ErrorBody>;

/** A list, as far as it was asked for. */
export interface Page<Row> {
  readonly data: readonly Row[];
  /** What to ask for the rest with; null after the last row. */
  readonly next_cursor: string | null;
}

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.array(row),
    next_cursor: z.string().nullable().describe('What to ask for the rest with; null after the last row.'),
  });
