import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Call, CallCase, OfferedFunction, Turn } from './case.js';
import { readPythonCall } from './python-call.js';

/**
 * The format of the Berkeley function-calling collection: a line of JSON for each case in `BFCL_v…_<category>.json`, what
 * may be called for it under the same name in `possible_answer/`, and for conversations the functions of each class in
 * `multi_turn_func_doc/`.
 */

const Definition = z.object({
  name: z.string(),
  description: z.string().default(''),
  parameters: z.record(z.string(), z.unknown()),
});
const Case = z.object({
  id: z.string(),
  question: z.array(z.array(z.object({ role: z.string(), content: z.string() }))),
  function: z.union([z.array(Definition), Definition.transform((one) => [one])]).optional(),
  involved_classes: z.array(z.string()).default([]),
});
const Choices = z.record(z.string(), z.record(z.string(), z.array(z.unknown())));
const Answer = z.object({
  id: z.string(),
  ground_truth: z.union([z.array(Choices), z.array(z.array(z.string()))]),
});

const FILE = /^BFCL_v\w+?_(.+)\.json$/;
/** In which file the functions of a class stand. */
const CLASSES: Readonly<Record<string, string>> = {
  GorillaFileSystem: 'gorilla_file_system',
  MathAPI: 'math_api',
  MessageAPI: 'message_api',
  TwitterAPI: 'posting_api',
  TicketAPI: 'ticket_api',
  TradingBot: 'trading_bot',
  TravelAPI: 'travel_booking',
  VehicleControlAPI: 'vehicle_control',
};

/** All cases whose right calls are known; others cannot be replayed. */
export async function readCases(folder: string): Promise<CallCase[]> {
  const cases: CallCase[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const category = FILE.exec(file)?.[1];
    const answers = join(folder, 'possible_answer', file);
    if (category === undefined || !existsSync(answers)) continue;
    const known = new Map((await linesOf(answers, Answer)).map(({ id, ground_truth }) => [id, ground_truth]));
    for (const given of await linesOf(join(folder, file), Case)) {
      const truth = known.get(given.id);
      if (!truth) continue;
      const defined = given.function ?? (await functionsOf(given.involved_classes, folder));
      cases.push({ id: given.id, category, functions: defined.map(offered), turns: turnsOf(given, truth) });
    }
  }
  return cases;
}

async function linesOf<Row>(file: string, schema: z.ZodType<Row>): Promise<Row[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => schema.parse(JSON.parse(line)));
}

async function functionsOf(classes: readonly string[], folder: string) {
  const files = classes.map((name) => `${CLASSES[name] ?? name}.json`);
  const all = files.map((file) => linesOf(join(folder, 'multi_turn_func_doc', file), Definition));
  return (await Promise.all(all)).flat();
}

/** Names on the wire have no dots. */
const wireName = (name: string) => name.replaceAll(/[^\w-]/g, '_').slice(0, 64);

function offered({ name, description, parameters }: z.output<typeof Definition>): OfferedFunction {
  return { name: wireName(name), description: description.slice(0, 1_000), parameters: schemaOf(parameters) };
}

/** The collection has types of Python; one that JSON Schema does not know says nothing. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ dict: 'object', object: 'object', string: 'string', integer: 'integer', float: 'number' },
  ...{ number: 'number', boolean: 'boolean', array: 'array', list: 'array', tuple: 'array' },
};

function schemaOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type, properties, items, required, description, enum: values } = given;
  const known = typeof type === 'string' ? TYPES[type] : undefined;
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(values) ? { enum: values as unknown[] } : {}),
    ...(known === 'object' ? { properties: eachSchema(properties), required: required ?? [] } : {}),
    ...(known === 'array' && isObject(items) ? { items: schemaOf(items) } : {}),
  };
}

const eachSchema = (properties: unknown) =>
  Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [
      ...[name, isObject(each) ? schemaOf(each) : {}],
    ]) as [string, object][],
  );

function turnsOf(
  { question }: z.output<typeof Case>,
  truth: z.output<typeof Answer>['ground_truth'],
): Turn[] {
  const asked = question.map((messages) =>
    messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n'),
  );
  const isConversation = truth.some(Array.isArray);
  return asked.map((text, at) => {
    const calls = isConversation
      ? (truth[at] as string[] | undefined)?.map(readPythonCall)
      : (truth as z.output<typeof Choices>[]).flatMap(chosen);
    return {
      question: text === '' ? 'Go on.' : text,
      calls: (calls ?? []).map((call) => ({ ...call, name: wireName(call.name) })),
    };
  });
}

/** The first of what would be right. An empty text says that an argument may be left out. */
function chosen(choices: z.output<typeof Choices>): Call[] {
  return Object.entries(choices).map(([name, each]) => ({ name, arguments: firstOfEach(each) }));
}

function firstOfEach(each: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const firsts = Object.entries(each).map(([name, values]) => [
    ...[name, Array.isArray(values) ? (values[0] as unknown) : values],
  ]) as [string, unknown][];
  return Object.fromEntries(
    firsts.filter(([, first]) => first !== '').map(([name, first]) => [name, concrete(first)]),
  );
}

function concrete(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concrete);
  return isObject(value) ? firstOfEach(value) : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
