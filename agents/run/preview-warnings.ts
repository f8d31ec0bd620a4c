import type { Assistant, ToolEntry } from '../../src/core/assistants/assistant.js';
import { AppError } from '../../src/core/errors.js';
import { IN_PLAIN_WORDS } from '../../src/core/field-faults.js';
import type { Plugins } from '../../src/core/plugins.js';
import type { Contexts } from '../../src/core/processor.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { ToolOutcome } from '../gate/invocation.js';
import type { PlaceholderTool, Toolbox } from '../gate/toolbox.js';
import { usablePart } from '../gate/usable-part.js';
import { parseTemplate } from '../prompt/compose.js';
import { knownPlaceholders } from './processor.js';

interface Seen {
  /** As it is stored, with every `on_error` as its author set it. */
  readonly assistant: Assistant;
  readonly toolbox: Toolbox;
  /** What the processor itself filled. */
  readonly own: Contexts | undefined;
  readonly filled: readonly { readonly tool: PlaceholderTool; readonly outcome: ToolOutcome }[];
  /** Tools that wanted the small model of an organisation that has none. */
  readonly missed: ReadonlySet<string>;
  readonly ctx: RunContext;
  readonly plugins: Plugins;
}

/** What can be worth a look in a preview. */
export const PREVIEW_WARNINGS = [
  'odd_setting',
  'unfilled',
  'unknown_placeholder',
  'unused',
  'failed',
  'failed_ends',
  'in_part',
  'not_asked',
  'no_file',
  'no_small_model',
  'left_out',
] as const;

/** Why a function is not offered, besides what a tool itself says. */
export const WHY_LEFT_OUT = [
  'not_installed',
  'only_placeholder',
  'only_function',
  'does_not_fit',
  'not_allowed',
  'gone',
  'no_functions',
  'tool_failed',
] as const;

export interface WarningDetail {
  readonly code: (typeof PREVIEW_WARNINGS)[number];
  readonly placeholder?: string;
  /** The type of the tool it is about, and what its author calls it. */
  readonly tool?: string;
  readonly name?: string | undefined;
  /** Why, by its code; the text is for what has none. */
  readonly reason?: string;
  readonly reason_code?: string | undefined;
}

export interface PreviewWarning extends WarningDetail {
  /** The whole in English. */
  readonly message: string;
}

/** What the author probably did not mean. */
export async function previewWarnings(seen: Seen): Promise<readonly PreviewWarning[]> {
  return [
    ...seen.assistant.setup.oddities.map((message) => ({ code: 'odd_setting' as const, message })),
    ...unfilled(seen),
    ...unnamed(seen),
    ...(await failed(seen)),
    ...(await inPart(seen)),
    ...withoutSmallModel(seen),
    ...(await leftOut(seen)),
    ...(await withoutFile(seen)),
  ];
}

function namesIn({ promptTemplate }: Assistant): ReadonlySet<string> {
  return new Set(
    parseTemplate(promptTemplate).flatMap((piece) => ('placeholder' in piece ? [piece.placeholder] : [])),
  );
}

/** What people call it: by its author's name for it, or its own. */
function titleOf({ type, name }: Pick<ToolEntry, 'type' | 'name'>, { tools }: Plugins): string {
  return name ?? tools.get(type)?.title ?? `"${type}"`;
}

function unfilled({ assistant, filled, own, plugins }: Seen): PreviewWarning[] {
  const known = knownPlaceholders(plugins);
  const taken = new Set([
    'user_input',
    ...(own?.keys() ?? []),
    ...filled.map(({ tool }) => tool.placeholder),
  ]);
  return [...namesIn(assistant)]
    .filter((name) => !taken.has(name))
    .map((placeholder) =>
      known.has(placeholder)
        ? {
            ...{ code: 'unfilled', placeholder },
            message: `The template names {${placeholder}}, but no enabled tool fills it: it is left empty.`,
          }
        : {
            ...{ code: 'unknown_placeholder', placeholder },
            message: `The template names {${placeholder}}, which nothing here knows: it stays as it is written.`,
          },
    );
}

function unnamed({ assistant, filled, plugins }: Seen): PreviewWarning[] {
  const named = namesIn(assistant);
  return filled
    .filter(({ tool }) => !named.has(tool.placeholder))
    .map(({ tool: { entry, placeholder } }) => ({
      ...{ code: 'unused', placeholder, tool: entry.type, name: entry.name },
      message: `${titleOf(entry, plugins)} fills {${placeholder}}, which the template does not name: what it brings is not used.`,
    }));
}

async function failed({ assistant, filled, plugins, ctx }: Seen): Promise<PreviewWarning[]> {
  const originals = assistant.setup.tools.filter((entry) => entry.enabled && entry.mode === 'placeholder');
  const told = filled.map(
    async ({ tool: { entry, placeholder, ready }, outcome }, i): Promise<PreviewWarning[]> => {
      if (outcome.ok) return [];
      const [lacking] = Object.values(ready?.tool.lacksAsPlaceholder?.(ready.config) ?? {});
      const { reason, code } = lacking
        ? because('does_not_fit', lacking)
        : ready
          ? outcome
          : await whyNot(entry, plugins, ctx);
      const isEnd = originals[i]?.onError === 'fail';
      const ends = isEnd ? ' A run ends here, as its on_error is "fail".' : '';
      return [
        {
          ...{ code: isEnd ? 'failed_ends' : 'failed', placeholder, tool: entry.type, name: entry.name },
          ...{ reason, reason_code: code },
          message: `${titleOf(entry, plugins)} could not fill {${placeholder}}: ${reason}${ends}`,
        },
      ];
    },
  );
  return (await Promise.all(told)).flat();
}

/** What goes on without a part of what it was pointed at. */
async function inPart({ filled, toolbox, plugins, ctx }: Seen): Promise<PreviewWarning[]> {
  const used = [...filled.map(({ tool }) => tool.ready), ...toolbox.functions.values()];
  const parts = used.map(async (ready): Promise<PreviewWarning[]> => {
    if (!ready) return [];
    const { tool, config, entry } = ready;
    const part = await usablePart({ tool, args: undefined, config }, ctx);
    if (!part.config) return [];
    return part.refused.map(({ reason }) => ({
      ...{ code: 'in_part', tool: entry.type, name: entry.name, reason, reason_code: 'not_allowed' },
      message: `${titleOf(entry, plugins)} goes on without a part: ${reason}`,
    }));
  });
  const broken = filled.flatMap(({ tool: { entry }, outcome }): PreviewWarning[] => {
    const names = outcome.ok ? outcome.facts?.['failed'] : undefined;
    if (!Array.isArray(names)) return [];
    const reason = names.join(', ');
    return [
      {
        ...{ code: 'not_asked', tool: entry.type, name: entry.name, reason },
        message: `${titleOf(entry, plugins)} could not ask ${reason} just now, and goes on with the rest.`,
      },
    ];
  });
  return [...(await Promise.all(parts)).flat(), ...broken];
}

function withoutSmallModel({ missed, plugins }: Seen): PreviewWarning[] {
  return [...missed].map((tool) => ({
    ...{ code: 'no_small_model', tool },
    message: `${titleOf({ type: tool, name: undefined }, plugins)} is set to ask the organisation's small fast model, and there is none: it does without. An administrator can set one up.`,
  }));
}

async function leftOut({ toolbox, ctx, plugins }: Seen): Promise<PreviewWarning[]> {
  const offered = new Set([...toolbox.functions.values()].map(({ entry }) => entry));
  const missing = ctx.assistant.setup.tools.filter(
    (entry) => entry.enabled && entry.mode === 'function' && !offered.has(entry),
  );
  return Promise.all(
    missing.map(async (entry) => {
      const { reason, code } = await whyNot(entry, plugins, ctx);
      return {
        ...{ code: 'left_out' as const, tool: entry.type, name: entry.name, reason, reason_code: code },
        message: `The function of ${titleOf(entry, plugins)} is left out: ${reason}`,
      };
    }),
  );
}

/** A function is offered whether its file is there or not. */
async function withoutFile({ toolbox, plugins, ctx }: Seen): Promise<PreviewWarning[]> {
  const { files } = ctx.toolServices();
  const reads = [...toolbox.functions.values()].flatMap(({ tool, config, entry }) =>
    tool.touches(undefined, config).flatMap(({ kind, id }) => (kind === 'file' ? [{ entry, path: id }] : [])),
  );
  const faults = reads.map(async ({ entry, path }): Promise<PreviewWarning[]> => {
    const fault: unknown = await files.read(path, { maxChars: 1 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (!(fault instanceof AppError)) return [];
    return [
      {
        ...{ code: 'no_file', tool: entry.type, name: entry.name },
        ...{ reason: fault.message, reason_code: fault.code },
        message: `${titleOf(entry, plugins)} cannot read its file: ${fault.message}`,
      },
    ];
  });
  return (await Promise.all(faults)).flat();
}

interface Why {
  readonly reason: string;
  /** One of `WHY_LEFT_OUT`, or what a tool's own fault is called. */
  readonly code: string;
}

const because = (code: (typeof WHY_LEFT_OUT)[number], reason: string): Why => ({ code, reason });

async function whyNot(entry: ToolEntry, { tools }: Plugins, ctx: RunContext): Promise<Why> {
  const tool = tools.get(entry.type);
  if (!tool) return because('not_installed', `no tool called "${entry.type}" is installed.`);
  if (entry.mode === 'function' && !(tool.asFunction ?? tool.functions))
    return because('only_placeholder', 'this tool only fills a placeholder.');
  if (entry.mode === 'placeholder' && !tool.argsFromChat)
    return because('only_function', 'this tool is only a function.');
  const config = tool.config.safeParse(entry.config, IN_PLAIN_WORDS);
  if (!config.success) {
    const [issue] = config.error.issues;
    const where = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`;
    return because('does_not_fit', `its configuration does not fit (${where}).`);
  }
  const part = await usablePart({ tool, args: undefined, config: config.data }, ctx);
  if (!part.config) return because('not_allowed', part.refused.map(({ reason }) => reason).join(' '));
  if (!tool.functions) return because('gone', 'what it points at is not there.');
  return await tool.functions(config.data, ctx.toolServices()).then(
    () => because('no_functions', 'none of its functions is there.'),
    (fault: unknown) =>
      fault instanceof AppError
        ? { code: fault.code, reason: fault.message }
        : because('tool_failed', 'the tool failed.'),
  );
}
