import type { FunctionSpec } from '../../src/core/connector.js';
import type { NumberedSource } from '../../src/core/runs/event.js';

/** What the offline demo can do instead of understanding: compare words. */

const MOST_CALLS = 3;
const MOST_SENTENCES = 3;
const STEM = 5;
/** Words that say nothing about a subject. */
const COMMON = new Set(
  'about are can could does for from get give has have how into its me more much please tell than that the their them then there these they this what when where which who why will with you your and any was were'.split(
    ' ',
  ),
);

/** The functions whose name and description share most words with the question. */
export function fittingFunctions(question: string, functions: readonly FunctionSpec[]): FunctionSpec[] {
  const wanted = stemsOf(question);
  const scored = functions
    .map((spec) => ({ spec, score: overlap(wanted, stemsOf(`${spec.name} ${spec.description}`)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const best = scored[0]?.score ?? 0;
  return scored
    .filter(({ score }) => score * 2 >= best)
    .slice(0, MOST_CALLS)
    .map(({ spec }) => spec);
}

/** A text, and the number it is to be cited by, if it has one. */
export interface Material {
  readonly text: string;
  readonly n: number | undefined;
}

/** What was found, parted at the lines that number passages. */
export function materialIn(text: string, sources: readonly NumberedSource[]): Material[] {
  const heads = new Map(sources.map(({ n, title }) => [`[${String(n)}] ${title}`, n]));
  const material: { n: number | undefined; lines: string[] }[] = [{ n: undefined, lines: [] }];
  for (const line of text.split('\n')) {
    const n = heads.get(line);
    if (n === undefined) material.at(-1)?.lines.push(line);
    else material.push({ n, lines: [] });
  }
  return material.map(({ n, lines }) => ({ n, text: lines.join('\n') }));
}

/** What the material is headed, in its order. */
export function headingsIn(material: readonly Material[]): string[] {
  return material.flatMap(({ text }) =>
    [...text.matchAll(/^#{1,2} +(\S.*?)\s*$/gm)].map(([, heading = '']) => heading),
  );
}

/** The sentences that share most words with the question, in the order they stand. */
export function bestSentences(question: string, material: readonly Material[]): Material[] {
  const wanted = stemsOf(question);
  const sentences = material.flatMap(({ text, n }) =>
    text
      .split(/(?<=[.!?])\s+|\n+/)
      .map((line) => ({ text: line.replace(/^[#>*\-\s]+/, '').trim(), n }))
      .filter((sentence) => /[.!?]$/.test(sentence.text)),
  );
  const scored = [...new Map(sentences.map((sentence) => [sentence.text, sentence])).values()]
    .map((sentence, place) => ({ sentence, place, score: overlap(wanted, stemsOf(sentence.text)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.place - b.place);
  const chosen = scored.slice(0, MOST_SENTENCES).sort((a, b) => a.place - b.place);
  return chosen.map(({ sentence }) => sentence);
}

/** Something of the right type for every required parameter; texts get the question, a city a name found in it. */
export function guessArguments({ parameters }: FunctionSpec, question: string): Record<string, unknown> {
  const properties = (parameters['properties'] ?? {}) as Record<string, { type?: string; enum?: unknown[] }>;
  const required = (parameters['required'] ?? []) as string[];
  return Object.fromEntries(
    required.map((name) => {
      const property = properties[name] ?? {};
      if (property.enum) return [name, property.enum[0]];
      if (property.type === 'integer' || property.type === 'number') return [name, 1];
      if (property.type === 'boolean') return [name, false];
      if (property.type === 'array') return [name, []];
      return [name, name === 'city' ? properName(question) : question];
    }),
  );
}

/** The first capitalised words that do not open the sentence. */
function properName(question: string): string {
  return /(?<=\S\s+)\p{Lu}[\p{L}'-]+(?:\s+\p{Lu}[\p{L}'-]+)*/u.exec(question)?.[0] ?? question.slice(0, 100);
}

function stemsOf(text: string): Set<string> {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)).map((word) => word.slice(0, STEM)));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((stem) => b.has(stem)).length;
}
