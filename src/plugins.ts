import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfConnector } from './core/connector.js';
import { safeLabel } from './core/label.js';
import type { Logger } from './core/log.js';
import type { Plugins } from './core/plugins.js';
import { faultsOfProcessor } from './core/processor.js';
import { faultsOfTool } from './core/tool-faults.js';

/** Reads the three plug-in folders below `root`. One bad file is named in the log and never stops the others. */
export async function loadAllPlugins(root: URL, log: Logger): Promise<Plugins> {
  const [tools, connectors, processors] = await Promise.all([
    loadPlugins(new URL('tools/', root), faultsOfTool, log),
    loadPlugins(new URL('agents/connectors/', root), faultsOfConnector, log),
    loadPlugins(new URL('agents/processors/', root), faultsOfProcessor, log),
  ]);
  return { tools, connectors, processors } as Plugins;
}

/** Each file's default export, by name, which must be the file's own: so no two can collide. */
export async function loadPlugins(
  folder: URL,
  faultsOf: (candidate: unknown) => readonly string[],
  log: Logger,
): Promise<ReadonlyMap<string, unknown>> {
  const files = (await readdir(folder))
    .filter((file) => /\.(ts|js|mjs)$/.test(file) && !file.endsWith('.d.ts'))
    .sort();
  const loaded = await Promise.all(files.map((file) => loadPlugin(new URL(file, folder), faultsOf)));
  const plugins = new Map<string, unknown>();
  files.forEach((file, i) => {
    const { name } = parse(file);
    const { value, faults } = loaded[i] as Loaded;
    if (faults.length === 0 && plugins.has(name)) faults.push(`another file is called ${name} too`);
    if (faults.length === 0) plugins.set(name, value);
    else log.error({ file, folder: nameOf(folder), faults }, 'plug-in was skipped');
  });
  return plugins;
}

interface Loaded {
  readonly value?: unknown;
  readonly faults: string[];
}

async function loadPlugin(file: URL, faultsOf: (candidate: unknown) => readonly string[]): Promise<Loaded> {
  try {
    const { default: value } = (await import(file.href)) as { readonly default?: unknown };
    return { value, faults: [...faultsOf(value), ...misnamed(value, parse(fileURLToPath(file)).name)] };
  } catch (fault) {
    // The author needs the reason; a plug-in's own file holds nobody's data.
    const reason = fault instanceof Error ? fault.message : String(fault);
    return { faults: [`it could not be loaded: ${safeLabel(reason)}`] };
  }
}

function misnamed(value: unknown, fileName: string): string[] {
  const name = (value as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' && name !== fileName ? [`its "name" must be its file's: ${fileName}`] : [];
}

function nameOf(folder: URL): string {
  return parse(fileURLToPath(folder)).name;
}
