import type { z } from 'zod';

/**
 * What a route takes and what it answers with, for whoever writes a client. Beside the routes of each area there is a list of
 * these, made of the schemas that parse what is sent and of those in `src/http/contract`. It is loaded when somebody
 * first asks for the description: no start and no request waits for it.
 */
export interface Operation {
  /** What it does, in a few words. */
  readonly summary: string;
  readonly description?: string;
  /** What its address holds; parts that are not named here are texts. */
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: RequestBody;
  readonly answers: Readonly<Record<number, Answer | readonly Answer[]>>;
  /** Statuses of refusals, besides those that follow from the rest of this. */
  readonly errors?: readonly number[];
  /** Headers of what is answered, each with what it says. */
  readonly sends?: Readonly<Record<string, string>>;
  /** Whom it is for; unless it says so, whoever has a key, a session or a visit. */
  readonly access?: 'everybody' | 'browser of a visit';
  /** People who come with a browser are told of refusals in a page. */
  readonly refusesInPages?: true;
}

/** By method and path, as the router has them: `GET /lamb/v1/assistants/:id`. */
export type Operations = Readonly<Record<string, Operation>>;

export interface DescribedArea {
  /** What it is about: operations are listed by it. */
  readonly subject: string;
  readonly about: string;
  readonly operations: Operations;
}

/** JSON by its schema, anything else by its media types; null for nothing. */
export type Answer = z.ZodType | Bytes | Events | null;

export interface Bytes {
  readonly mediaTypes: readonly string[];
}

/** Server-sent events; the schema is of what stands after `data:` in each. */
export interface Events {
  readonly events: z.ZodType;
}

export type RequestBody = z.ZodType | MaybeBody | Form | readonly (z.ZodType | Form)[];

export interface MaybeBody {
  readonly optional: z.ZodType;
}

/** A form, as browsers and platforms send it. */
export interface Form {
  readonly mediaType: 'multipart/form-data' | 'application/x-www-form-urlencoded';
  /** Of the fields `file`. */
  readonly files?: 'one' | 'several';
  readonly fields: z.ZodType;
}

export const bytes = (...mediaTypes: readonly string[]): Bytes => ({ mediaTypes });
export const events = (schema: z.ZodType): Events => ({ events: schema });
export const optional = (schema: z.ZodType): MaybeBody => ({ optional: schema });
