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
