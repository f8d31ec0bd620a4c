import type { Assistant, ToolEntry } from '../src/core/assistant.js';
import { AppError } from '../src/core/errors.js';
import type { Plugins } from '../src/core/plugins.js';
import type { Contexts } from '../src/core/processor.js';
import type { RunContext } from '../src/core/run-context.js';
import { knownPlaceholders } from './compose-run.js';
import type { ToolOutcome } from './invocation.js';
import { parseTemplate } from './template.js';
import type { PlaceholderTool, Toolbox } from './toolbox.js';
import { usablePart } from './usable-part.js';

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

/** What the author probably did not mean, in sentences. */
export async function previewWarnings(seen: Seen): Promise<readonly string[]> {
  return [
    ...seen.assistant.setup.oddities,
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

function unfilled({ assistant, filled, own, plugins }: Seen): string[] {
  const known = knownPlaceholders(plugins);
  const taken = new Set([
    'user_input',
    ...(own?.keys() ?? []),
    ...filled.map(({ tool }) => tool.placeholder),
  ]);
  return [...namesIn(assistant)]
    .filter((name) => !taken.has(name))
    .map((name) =>
      known.has(name)
        ? `The template names {${name}}, but no enabled tool fills it: it is left empty.`
        : `The template names {${name}}, which nothing here knows: it stays as it is written.`,
    );
}

function unnamed({ assistant, filled }: Seen): string[] {
  const named = namesIn(assistant);
  return filled
    .filter(({ tool }) => !named.has(tool.placeholder))
    .map(
      ({ tool: { entry, placeholder } }) =>
        `${entry.name ?? entry.type} fills {${placeholder}}, which the template does not name: what it brings is not used.`,
    );
}

async function failed({ assistant, filled, plugins, ctx }: Seen): Promise<string[]> {
  const originals = assistant.setup.tools.filter((entry) => entry.enabled && entry.mode === 'placeholder');
  const told = filled.map(async ({ tool: { entry, placeholder, ready }, outcome }, i) => {
    if (outcome.ok) return [];
    const lacking = Object.values(ready?.tool.lacksAsPlaceholder?.(ready.config) ?? {});
    const why = ready ? (lacking[0] ?? outcome.reason) : await whyNot(entry, plugins, ctx);
    const ends = originals[i]?.onError === 'fail' ? ' A run ends here, as its on_error is "fail".' : '';
    return [`${entry.name ?? entry.type} could not fill {${placeholder}}: ${why}${ends}`];
  });
  return (await Promise.all(told)).flat();
}

/** What goes on without a part of what it was pointed at. */
async function inPart({ filled, toolbox, ctx }: Seen): Promise<string[]> {
  const used = [...filled.map(({ tool }) => tool.ready), ...toolbox.functions.values()];
  const parts = used.map(async (ready) => {
    if (!ready) return [];
    const { tool, config, entry } = ready;
    const part = await usablePart({ tool, args: undefined, config }, ctx);
    if (!part.config) return [];
    return part.refused.map(({ reason }) => `${entry.name ?? entry.type} goes on without a part: ${reason}`);
  });
  const broken = filled.flatMap(({ tool: { entry }, outcome }) => {
    const names = outcome.ok ? outcome.facts?.['failed'] : undefined;
    return Array.isArray(names)
      ? [`${entry.name ?? entry.type} could not ask ${names.join(', ')} just now, and goes on with the rest.`]
      : [];
  });
  return [...(await Promise.all(parts)).flat(), ...broken];
}

function withoutSmallModel({ missed }: Seen): string[] {
  return [...missed].map(
    (tool) =>
      `${tool} is set to ask the organisation's small fast model, and there is none: it does without. An administrator can set one up.`,
  );
}

async function leftOut({ toolbox, ctx, plugins }: Seen): Promise<string[]> {
  const offered = new Set([...toolbox.functions.values()].map(({ entry }) => entry));
  const missing = ctx.assistant.setup.tools.filter(
    (entry) => entry.enabled && entry.mode === 'function' && !offered.has(entry),
  );
  return Promise.all(
    missing.map(
      async (entry) =>
        `The function of ${entry.name ?? entry.type} is left out: ${await whyNot(entry, plugins, ctx)}`,
    ),
  );
}

/** A function is offered whether its file is there or not. */
async function withoutFile({ toolbox, ctx }: Seen): Promise<string[]> {
  const { files } = ctx.around();
  const reads = [...toolbox.functions.values()].flatMap(({ tool, config, entry }) =>
    tool.touches(undefined, config).flatMap(({ kind, id }) => (kind === 'file' ? [{ entry, path: id }] : [])),
  );
  const faults = reads.map(async ({ entry, path }) => {
    const fault: unknown = await files.read(path, { maxChars: 1 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return fault instanceof AppError
      ? [`${entry.name ?? entry.type} cannot read its file: ${fault.message}`]
      : [];
  });
  return (await Promise.all(faults)).flat();
}

async function whyNot(entry: ToolEntry, { tools }: Plugins, ctx: RunContext): Promise<string> {
  const tool = tools.get(entry.type);
  if (!tool) return `no tool called "${entry.type}" is installed.`;
  if (entry.mode === 'function' && !(tool.asFunction ?? tool.functions))
    return 'this tool only fills a placeholder.';
  if (entry.mode === 'placeholder' && !tool.argsFromChat) return 'this tool is only a function.';
  const config = tool.config.safeParse(entry.config);
  if (!config.success) {
    const [issue] = config.error.issues;
    return `its configuration does not fit (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).`;
  }
  const part = await usablePart({ tool, args: undefined, config: config.data }, ctx);
  if (!part.config) return part.refused.map(({ reason }) => reason).join(' ');
  if (!tool.functions) return 'what it points at is not there.';
  return await tool.functions(config.data, ctx.around()).then(
    () => 'none of its functions is there.',
    (fault: unknown) => (fault instanceof AppError ? fault.message : 'the tool failed.'),
  );
}
