/** As much of OpenAPI 3.1 and of JSON Schema as our own description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly contentMediaType?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Content {
  readonly schema: Schema;
  readonly 'x-event-data'?: Schema;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
  readonly security: readonly object[];
}

export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export interface Subject {
  readonly name: string;
  readonly about: string;
  readonly routes: readonly Route[];
}

/** By subject, as far as they have all the words. */
export function subjectsIn({ tags, paths }: ApiDocument, words: string): readonly Subject[] {
  const wanted = words.toLowerCase().split(/\s+/);
  const routes = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ method, path, operation: { summary } }) => {
      const text = `${method} ${path} ${summary}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  return tags
    .map(({ name, description }) => ({
      ...{ name, about: description },
      routes: routes.filter(({ operation }) => operation.tags.includes(name)),
    }))
    .filter((subject) => subject.routes.length > 0);
}

const NAMED = '#/components/schemas/';
const nameOf = ($ref: string) => $ref.slice(NAMED.length);

/** A schema as one would write the type, with a remark for each field that has one. */
export function typeText(schema: Schema, indent = ''): string {
  const { $ref, enum: choices, properties, items, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (choices) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  const branches = anyOf ?? oneOf;
  if (branches) return branches.map((branch) => typeText(branch, indent)).join(' | ');
  if (properties) return objectText(schema, indent);
  if (items) return `${inBrackets(typeText(items, indent))}[]`;
  if (type === 'object') return `{ [key]: ${mapText(schema, indent)} }`;
  if (type === undefined) return 'any';
  return typeof type === 'string' ? type : type.join(' | ');
}

const inBrackets = (text: string) => (/^[\w.]+$|^\{[^]*\}$/.test(text) ? text : `(${text})`);

const mapText = ({ additionalProperties: values }: Schema, indent: string) =>
  typeof values === 'object' ? typeText(values, indent) : 'any';

function objectText({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const remark = field.description === undefined ? [] : [`${inner}// ${field.description}`];
    return [...remark, `${inner}${name}${mark}: ${typeText(field, inner)}`];
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** All that these name, and what that names in turn. */
export function namedIn(schemas: readonly Schema[], { components }: ApiDocument): readonly string[] {
  const found = new Set<string>();
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key !== '$ref' || typeof inner !== 'string') look(inner);
      else if (!found.has(nameOf(inner))) {
        found.add(nameOf(inner));
        look(components.schemas[nameOf(inner)]);
      }
    }
  };
  schemas.forEach(look);
  return [...found];
}

/** Something to begin with: what has to be there, and no more. */
export function exampleOf(schema: Schema): unknown {
  const { enum: choices, anyOf, oneOf, properties, required = [], items, type } = schema;
  if ('const' in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (choices) return choices[0];
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return exampleOf(first);
  if (properties)
    return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
  if (items) return [exampleOf(items)];
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  return type === 'object' ? {} : '';
}
