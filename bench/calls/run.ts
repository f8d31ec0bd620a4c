import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installPeers } from '../peers.js';
import { BELLWETHER, PEERS } from './contenders.js';
import { measureCalls } from './measure.js';
import { readCases } from './read-cases.js';
import type { Tally } from './tally.js';

/**
 * Whether the calls of a model arrive as it made them, and those that are wrong do not, beside the libraries that others
 * build agents with. The data is the Berkeley function-calling collection, which is not kept here; a few cases of our own in
 * its format are.
 *
 *   npm run bench:calls -- [--data <folder>] [--most 100] [--alone]
 */

const HEADINGS = ['right', 'refused right', 'mangled', 'lost', 'carried out wrongly'];
const OWN = fileURLToPath(new URL('own', import.meta.url));

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    /** Of each category. */
    most: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
});

// Whatever ends this ends what it has started.
process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));

const folder = options.data === undefined ? OWN : resolve(process.env['INIT_CWD'] ?? '', options.data);
const most = Number(options.most ?? Infinity);
const seen = new Map<string, number>();
const cases = (await readCases(folder)).filter(({ category }) => {
  const before = seen.get(category) ?? 0;
  seen.set(category, before + 1);
  return before < most;
});
if (cases.length === 0) {
  process.stderr.write(
    `${folder} holds no cases whose answers are known (BFCL_v…_*.json, possible_answer/).\n`,
  );
  process.exit(2);
}
if (!options.alone) installPeers((line) => process.stderr.write(`${line}\n`));
process.stdout.write(`${String(cases.length)} cases.\n\n${row('', 'category', HEADINGS)}`);
for (const contender of options.alone ? [BELLWETHER] : [BELLWETHER, ...PEERS]) {
  for (const [category, tally] of await measureCalls(cases, contender))
    process.stdout.write(row(contender.title, category, cells(tally)));
}

function cells({ right, refused, mangled, lost, carriedOut }: Tally): readonly string[] {
  return [right, refused, mangled, lost, carriedOut].map(String);
}

function row(title: string, category: string, numbers: readonly string[]): string {
  return `${title.padEnd(34)}${category.padEnd(26)}${numbers.map((n) => n.padStart(21)).join('')}\n`;
}
