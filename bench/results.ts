import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import type { Measures } from './bench.js';
import { canPin } from './processes.js';
import type { Settings } from './settings.js';
import { type Row, rowsFor } from './targets.js';
import { type Conditions, withLast } from './trend.js';

/** Everything a run has found, as it is kept: the figures of the documentation come from nowhere else. */
export interface Results {
  readonly command: string;
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly processor: string;
  /** Whether everybody was kept to a core of their own. */
  readonly pinned: boolean;
  /** Which part of the machine its host gave to others meanwhile. */
  readonly stolen?: number;
  /** How long all of it took. */
  readonly seconds?: number;
  /** The other Node that was measured beside this one. */
  readonly otherNode?: string;
  /** Of the run that targets are held against. */
  readonly before?: Conditions;
  readonly settings: Settings;
  readonly peers: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
  readonly targets: readonly Row[];
  readonly measures: Measures;
  readonly failures: readonly Remark[];
  readonly skipped: readonly Remark[];
}

export interface Remark {
  readonly scenario: string;
  readonly contender?: string;
  readonly reason: string;
}

export type Found = Omit<Results, keyof ReturnType<typeof conditions> | 'peers' | 'targets' | 'before'>;

/** Of a full run, kept with the project. */
export const LATEST = fileURLToPath(new URL('results/latest.json', import.meta.url));
/** Of any other, for oneself. */
export const PARTIAL = fileURLToPath(new URL('results/partial.json', import.meta.url));

const PACKAGE = new URL('package.json', import.meta.url);

/** Beside what the last kept run found, where there is one to compare with. */
export async function resultsOf(found: Found, last?: Results): Promise<Results> {
  const { dependencies } = JSON.parse(await readFile(PACKAGE, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const before = last && { date: last.date, node: last.node, cores: last.cores, processor: last.processor };
  return {
    ...{ ...found, ...conditions(), peers: dependencies, targets: withLast(rowsFor(found), last) },
    ...(before ? { before } : {}),
  };
}

/** When and where. */
export function conditions() {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cores: cpus().length,
    processor: `${process.arch} ${cpus()[0]?.model ?? ''}`.trim(),
    pinned: canPin,
  };
}

export async function writeResults(file: string, results: object): Promise<void> {
  const options = await prettier.resolveConfig(file);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    await prettier.format(JSON.stringify(results, rounded), { ...options, parser: 'json' }),
  );
}

export async function readResults(file: string): Promise<Results> {
  return JSON.parse(await readFile(file, 'utf8')) as Results;
}

/** Five digits are more than any of this is good for. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
