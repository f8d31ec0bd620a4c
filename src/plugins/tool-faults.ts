import { type AnyTool, isPlaceholderName, isPluginName } from '../core/tool.js';

type Candidate = Readonly<Partial<AnyTool>>;

/** What is wrong with a definition that came from a file; empty when it may be used. `defineTool` says the same to a compiler. */
export function faultsOfTool(candidate: unknown): string[] {
  if (typeof candidate !== 'object' || candidate === null)
    return ['its default export is not a tool definition'];
  const tool = candidate as Candidate;
  return [
    ...faultsOfFacts(tool),
    ...faultsOfSchemas(tool),
    ...faultsOfMethods(tool),
    ...faultsOfWays(tool),
    ...faultsOfFunctionName(tool),
    ...faultsOfCompany(tool),
  ];
}

/** What it says about other tools, and about settings to begin with. */
function faultsOfCompany({ needs = [], recommendedWith = [], presets = [] }: Candidate): string[] {
  const areNames = (names: unknown) =>
    Array.isArray(names) && names.every((name) => typeof name === 'string' && isPluginName(name));
  const isPreset = (preset: unknown) => {
    const { name, title, config } = (preset ?? {}) as Readonly<Record<string, unknown>>;
    return [name, title].every((text) => typeof text === 'string') && typeof config === 'object';
  };
  const arePresets = Array.isArray(presets) && presets.every(isPreset);
  return [
    ...(areNames(needs) ? [] : ['"needs" must be a list of names of tools']),
    ...(areNames(recommendedWith) ? [] : ['"recommendedWith" must be a list of names of tools']),
    ...(arePresets ? [] : ['"presets" must be a list of { name, title, config }']),
  ];
}

function faultsOfFacts(tool: Candidate): string[] {
  const texts = ['name', 'title', 'description', 'category', 'version'] as const;
  const faults = texts
    .filter((key) => typeof tool[key] !== 'string' || tool[key].trim() === '')
    .map((key) => `"${key}" must be a text`);
  if (typeof tool.name === 'string' && !isPluginName(tool.name)) {
    faults.push('"name" must match [a-z][a-z0-9_]*, at most 64 characters');
  }
  if (tool.placeholder !== undefined && !isPlaceholderName(tool.placeholder)) {
    faults.push('"placeholder" must match [a-z][a-z0-9_]* and not be user_input');
  }
  if (!['read', 'write', 'external'].includes(String(tool.danger)))
    faults.push('"danger" must be read, write or external');
  if (typeof tool.repeatable !== 'boolean') faults.push('"repeatable" must be true or false');
  if (tool.timeoutMs !== undefined && !(Number.isInteger(tool.timeoutMs) && tool.timeoutMs > 0)) {
    faults.push('"timeoutMs" must be a whole number of milliseconds');
  }
  return faults;
}

function faultsOfSchemas({ config, args, output, bound }: Candidate): string[] {
  const faults: string[] = [];
  if (!isObjectSchema(config)) faults.push('"config" must be a zod object');
  if (!isObjectSchema(args)) faults.push('"args" must be a zod object');
  if (output !== undefined && !isObjectSchema(output)) faults.push('"output" must be a zod object');
  for (const [name, identity] of Object.entries(bound ?? {})) {
    if (isObjectSchema(args) && !Object.hasOwn(args.shape, name))
      faults.push(`"bound" names "${name}", which "args" does not have`);
    if (typeof (identity as Partial<typeof identity> | null)?.of !== 'function')
      faults.push(`"bound" must say from whom "${name}" comes, such as callerEmail`);
  }
  return faults;
}

function faultsOfMethods(tool: Candidate): string[] {
  const required = ['touches', 'status', 'run'] as const;
  const optional = ['asFunction', 'functions', 'argsFromChat', 'subject', 'subjectOf'] as const;
  return [
    ...required.filter((method) => typeof tool[method] !== 'function'),
    ...optional.filter((method) => !['function', 'undefined'].includes(typeof tool[method])),
  ].map((method) => `"${method}" must be a function`);
}

function faultsOfWays({ asFunction, functions, argsFromChat, placeholder, bound }: Candidate): string[] {
  const faults: string[] = [];
  if ([asFunction, functions, argsFromChat].every((way) => way === undefined)) {
    faults.push('it needs "asFunction", "functions" or "argsFromChat": without any it can never run');
  }
  if (asFunction !== undefined && functions !== undefined) {
    faults.push('it has both "asFunction" and "functions"; one of them is meant');
  }
  if (functions !== undefined && bound !== undefined) {
    faults.push('it has both "functions" and "bound": only arguments in "args" can be bound');
  }
  if (argsFromChat !== undefined && placeholder === undefined) {
    faults.push('"argsFromChat" needs a "placeholder" to fill');
  }
  if (placeholder !== undefined && argsFromChat === undefined) {
    faults.push('"placeholder" needs "argsFromChat": without it nothing can fill it');
  }
  return faults;
}

/** Asked only of a tool whose configuration may be empty: for others the name is known when an assistant is laid out. */
function faultsOfFunctionName({ asFunction, config }: Candidate): string[] {
  if (typeof asFunction !== 'function' || !isObjectSchema(config)) return [];
  const defaults = config.safeParse({});
  if (!defaults.success) return [];
  const name = nameFrom(() => asFunction(defaults.data));
  if (name === undefined) return ['"asFunction" must give a name for the default configuration'];
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
    ? []
    : ['"asFunction" must give a name of A-Z, a-z, 0-9, _ and -, at most 64 characters'];
}

function nameFrom(ask: () => { readonly name: unknown } | undefined): string | undefined {
  try {
    const name = ask()?.name;
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

function isObjectSchema(schema: unknown): schema is AnyTool['args'] {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema && 'shape' in schema;
}
