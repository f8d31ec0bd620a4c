import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { type JsonSchema, toJsonSchema } from '../core/json-schema.js';
import type { NumberedSource, StatusEvent, Usage } from '../core/runs/event.js';
import { type AnyTool, modelArgs } from '../core/tool.js';
import { createPasswords } from '../security/passwords.js';
import { type Services, openServices, type Diagnostics } from '../services.js';
import { ensureAdministrator } from '../startup/first-start.js';

/** `+12 ms  tool.started  calling Weather` */
export function timelineEntry(event: StatusEvent, ms: number): string {
  const label = 'label' in event ? event.label : '';
  const percent = 'percent' in event ? ` (${String(event.percent)} %)` : '';
  const when = `+${String(Math.round(ms))} ms`;
  return `${when.padStart(10)}  ${event.type.padEnd(18)}  ${label}${percent}`.trimEnd();
}

interface Brought {
  readonly text: string;
  readonly sources: readonly NumberedSource[];
  readonly usage: Usage;
}

/** What it brought, where that comes from, and what it took. */
export function resultReport({ text, sources, usage }: Brought, ms: number): string {
  const { promptTokens, completionTokens, estimated } = usage;
  const tokens =
    promptTokens + completionTokens === 0
      ? ''
      : `, ${String(promptTokens)} + ${String(completionTokens)} tokens${estimated ? ' (estimated)' : ''}`;
  return [
    '',
    text,
    ...(sources.length > 0 ? ['', 'Sources:'] : []),
    ...sources.map(({ n, title, url }) => `  [${String(n)}] ${title}${url === undefined ? '' : ` ${url}`}`),
    '',
    `Took ${String(Math.round(ms))} ms${tokens}.`,
  ].join('\n');
}

export function installedTools(tools: ReadonlyMap<string, AnyTool>): string {
  const width = Math.max(...[...tools.keys()].map(({ length }) => length));
  const lines = [...tools.values()].map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`);
  return ['These are installed:', ...lines].join('\n');
}

/** What a tool may be given, for somebody who has just given something else. */
export function parametersOf(tool: AnyTool): string {
  const ownNames = tool.functions ? '(its functions say, which depend on the configuration)' : undefined;
  return [
    `Arguments of ${tool.name}:`,
    ...(ownNames === undefined ? described(toJsonSchema(modelArgs(tool))) : [`  ${ownNames}`]),
    'Configuration, with --config:',
    ...described(toJsonSchema(tool.config)),
  ].join('\n');
}

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
}

function described(schema: JsonSchema): string[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  const lines = Object.entries(properties).map(([name, property]) => {
    const kind = property.enum?.map((value) => JSON.stringify(value)).join(' or ') ?? kindOf(property);
    const need = required.includes(name) ? ', required' : defaultOf(property);
    return `  ${name}: ${kind}${need}${property.description === undefined ? '' : `. ${property.description}`}`;
  });
  return lines.length > 0 ? lines : ['  none'];
}

function kindOf({ type = 'any' }: Property): string {
  return typeof type === 'string' ? type : type.join(' or ');
}

function defaultOf(property: Property): string {
  return property.default === undefined ? ', optional' : `, ${JSON.stringify(property.default)} unless given`;
}

/** Works with the services of this data folder; where there is none yet, with temporary ones that leave nothing behind. */
export async function withServices<T>(
  config: Config,
  diagnostics: Diagnostics,
  work: (services: Services, isTemporary: boolean) => Promise<T>,
): Promise<T> {
  if (isThere(config)) return await workIn(config, diagnostics, (services) => work(services, false));

  const dataDir = await mkdtemp(join(tmpdir(), 'bellwether-'));
  const folders = {
    filesFolder: join(dataDir, 'files'),
    documentsFolder: join(dataDir, 'documents'),
    attachmentsFolder: join(dataDir, 'attachments'),
  };
  const database = { kind: 'sqlite', file: join(dataDir, 'bellwether.db') } as const;
  try {
    return await workIn(
      { ...config, dataDir, ...folders, database, blobs: undefined },
      diagnostics,
      async (services) => {
        await ensureAdministrator(config.admin, {
          ...services.stores,
          passwords: createPasswords(config.passwordCost),
        });
        return await work(services, true);
      },
    );
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function isThere({ database }: Config): boolean {
  return database.kind === 'postgres' || existsSync(database.file);
}

async function workIn<T>(
  config: Config,
  diagnostics: Diagnostics,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  const url = config.publicUrl ?? `http://${config.host}:${String(config.port)}`;
  const services = await openServices(config, diagnostics, url);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}
