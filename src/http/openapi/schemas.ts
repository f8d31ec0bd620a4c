import { z } from 'zod';
import * as activities from '../contract/activities.js';
import * as admin from '../contract/admin.js';
import * as assistants from '../contract/assistants.js';
import * as budgets from '../contract/budgets.js';
import * as chat from '../contract/chat.js';
import * as common from '../contract/common.js';
import * as knowledge from '../contract/knowledge.js';
import * as lti from '../contract/lti.js';
import * as completions from '../contract/openai/completions.js';
import * as responses from '../contract/openai/responses.js';
import * as resources from '../contract/resources.js';
import * as runs from '../contract/runs.js';
import * as submissions from '../contract/submissions.js';
import * as tools from '../contract/tools.js';
import * as usage from '../contract/usage.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whose schemas have names in the description, by what they are exported as. */
const CONTRACT: Readonly<Record<string, object>> = {
  ...{ common, chat, completions, responses, assistants, tools, knowledge, runs, usage, resources },
  ...{ admin, budgets, lti, activities, submissions },
};

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface SchemaWriter {
  /** What somebody may send: what has a default may be left out. */
  request(schema: z.ZodType): JsonSchema;
  /** What they are answered with. */
  answer(schema: z.ZodType): JsonSchema;
  /** Of an address, its query or the headers. */
  properties(schema: z.ZodType): readonly Property[];
  /** All that were written by their names so far. */
  named(): JsonSchema;
}

/** Writes zod's schemas as the JSON Schema of OpenAPI 3.1. */
export function createSchemaWriter(): SchemaWriter {
  const names = namesOf(CONTRACT);
  const named: Record<string, unknown> = {};

  const written = new Map<z.ZodType, JsonSchema>();
  const answer = (schema: z.ZodType): JsonSchema => {
    const known = written.get(schema) ?? writeAnswer(schema);
    written.set(schema, known);
    return known;
  };
  const writeAnswer = (schema: z.ZodType): JsonSchema => {
    const { $defs, ...whole } = toJson(schema, 'output', names);
    for (const [name, one] of Object.entries(($defs ?? {}) as JsonSchema)) named[name] ??= referring(one);
    const id = names.get(schema)?.id;
    if (id === undefined) return referring(whole) as JsonSchema;
    named[id] ??= referring(whole);
    return { $ref: `#/components/schemas/${id}` };
  };
  const request = (schema: z.ZodType) => toJson(schema, 'input', NO_NAMES);

  return {
    answer,
    request,
    properties(schema) {
      const { properties = {}, required = [] } = request(schema) as {
        readonly properties?: Readonly<Record<string, JsonSchema>>;
        readonly required?: readonly string[];
      };
      return Object.entries(properties).map(([name, one]) => ({
        ...{ name, required: required.includes(name), schema: one },
      }));
    },
    named: () => Object.fromEntries(Object.entries(named).sort(([a], [b]) => a.localeCompare(b))),
  };
}

type Names = ReturnType<typeof namesOf>;
const NO_NAMES: Names = z.registry<{ id: string }>();

/** Two rooms may call different things by one name; then the second is told by its room as well. */
function namesOf(contract: Readonly<Record<string, object>>) {
  const names = z.registry<{ id: string }>();
  const taken = new Set<string>();
  for (const [room, exported] of Object.entries(contract)) {
    for (const [name, schema] of Object.entries(exported)) {
      if (!isSchema(schema)) continue;
      const id = taken.has(name) ? room.charAt(0).toUpperCase() + room.slice(1) + name : name;
      taken.add(id);
      names.add(schema, { id });
    }
  }
  return names;
}

export const isSchema = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

function toJson(schema: z.ZodType, io: 'input' | 'output', metadata: Names): JsonSchema {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
    ...{ io, metadata, unrepresentable: 'any', reused: 'inline' },
    override({ zodSchema, jsonSchema }) {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
      // The format says the same in one word.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return written;
}

/**
 * With its names where OpenAPI keeps them, and open: a key more in an answer is no break, so that no client should refuse it.
 * Tests look at answers more closely (`test/support/described-answers.ts`).
 */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, inner]) => key !== 'additionalProperties' || inner !== false)
    .map(([key, inner]): [string, unknown] =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, referring(inner)],
    );
  return Object.fromEntries(entries);
}
