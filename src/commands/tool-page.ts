import { toJsonSchema } from '../core/json-schema.js';
import { type AnyTool, type Danger, functionNameOf, modelArgs } from '../core/tool.js';
import { exampleObject, type Field, fieldsOf } from './describe-schema.js';

/** The page about all tools, from nothing but their definitions: the same tools give the same text. */
export function renderToolDocs(tools: Iterable<AnyTool>): string {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return `${[HEAD, overview(sorted), ...sorted.map(chapter)].join('\n\n')}\n`;
}

const HEAD = `# Tools

Written by \`npm run docs:tools\` from the definitions of the tools: change those, not this page. How to write one is in
[writing-a-tool.md](writing-a-tool.md). What the *author* sets stands in an assistant's entry; what the *model* sets it
chooses at every call.`;

function overview(tools: readonly AnyTool[]): string {
  return table(
    ['tool', 'what it does', 'placeholder', 'function', 'danger'],
    tools.map((tool) => [
      `[\`${tool.name}\`](#${tool.name})`,
      inText(tool.description),
      placeholderOf(tool),
      tool.functions ? 'several' : code(functionNameOf(tool)),
      tool.danger,
    ]),
  );
}

function chapter(tool: AnyTool): string {
  return [
    `## ${tool.name}`,
    `**${inText(tool.title)}** (${inText(tool.category)}, version ${inText(tool.version)}). ${inText(tool.description)}`,
    facts(tool),
    modelPart(tool),
    ...boundPart(tool),
    authorPart(tool),
    `An entry of \`metadata.tools\`:\n\n\`\`\`json\n${JSON.stringify(exampleEntry(tool), null, 2)}\n\`\`\``,
  ].join('\n\n');
}

function facts(tool: AnyTool): string {
  const { functions, timeoutMs, repeatable, danger } = tool;
  return table(
    ['', ''],
    [
      ['placeholder', placeholderOf(tool)],
      ['function', functions ? FUNCTIONS_FROM_ELSEWHERE : code(functionNameOf(tool))],
      ['danger', DANGERS[danger]],
      ['time limit', timeoutMs === undefined ? '`TOOL_TIMEOUT_MS`' : `${String(timeoutMs / 1000)} s`],
      ['more than once in an assistant', repeatable ? 'yes' : 'no'],
    ],
  );
}

const FUNCTIONS_FROM_ELSEWHERE = 'as its configuration, or the server it points at, names them';

const NEEDS_APPROVAL = 'its entry must say `"approval"`: `"never"`, `"ask"` or `"always-allowed"`';
const DANGERS: Readonly<Record<Danger, string>> = {
  read: '`read`: changes nothing and needs no approval',
  write: `\`write\`: changes what was there; ${NEEDS_APPROVAL}`,
  external: `\`external\`: acts outside this service; ${NEEDS_APPROVAL}`,
};

function modelPart(tool: AnyTool): string {
  const fields = fieldsOf(toJsonSchema(modelArgs(tool)));
  if (fields.length === 0) {
    return tool.functions ? 'The model sets what each function asks for.' : 'The model sets nothing.';
  }
  const rows = fields.map((field) => [
    code(field.name),
    field.type,
    field.required ? 'yes' : field.default === undefined ? 'no' : `no, ${code(field.default)} unless set`,
    inText(field.description),
  ]);
  return `The model sets:\n\n${table(['argument', 'type', 'required', 'description'], rows)}`;
}

function boundPart({ bound = {} }: AnyTool): string[] {
  const entries = Object.entries(bound);
  if (entries.length === 0) return [];
  const rows = entries.map(([name, { label }]) => [code(name), inText(label)]);
  return [
    `Filled in at every call, never by the model or the author:\n\n${table(['argument', 'from'], rows)}`,
  ];
}

function authorPart(tool: AnyTool): string {
  const fields = fieldsOf(toJsonSchema(tool.config));
  if (fields.length === 0) return 'The author sets nothing.';
  const rows = fields.map((field) => [
    code(field.name),
    field.type,
    defaultOf(field),
    inText(field.description),
  ]);
  return `The author sets:\n\n${table(['setting', 'type', 'default', 'description'], rows)}`;
}

function defaultOf({ required, default: value }: Field): string {
  if (value !== undefined) return code(value);
  return required ? '(must be set)' : '(may be left out)';
}

function exampleEntry(tool: AnyTool): object {
  const isFunction = (tool.asFunction ?? tool.functions) !== undefined;
  return {
    type: tool.name,
    enabled: true,
    ...(isFunction ? { mode: 'function' } : { mode: 'placeholder', placeholder: tool.placeholder }),
    ...(tool.danger === 'read' ? {} : { approval: 'ask' }),
    config: exampleObject(toJsonSchema(tool.config)),
  };
}

function placeholderOf({ placeholder }: AnyTool): string {
  return code(placeholder === undefined ? undefined : `{${placeholder}}`);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string | undefined): string {
  return text === undefined ? '–' : `\`${text.replaceAll('|', '\\|').replaceAll('`', "'")}\``;
}

/** A text from a definition, unable to end a cell or to become markup. */
function inText(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('<', '&lt;').replaceAll('|', '\\|').trim();
}
