import type { Source } from '../../src/core/runs/event.js';
import type { CitablePassage } from '../../src/core/tool.js';
import { renumber } from './citations.js';
import type { Success } from './invocation.js';
import type { SourceList } from './sources.js';

export const BETWEEN = '\n\n';

/** What the model reads of a call that went well. Its sources have their numbers from here on. */
export function readResult({ content, sources, numbered, passages = [] }: Success, run: SourceList): string {
  run.add(sources);
  const said = numbered
    ? renumber(content, new Map(numbered.map((source) => [source.n, run.numberOf(source)])))
    : content;
  return layOut(said, passages, run.numberOf);
}

export function layOut(
  content: string,
  passages: readonly CitablePassage[],
  numberOf: (source: Source) => number,
): string {
  const [first] = passages;
  if (!first) return content;
  const blocks = passages.map(({ text, source }) => `${headOf(source, numberOf)}${text}`);
  const parts = [
    `Passages, to be cited by their numbers, like [${String(numberOf(first.source))}]:`,
    ...blocks,
  ];
  return (content === '' ? parts : [content, ...parts]).join(BETWEEN);
}

export function headOf(source: Source, numberOf: (source: Source) => number): string {
  return `[${String(numberOf(source))}] ${source.title}\n`;
}
