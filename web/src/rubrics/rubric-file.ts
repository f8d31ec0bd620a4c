import type { Rubric } from '../../../src/http/contract/resources.ts';
import type { RubricContent } from './rubrics-api.ts';

/** LAMB's shape, so that its files and ours are the same. */
export function fileOf({ title, description, rubric_data }: Rubric): {
  readonly name: string;
  readonly bytes: Blob;
} {
  const text = JSON.stringify({ ...rubric_data, title, description }, null, 2);
  return { name: `${safeName(title)}.json`, bytes: new Blob([text], { type: 'application/json' }) };
}

/** What a file holds: a rubric as we keep it, or LAMB's alone. Undefined when it is neither; the service judges the rest. */
export function contentIn(text: string, filename: string): RubricContent | undefined {
  const read = objectIn(text);
  if (!read) return undefined;
  const data = objectOf(read.rubric_data) ?? objectOf(read.rubric) ?? read;
  const title = textOf(read.title) ?? textOf(data.title) ?? filename.replace(/\.json$/i, '');
  const description = textOf(read.description) ?? textOf(data.description);
  return {
    title,
    ...(description === undefined ? {} : { description }),
    rubric_data: data,
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A title may hold what no file system takes. */
const safeName = (title: string): string =>
  title
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100) || 'rubric';
