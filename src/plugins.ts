import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfConnector } from './core/connector.js';
import { safeLabel } from './core/label.js';
import type { Logger } from './core/log.js';
import type { Plugins } from './core/plugins.js';
import { faultsOfProcessor } from './core/processor.js';
import { faultsOfTool } from './core/tool.js';

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
  const loaded = await Promise.all(
    files.map(async (file) => {
      const { name } = parse(file);
      const plugin = await importDefault(new URL(file, folder));
      const faults =
        'fault' in plugin ? [plugin.fault] : [...faultsOf(plugin.value), ...misnamed(plugin.value, name)];
      if (faults.length > 0) log.error({ file, folder: nameOf(folder), faults }, 'plug-in was skipped');
      return faults.length > 0 || 'fault' in plugin ? [] : [[name, plugin.value] as const];
    }),
  );
  return new Map(loaded.flat());
}

async function importDefault(file: URL): Promise<{ readonly value: unknown } | { readonly fault: string }> {
  try {
    const module = (await import(file.href)) as { readonly default?: unknown };
    return { value: module.default };
  } catch (fault) {
    // The author needs the reason; a plug-in's own file holds nobody's data.
    return {
      fault: `it could not be loaded: ${safeLabel(fault instanceof Error ? fault.message : String(fault))}`,
    };
  }
}

function misnamed(value: unknown, fileName: string): string[] {
  const name = (value as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' && name !== fileName ? [`its "name" must be its file's: ${fileName}`] : [];
}

function nameOf(folder: URL): string {
  return parse(fileURLToPath(folder)).name;
}
