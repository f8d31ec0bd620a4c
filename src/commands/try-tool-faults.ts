import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../core/log.js';
import type { AnyTool } from '../core/tool.js';

/** What is wrong with a tool, for its author at a terminal: more than anybody else is told. */

const execute = promisify(execFile);

/** The Node that runs, and the folder that paths are shown from. */
export interface Terminal {
  readonly node: string;
  readonly folder: string;
}
const MOST_FRAMES = 5;

export interface WatchedTool {
  readonly tool: AnyTool;
  /** What its own code threw last; undefined when it threw nothing. */
  thrown(): unknown;
}

/** The same tool. What its code throws is heard before the gate makes "The tool failed." of it. */
export function watched(tool: AnyTool): WatchedTool {
  let last: unknown;
  const hear = (fault: unknown): never => {
    last = fault;
    throw fault;
  };
  const listening =
    (work: (...given: unknown[]) => unknown) =>
    (...given: unknown[]): unknown => {
      try {
        const made = work.apply(tool, given);
        return made instanceof Promise ? made.catch(hear) : made;
      } catch (fault) {
        return hear(fault);
      }
    };
  const parts = Object.entries(tool).map(([name, part]: [string, unknown]) => [
    name,
    typeof part === 'function' ? listening(part as (...given: unknown[]) => unknown) : part,
  ]);
  return { tool: Object.fromEntries(parts) as AnyTool, thrown: () => last };
}

/** The author's own exception, and where in the tool's own file it came from. */
export function exceptionReport(thrown: unknown, toolName: string, { folder }: Terminal): string {
  if (!(thrown instanceof Error)) return `It threw what is no Error: ${String(thrown)}`;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => fileOf(toolName).test(line));
  const shown = (own.length > 0 ? own : frames).slice(0, MOST_FRAMES);
  const where = shown.map((frame) => frame.replace('file://', '').replace(join(folder, '/'), ''));
  return [`${thrown.name}: ${thrown.message}`, ...where].join('\n');
}

const fileOf = (toolName: string) => new RegExp(`[\\\\/]${toolName}\\.(?:[cm]?js|ts):\\d+`);

/** A logger that keeps to itself why this tool was not loaded. */
export function hearingSkips(log: Logger, toolName: string) {
  let faults: readonly string[] | undefined;
  const hearing: Logger = {
    debug: (facts, message) => {
      log.debug(facts, message);
    },
    info: (facts, message) => {
      log.info(facts, message);
    },
    warn: (facts, message) => {
      log.warn(facts, message);
    },
    error: (facts, message) => {
      const { file, faults: found } = facts as {
        readonly file?: string;
        readonly faults?: readonly string[];
      };
      if (file !== undefined && parse(file).name === toolName && found) faults = found;
      else log.error(facts, message);
    },
  };
  return { log: hearing, faults: () => faults };
}

/** The file of a tool by its name: in the project, or in one of the folders outside. */
export function sourceOf(toolName: string, root: string, folders: readonly string[]): string | undefined {
  const candidates = [join(root, 'tools'), ...folders].flatMap((folder) =>
    ['ts', 'mjs', 'js'].map((ending) => join(folder, `${toolName}.${ending}`)),
  );
  return candidates.find((file) => existsSync(file));
}

/** Where Node cannot read it, with the line: an import says only what is wrong, not where. */
export async function syntaxReport(file: string, { node, folder }: Terminal): Promise<string | undefined> {
  try {
    await execute(node, ['--check', file]);
    return undefined;
  } catch (fault) {
    const { stderr = '' } = fault as { readonly stderr?: string };
    const told = stderr.split(/\n\s+at /, 1)[0]?.trim() ?? '';
    return told === '' ? undefined : told.replace(join(folder, '/'), '');
  }
}
