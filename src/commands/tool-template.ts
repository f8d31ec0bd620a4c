/** The files a new tool starts as: they compile, pass their own test and show each part once. */

/** A tool of the project, in TypeScript. */
export function toolSource(name: string): string {
  return definition(name, '../src/core/tool.js');
}

/** The same tool for a folder outside the project, in JavaScript. */
export function externalToolSource(name: string): string {
  return `// @ts-check\n${definition(name, 'bellwether/tool')}`;
}

function definition(name: string, contract: string): string {
  return `${importing('{ z }', 'zod')}
${importing('{ defineTool }', contract)}

export default defineTool({
  name: '${name}',
  title: '${titleOf(name)}',
  // The model reads this: what it does, and when to use it.
  description: 'Greets somebody by name.',
  category: 'custom',
  version: '1.0.0',
  // read: changes nothing. write: changes what was there. external: acts on a system that is not ours.
  danger: 'read',
  repeatable: false,

  // What the assistant's author sets.
  config: z.object({
    greeting: z.string().min(1).max(100).default('Hello').describe('The words before the name'),
  }),
  // What the model sets.
  args: z.object({
    name: z.string().trim().min(1).max(100).describe('Whom to greet'),
  }),

  asFunction: () => ({ name: '${name}' }),
  // Every file, rubric or assistant it reaches for: the gate asks whether the owner may use it.
  touches: () => [],
  // The user sees this: safe names only, no arguments.
  status: (_args, _config, subject) => \`calling \${subject.name}\`,

  run({ name }, { greeting }) {
    return Promise.resolve({ content: \`\${greeting}, \${name}!\` });
  },
});
`;
}

/** Its test, through the gate. */
export function toolTestSource(name: string): string {
  return `${importing('{ expect }', 'chai')}
${importing('tool', `../../tools/${name}.js`)}
${importing('{ callTool }', '../support/call-tool.js')}

describe('${name}', () => {
  it('greets whom the model names, in the words its author chose', async () => {
    const { outcome } = await callTool(tool, { name: 'Ada' }, { entry: { config: { greeting: 'Kaixo' } } });

    expect(outcome).to.deep.equal({ ok: true, content: 'Kaixo, Ada!', sources: [] });
  });

  it('refuses to greet nobody', async () => {
    const { outcome } = await callTool(tool, { name: ' ' });

    expect(outcome).to.have.property('ok', false);
  });
});
`;
}

const importing = (what: string, module: string) => `import ${what} from '${module}';`;

function titleOf(name: string): string {
  const words = name
    .split('_')
    .filter((word) => word !== '')
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
