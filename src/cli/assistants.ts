import { readFile, writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { isRecord } from '../core/base/json.js';
import type { Assistant } from '../http/contract/assistants.js';
import { assistantId, type Context } from './context.js';
import { cliFault, misused } from './faults.js';
import type { Piece, Terminal } from './terminal.js';

const ASSISTANTS = '/lamb/v1/assistants';
const at = (id: number, ...rest: readonly string[]) => [ASSISTANTS, String(id), ...rest].join('/');

interface Filters {
  readonly search?: string;
  readonly type?: string;
  readonly owner?: string;
  readonly shared?: true;
  readonly published?: true;
}

export function addAssistantCommands(program: Command, context: Context): void {
  const assistants = program.command('assistants').description('Lists assistants, or shows one');
  assistants
    .command('list', { isDefault: true })
    .description('Lists the assistants you may see')
    .option('--search <text>', 'only those with this in their name or description')
    .addOption(
      new Option('--type <type>', 'only those of this type').choices([
        'classic',
        'multi_tool',
        'orchestrator',
      ]),
    )
    .option('--owner <email>', 'only those of this person')
    .option('--shared', 'only those that were shared with you by name')
    .option('--published', 'only those that are published')
    .action(async ({ search, ...filters }: Filters, command: Command) => {
      const service = await context.connect(command);
      const rows = await service.list<Assistant>(ASSISTANTS, { q: search, ...filters });
      if (context.wantsJson(command)) context.terminal.json(rows);
      else showList(rows, context.terminal);
    });
  assistants
    .command('show')
    .description('Shows one assistant')
    .argument('<assistant>', 'its number or its exact name')
    .action(async (named: string, _options: object, command: Command) => {
      const service = await context.connect(command);
      const assistant = await service.get<Assistant>(at(await assistantId(named, service)));
      if (context.wantsJson(command)) context.terminal.json(assistant);
      else showOne(assistant, context.terminal);
    });
}

export function addBundleCommands(program: Command, context: Context): void {
  const { terminal } = context;
  program
    .command('export')
    .description('Writes an assistant as one JSON file')
    .argument('<assistant>', 'its number or its exact name')
    .argument('[file]', 'where to write it; "-" for the standard output', '-')
    .option('--force', 'replaces a file that is there')
    .action(async (named: string, file: string, { force }: { force?: true }, command: Command) => {
      const service = await context.connect(command);
      const bundle = await service.get<object>(at(await assistantId(named, service), 'export'));
      if (file === '-') terminal.json(bundle);
      else {
        await writeNew(context.typedPath(file), bundle, force === true);
        terminal.note({ text: `Written to ${file}.`, style: 'green' });
      }
    });
  program
    .command('import')
    .description('Makes an assistant from a file that "export" wrote, or that LAMB exported')
    .argument('<file>', 'the file; "-" for the standard input')
    .option('--name <name>', 'calls it so instead of as in the file')
    .action(async (file: string, { name }: { name?: string }, command: Command) => {
      const text = file === '-' ? await terminal.readInput() : await readNamed(context.typedPath(file));
      const bundle = bundleIn(text, file === '-' ? 'The standard input' : file);
      const service = await context.connect(command);
      const body = { bundle, ...(name === undefined ? {} : { name }) };
      const made = await service.send<Imported>('POST', `${ASSISTANTS}/import`, body);
      if (context.wantsJson(command)) terminal.json(made);
      else tellImported(made, terminal);
    });
}

function showList(rows: readonly Assistant[], terminal: Terminal): void {
  if (rows.length === 0) terminal.note('There are none.');
  terminal.table(
    rows.map(({ id, name, assistant_type, owner, published, enabled }): Piece[] => [
      { text: String(id), style: 'cyan' },
      { text: name, style: 'bold' },
      assistant_type,
      owner,
      enabled ? (published ? 'published' : '') : { text: 'switched off', style: 'yellow' },
    ]),
  );
}

function showOne(assistant: Assistant, terminal: Terminal): void {
  const { id, name, description, owner, version, assistant_type, published, publish_scope } = assistant;
  const model = assistant.metadata?.['llm'];
  const tools = assistant.tools?.map(({ type }) => String(type));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['number', String(id)],
    ['type', assistant_type],
    ['owner', owner],
    ['version', String(version)],
    ['published', published ? `to ${publish_scope === 'everyone' ? 'everyone' : 'its organisation'}` : 'no'],
    ['switched', assistant.enabled ? 'on' : 'off'],
    ['model', typeof model === 'string' && model !== '' ? model : undefined],
    ['tools', tools && (tools.length === 0 ? 'none' : tools.join(', '))],
    ['changed', assistant.updated_at],
  ];
  terminal.line({ text: name, style: 'bold' });
  if (description !== '') terminal.line(description);
  terminal.table(
    facts.flatMap(([label, value]) => (value === undefined ? [] : [[{ text: label, style: 'dim' }, value]])),
  );
  if (assistant.system_prompt) terminal.line('\n', { text: assistant.system_prompt, style: 'dim' });
}

interface Imported {
  readonly assistant: Assistant;
  /** By kind, the numbers or names of what the assistant needs and its new owner does not have. */
  readonly missing: Readonly<Record<string, readonly (string | number)[]>>;
  readonly missing_in_scenarios?: readonly { readonly name: string; readonly message: string }[];
}

function tellImported(imported: Imported, terminal: Terminal): void {
  const { assistant, missing, missing_in_scenarios: inScenarios = [] } = imported;
  terminal.line(
    `Imported as assistant ${String(assistant.id)}, `,
    { text: assistant.name, style: 'bold' },
    '.',
  );
  for (const { name, message } of inScenarios)
    terminal.note({ text: `The scenario "${name}" ${message}.`, style: 'yellow' });
  const lacking = Object.entries(missing).filter(([, ids]) => ids.length > 0);
  if (lacking.length === 0) return;
  const what = lacking.map(([kind, ids]) => `${kind} ${ids.join(', ')}`).join('; ');
  terminal.note({ text: `Switched off, because you do not have it here: ${what}.`, style: 'yellow' });
}

async function writeNew(path: string, bundle: object, replaces: boolean): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(bundle, null, 2)}\n`, { flag: replaces ? 'w' : 'wx' });
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? misused(`${path} is there already. Name another file, or replace it with --force.`)
      : cliFault(`${path} cannot be written (${code ?? 'unknown reason'}).`);
  }
}

/** A file that somebody named. */
export async function readNamed(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((fault: unknown) => {
    const { code } = fault as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code ?? 'unknown reason'})`;
    throw misused(`${path} ${why}.`);
  });
}

function bundleIn(text: string, origin: string): object {
  try {
    const bundle: unknown = JSON.parse(text);
    if (isRecord(bundle)) return bundle;
  } catch {
    // Told below, with what else is no bundle.
  }
  throw misused(`${origin} is not JSON as "bellwether export" writes it.`);
}
