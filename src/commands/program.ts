import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, readConfig } from '../config.js';
import { createRedactor } from '../core/base/redactor.js';
import { createLogger } from '../log.js';

/** What the programs of this folder have in common. They and this file alone touch the process. */
export const FAILED = 1;
export const MISUSED = 2;
export const INTERRUPTED = 130;

export type GivenArguments<Arguments> =
  | { readonly ok: true; readonly arguments: Arguments }
  | { readonly ok: false; readonly help: boolean; readonly fault: string };

export const helpWanted = { ok: false, help: true, fault: '' } as const;

export function misused(fault: string) {
  return { ok: false, help: false, fault } as const;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function fail(text: string, code: number): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = code;
}

export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/** Undefined when it has faults, which are told. */
export function readConfigOrFail(): Config | undefined {
  const read = readConfig(process.env);
  if (read.ok) return read.config;
  fail(`The configuration has faults:\n${read.faults.map((f) => `  - ${f}`).join('\n')}`, FAILED);
  return undefined;
}

/** Runs once arguments and configuration are read; says what is wrong with them, or how it is used. */
export async function runProgram<Arguments>(program: {
  readonly usage: string;
  readonly read: (given: string[]) => GivenArguments<Arguments>;
  readonly run: (given: Arguments, config: Config) => Promise<void>;
}): Promise<void> {
  loadEnvFile();
  const given = readOrMisused(program.read);
  if (!given.ok) {
    if (given.help) say(program.usage);
    else fail(`${given.fault}\n\n${program.usage}`, MISUSED);
    return;
  }
  const config = readConfigOrFail();
  if (config) await program.run(given.arguments, config);
}

function readOrMisused<Arguments>(
  read: (given: string[]) => GivenArguments<Arguments>,
): GivenArguments<Arguments> {
  try {
    return read(process.argv.slice(2));
  } catch (fault) {
    return misused(fault instanceof Error ? fault.message : 'The arguments cannot be read.');
  }
}

/** npm changes to the project's folder; the path was typed where npm was called. */
export function typedPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? '', path);
}

/** Fires when whoever started it, or the machine, wants it to end. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  return stop.signal;
}

export function createTerminalLogger(level: 'error' | 'warn', redactor = createRedactor()) {
  return createLogger(level, redactor, process.stderr);
}
