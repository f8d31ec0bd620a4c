import type { z } from 'zod';
import type { AccessPolicy, DenyingRule, Resource } from '../core/access/access.js';
import type { AssistantContent, AssistantSetup, ToolEntry, ToolMode } from '../core/assistants/assistant.js';
import { AppError, type FieldFault } from '../core/errors.js';
import { fieldFault, IN_PLAIN_WORDS } from '../core/field-faults.js';
import type { FileStore } from '../core/files.js';
import { toJsonSchema } from '../core/json-schema.js';
import type { Plugins } from '../core/plugins.js';
import { type AnyTool, isPlaceholderName } from '../core/tool.js';

export interface Ownership {
  readonly ownerId: number;
  /** The assistant being changed; undefined for a new one. */
  readonly assistantId: number | undefined;
}

/** One thing that is wrong, by the field of a body where it is. */
export interface AssistantFault extends FieldFault {
  /** The same among others, in one text. */
  readonly told: string;
}

/** Everything that would keep an assistant from running as meant, each with the place it stands. Empty: it may be saved. */
export type FaultsOfAssistant = (
  content: AssistantContent,
  ownership: Ownership,
) => Promise<readonly AssistantFault[]>;

interface CheckDeps {
  readonly plugins: Plugins;
  readonly policy: AccessPolicy;
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
  readonly fileFault: FileFault;
}

type Surroundings = CheckDeps & Ownership;

/** What can be wrong with an entry beyond its values, for forms that say it in their reader's words. */
export const ENTRY_FAULTS = [
  'not_installed',
  'only_once',
  'no_function',
  'no_placeholder',
  'placeholder',
  'approval',
  'not_allowed',
  'no_file',
  'orchestrator_target',
  'itself',
  'disabled',
] as const;
type EntryFault = (typeof ENTRY_FAULTS)[number];

/** As many functions as providers take. */
const MOST_TOOLS = 128;
const MOST_FAULTS = 20;

export function createAssistantCheck(deps: CheckDeps): FaultsOfAssistant {
  return async (content, ownership) => {
    const setup = deps.readSetup(content);
    const faults = await faultsOfSetup(setup, { ...deps, ...ownership });
    return faults.slice(0, MOST_FAULTS);
  };
}

async function faultsOfSetup(setup: AssistantSetup, around: Surroundings): Promise<AssistantFault[]> {
  const { connectors, processors } = around.plugins;
  if (setup.tools.length > MOST_TOOLS) {
    return [faultAt('metadata.tools', `an assistant can hold at most ${String(MOST_TOOLS)} tools`)];
  }
  const faults = [...setup.problems, ...setup.oddities].map(faultOfStored);
  if (setup.connector !== undefined && !connectors.has(setup.connector)) {
    const message = `"${setup.connector}" is not installed; there are ${names(connectors)}`;
    faults.push(faultAt('metadata.connector', message));
  }
  if (!processors.has(setup.processor)) {
    const message = `"${setup.processor}" is not installed; there are ${names(processors)}`;
    faults.push(faultAt('metadata.prompt_processor', message));
  }
  const seen = new Set<string>();
  for (const [i, entry] of setup.tools.entries()) {
    const place = `metadata.tools.${String(i)}`;
    const ofEntry = await faultsOfEntry(entry, seen, around);
    faults.push(
      ...ofEntry.map(({ path, told, ...fault }) => ({
        ...fault,
        path: `${place}.${path}`,
        told: `${place}: ${told}`,
      })),
    );
    seen.add(entry.type);
  }
  return faults;
}

function faultAt(path: string, message: string): AssistantFault {
  return { path, message, told: `${path}: ${message}` };
}

const WITH_ITS_PLACE = /^(metadata(?:\.\w+)+): (.+)$/s;

/** Some name the place they stand; a sentence about the whole does not. */
function faultOfStored(told: string): AssistantFault {
  const [, path = 'metadata', message = told] = WITH_ITS_PLACE.exec(told) ?? [];
  return { path, message, told };
}

/** What is no reason not to save it, and yet probably not meant. */
export interface AssistantWarning {
  readonly code: 'needs_tool';
  /** The tool it is about, and what it lacks, by its name for people. */
  readonly tool: string;
  readonly name: string | undefined;
  readonly reason: string;
  readonly message: string;
}

/** Tools that are of little use without another one, which the assistant does not have. */
export function warningsOf(
  { tools: entries }: Pick<AssistantSetup, 'tools'>,
  { tools }: Plugins,
): readonly AssistantWarning[] {
  const enabled = entries.filter((entry) => entry.enabled);
  const has = (type: string) => enabled.some((entry) => entry.type === type);
  return enabled.flatMap(({ type, name }) => {
    const tool = tools.get(type);
    const lacking = (tool?.needs ?? []).filter((need) => !has(need)).flatMap((need) => tools.get(need) ?? []);
    return lacking.map(({ title }) => ({
      ...{ code: 'needs_tool' as const, tool: type, name, reason: title },
      message: `${name ?? tool?.title ?? type} is of little use without ${title}, which this assistant does not have.`,
    }));
  });
}

/** By paths within the entry. */
async function faultsOfEntry(
  entry: ToolEntry,
  seen: ReadonlySet<string>,
  around: Surroundings,
): Promise<AssistantFault[]> {
  // What is switched off cannot run, so it may wait for its tool or resource; it is checked when it is switched on.
  if (!entry.enabled) return [];
  const { tools } = around.plugins;
  const tool = tools.get(entry.type);
  if (!tool)
    return [
      saying(
        'type',
        `no tool called "${entry.type}" is installed; there are ${names(tools)}`,
        'not_installed',
      ),
    ];

  const faults = [...faultsOfMode(entry, tool), ...faultsOfApproval(entry, tool)];
  if (!tool.repeatable && seen.has(entry.type)) {
    faults.push(saying('type', `an assistant can hold "${entry.type}" only once`, 'only_once'));
  }
  return [...faults, ...(await faultsOfConfig(tool, entry, around))];
}

/** What is wrong with what an author has set, by paths within the entry. */
async function faultsOfConfig(
  tool: AnyTool,
  { config: given, mode }: Pick<ToolEntry, 'config'> & { readonly mode: ToolMode | undefined },
  around: Omit<Surroundings, 'readSetup'>,
): Promise<AssistantFault[]> {
  const config = tool.config.safeParse(given, IN_PLAIN_WORDS);
  if (!config.success) {
    const { issues } = config.error as z.ZodError;
    return issues.map((issue) => {
      const path = ['config', ...issue.path].join('.');
      return { ...faultAt(path, issue.message), ...fieldFault(path, issue) };
    });
  }
  const lacking = mode === 'placeholder' ? (tool.lacksAsPlaceholder?.(config.data) ?? {}) : {};
  const touched = tool.touches(undefined, config.data);
  const refused = await Promise.all(touched.map((resource) => faultOfResource(resource, tool, around)));
  return [
    ...Object.entries(lacking).map(([setting, message]) => ({
      ...faultAt(`config.${setting}`, message),
      code: 'required',
    })),
    ...refused.flat(),
  ];
}

async function faultOfResource(
  resource: Resource,
  tool: AnyTool,
  { policy, fileFault, ownerId, assistantId }: Omit<Surroundings, 'readSetup'>,
): Promise<AssistantFault[]> {
  const verdict = await policy.mayUse(resource, { ownerId, id: assistantId });
  const setting = settingNaming(resource, tool);
  if (!verdict.allowed) return [saying(setting, verdict.reason, entryFaultOf(verdict.rule))];
  const reason = resource.kind === 'file' ? await fileFault(ownerId, resource.id) : undefined;
  return reason === undefined ? [] : [saying(setting, reason, 'no_file')];
}

/** The same for one tool by itself. */
export type FaultsOfConfig = (
  tool: AnyTool,
  entry: Pick<ToolEntry, 'config'> & { readonly mode: ToolMode | undefined },
  ownership: Ownership,
) => Promise<readonly AssistantFault[]>;

export function createConfigCheck(deps: Omit<CheckDeps, 'readSetup'>): FaultsOfConfig {
  return (tool, entry, ownership) => faultsOfConfig(tool, entry, { ...deps, ...ownership });
}

/** The same code for what does not exist and for what is somebody else's. */
function entryFaultOf(rule: DenyingRule): EntryFault {
  return rule === 'orchestrator_target' || rule === 'itself' || rule === 'disabled' ? rule : 'not_allowed';
}

/** A message that says by itself what it is about. */
function saying(path: string, message: string, code: EntryFault): AssistantFault {
  return { path, message, told: message, code };
}

/** The setting that says which thing of this kind is meant. */
function settingNaming({ kind }: Resource, { config }: AnyTool): string {
  const { properties = {} } = toJsonSchema(config) as { readonly properties?: Record<string, Setting> };
  const named = Object.entries(properties).find(
    ([, setting]) => (setting.items ?? setting)['x-resource'] === kind,
  );
  return named ? `config.${named[0]}` : 'config';
}

interface Setting {
  readonly 'x-resource'?: string;
  readonly items?: { readonly 'x-resource'?: string };
}

function faultsOfMode(entry: ToolEntry, tool: AnyTool): AssistantFault[] {
  if (entry.mode === 'function') {
    if (tool.asFunction ?? tool.functions) return [];
    return [saying('mode', `"${entry.type}" cannot be used as a function`, 'no_function')];
  }
  if (!tool.argsFromChat)
    return [
      saying('mode', `"${entry.type}" cannot fill a placeholder; use mode "function"`, 'no_placeholder'),
    ];
  const { placeholder } = entry;
  if (placeholder !== undefined && isPlaceholderName(placeholder)) return [];
  const message = `placeholder "${placeholder ?? ''}" must match [a-z][a-z0-9_]* and not be user_input`;
  return [saying('placeholder', message, 'placeholder')];
}

/** Whether a tool may change things is the owner's to say, in so many words. */
function faultsOfApproval({ type, approval }: ToolEntry, { danger }: AnyTool): AssistantFault[] {
  if (danger === 'read' || approval !== undefined) return [];
  const deed = danger === 'write' ? 'can change things' : 'acts outside this service';
  const message = `"${type}" ${deed}: set its approval to "never", "ask" or "always-allowed"`;
  return [saying('approval', message, 'approval')];
}

function names(plugins: ReadonlyMap<string, unknown>): string {
  return [...plugins.keys()].join(', ');
}

/** Why somebody's file cannot be opened, in words for them; undefined when it can. */
export type FileFault = (ownerId: number, path: string) => Promise<string | undefined>;

export function createFileFault(files: FileStore): FileFault {
  return async (ownerId, path) => {
    try {
      const file = await files.ofOwner(ownerId).open(path);
      await file.close();
      return undefined;
    } catch (fault) {
      return fault instanceof AppError ? fault.message : `File ${path} cannot be opened.`;
    }
  };
}
