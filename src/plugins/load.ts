import { readdir, realpath } from 'node:fs/promises';
import { register } from 'node:module';
import { basename, parse, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { safeLabel } from '../core/base/text.js';
import { faultsOfConnector } from '../core/connector.js';
import { faultsOfLocalModel, type LocalModel } from '../core/knowledge/local-model.js';
import type { Logger } from '../core/log.js';
import type { Connectors, Plugins } from '../core/plugins.js';
import { faultsOfProcessor } from '../core/processor.js';
import { CODE, entryModule } from '../paths.js';
import type { SharedModules } from './resolve-hook.js';
import { faultsOfTool } from './tool-faults.js';

export interface PluginKind {
  readonly kind: string;
  readonly faultsOf: (candidate: unknown) => readonly string[];
}

/**
 * Reads the three plug-in folders below `root`, and then those with tools from elsewhere. One bad file is named in the
 * log and never stops the others.
 */
export async function loadAllPlugins(
  root: URL,
  log: Logger,
  toolFolders: readonly string[] = [],
): Promise<Plugins> {
  const elsewhere = await Promise.all(toolFolders.map(folderUrl));
  shareModules(elsewhere);
  const below = (path: string) => new URL(path, root);
  const [tools, connectors, processors] = await Promise.all([
    loadPlugins([below('tools/'), ...elsewhere], { kind: 'tool', faultsOf: faultsOfTool }, log),
    loadConnectors(root, log),
    loadPlugins([below('agents/processors/')], { kind: 'processor', faultsOf: faultsOfProcessor }, log),
  ]);
  return { tools, connectors, processors } as Plugins;
}

export async function loadConnectors(root: URL, log: Logger): Promise<Connectors> {
  const folder = new URL('agents/connectors/', root);
  const found = await loadPlugins([folder], { kind: 'connector', faultsOf: faultsOfConnector }, log);
  return found as Connectors;
}

/** Models that can run in this process, whether they are installed or not. */
export async function loadLocalModels(root: URL, log: Logger): Promise<readonly LocalModel[]> {
  const folder = new URL('src/knowledge/local-models/', root);
  const found = await loadPlugins([folder], { kind: 'local model', faultsOf: faultsOfLocalModel }, log);
  return [...found.values()] as LocalModel[];
}

/** Each file's default export, by name, which must be the file's own. Of two with one name the first is taken. */
export async function loadPlugins(
  folders: readonly URL[],
  { kind, faultsOf }: PluginKind,
  log: Logger,
): Promise<ReadonlyMap<string, unknown>> {
  const plugins = new Map<string, unknown>();
  for (const folder of folders) {
    const files = await filesIn(folder);
    const loaded = await Promise.all(files.map((file) => loadPlugin(new URL(file, folder), faultsOf)));
    files.forEach((file, i) => {
      const { name } = parse(file);
      const { value, faults } = loaded[i] as Loaded;
      if (faults.length === 0 && plugins.has(name)) faults.push(`another ${kind} is called ${name}`);
      if (faults.length === 0) plugins.set(name, value);
      else log.error({ file, folder: basename(fileURLToPath(folder)), faults }, 'plug-in was skipped');
    });
  }
  return plugins;
}

async function filesIn(folder: URL): Promise<readonly string[]> {
  const files = await readdir(folder);
  return files.filter((file) => /\.(ts|js|mjs)$/.test(file) && !file.endsWith('.d.ts')).sort();
}

/** By its real path: Node knows every module by that. */
async function folderUrl(path: string): Promise<URL> {
  return pathToFileURL((await realpath(path)) + sep);
}

interface Loaded {
  readonly value?: unknown;
  readonly faults: string[];
}

async function loadPlugin(file: URL, faultsOf: PluginKind['faultsOf']): Promise<Loaded> {
  try {
    const { default: value } = (await import(file.href)) as { readonly default?: unknown };
    return { value, faults: [...faultsOf(value), ...misnamed(value, parse(fileURLToPath(file)).name)] };
  } catch (fault) {
    // The author needs the reason; a plug-in's own file holds nobody's data.
    const reason = fault instanceof Error ? fault.message : String(fault);
    return { faults: [`it could not be loaded: ${safeLabel(reason)}${lineIn(fault, file)}`] };
  }
}

/** Nothing for a syntax error, of which Node does not say where. */
function lineIn(fault: unknown, file: URL): string {
  const { name } = parse(fileURLToPath(file));
  const stack = fault instanceof Error ? (fault.stack ?? '') : '';
  const line = new RegExp(`[\\\\/]${name}\\.(?:ts|js|mjs):(\\d+)`).exec(stack)?.[1];
  return line === undefined ? '' : ` (line ${line})`;
}

function misnamed(value: unknown, fileName: string): string[] {
  const name = (value as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' && name !== fileName ? [`its "name" must be its file's: ${fileName}`] : [];
}

/** What tools from elsewhere may import although they live outside: the names that package.json exports, and zod. */
const SHARED = ['tool', 'errors', 'identity', 'langchain', 'message'].map((name) => `bellwether/${name}`);

/** From now on files in these folders find the modules that a tool is written with. Nothing else changes for them. */
function shareModules(folders: readonly URL[]): void {
  if (folders.length === 0) return;
  const shared: SharedModules = {
    to: folders.map(({ href }) => href),
    names: [...SHARED, 'zod'],
    from: CODE.href,
  };
  // In its address, not as data: Node would keep one module for all loans.
  const hooks = entryModule('src/plugins/resolve-hook.js');
  hooks.searchParams.set('shared', JSON.stringify(shared));
  register(hooks);
}
