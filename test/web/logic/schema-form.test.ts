import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { faultsIn, inOrder } from '../../../web/src/builder/schema-form/check-value.js';
import { createResourceSources, foldersOf } from '../../../web/src/builder/schema-form/resources.js';
import {
  blankOf,
  drawingOf,
  inWords,
  shownOf,
  type Schema,
} from '../../../web/src/builder/schema-form/schema.js';
import { toJsonSchema } from '../../../src/core/json-schema.js';
import type { AnyTool } from '../../../src/core/tool.js';

const kindOf = (schema: Schema) => drawingOf(schema).kind;
const codes = (schema: Schema, value: unknown) =>
  faultsIn(schema, value).map(({ path, code }) => `${path} ${code}`.trim());

describe('a form drawn from JSON Schema', () => {
  it('asks for each kind of value in its own way, and for JSON where it knows none', () => {
    const kinds: readonly (readonly [Schema, string])[] = [
      [{ type: 'string' }, 'text'],
      [{ type: 'integer' }, 'number'],
      [{ type: ['number', 'null'] }, 'number'],
      [{ anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'switch'],
      [{ type: 'string', enum: ['a', 'b'] }, 'choice'],
      [{ enum: ['a', { odd: true }] }, 'json'],
      [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'text'],
      [{ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'json'],
      [{ type: 'array', items: { type: 'string' } }, 'list'],
      [{ type: 'array' }, 'json'],
      [{ type: 'array', items: [{ type: 'string' }, { type: 'number' }] }, 'json'],
      [{ type: 'object', properties: { a: { type: 'string' } } }, 'object'],
      [{ type: 'object', additionalProperties: { type: 'string' } }, 'record'],
      [{ type: 'object', additionalProperties: {} }, 'json'],
      [{}, 'json'],
    ];

    for (const [schema, kind] of kinds) expect(kindOf(schema), JSON.stringify(schema)).to.equal(kind);
  });

  it('picks what a property names from what there is, one or many, by text or by number', () => {
    const many = { type: 'array', items: { anyOf: [{ type: 'string' }], 'x-resource': 'collection' } };

    expect(drawingOf(many)).to.deep.equal({
      ...{ kind: 'resource', resource: 'collection', isMany: true, isNumber: false },
    });
    expect(drawingOf({ type: 'integer', 'x-resource': 'assistant' })).to.deep.equal({
      ...{ kind: 'resource', resource: 'assistant', isMany: false, isNumber: true },
    });
    expect(kindOf({ type: 'string', 'x-resource': 'mcp-server' })).to.equal('text');
  });

  it('tells what is wrong, and where, for every bound that a schema can set', () => {
    const schema: Schema = {
      type: 'object',
      required: ['name', 'list', 'withDefault'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 5 },
        code: { type: 'string', pattern: '^[a-z]+$' },
        whole: { type: 'integer', minimum: 1, maximum: 20 },
        share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        way: { enum: ['a', 'b'] },
        list: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', minLength: 1 } },
        inner: { type: 'object', required: ['x'], properties: { x: { type: 'boolean' } } },
        headers: { type: 'object', additionalProperties: { type: 'string', maxLength: 2 } },
        withDefault: { type: 'integer', default: 3 },
      },
    };

    expect(codes(schema, {})).to.deep.equal(['name required', 'list required']);
    expect(
      codes(schema, {
        ...{ name: 'too long', code: 'A1', whole: 1.5, share: 1, way: 'c', list: ['', 7] },
        ...{ inner: {}, headers: { a: 'abc' } },
      }),
    ).to.deep.equal([
      ...['name longer', 'code pattern', 'whole whole', 'share below', 'way choice'],
      ...['list.0 required', 'list.1 text', 'inner.x required', 'headers.a longer'],
    ]);
    expect(codes(schema, { name: 'ok', list: ['a', 'b', 'c'], whole: 21, share: 0 })).to.deep.equal([
      ...['whole most', 'share above', 'list more'],
    ]);
    expect(codes(schema, { name: 'ok', list: ['a'], whole: 'x', inner: 'text' })).to.deep.equal([
      ...['whole number', 'inner kind'],
    ]);
    expect(codes(schema, { name: 'ok', list: ['a'], unknown: { kept: true } })).to.deep.equal([]);
  });

  it('leaves to the service what it does not understand', () => {
    const odd: Schema = {
      type: 'object',
      properties: { a: { pattern: '(', type: 'string' }, b: { anyOf: [{}] } },
    };

    expect(codes(odd, { a: 'x', b: 7 })).to.deep.equal([]);
  });

  it('never fails, whatever schema and value it is given', () => {
    fc.assert(
      fc.property(fc.object(), fc.anything(), (schema, value) => {
        drawingOf(schema);
        faultsIn(schema, value);
        blankOf(schema);
      }),
    );
  });

  it('draws every setting of every tool that comes with the service, JSON only where a schema is asked for', async () => {
    const files = await readdir(new URL('../../../tools/', import.meta.url));
    const asJson: string[] = [];
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const { default: tool } = (await import(`../../../tools/${file}`)) as { default: AnyTool };
      const { properties = {} } = toJsonSchema(tool.config) as Schema;
      for (const [name, schema] of Object.entries(properties))
        if (kindOf(schema) === 'json') asJson.push(`${tool.name}.${name}`);
    }

    expect(asJson).to.deep.equal(['http.args']);
  });

  it('shows first what must be set, then the rest; all at once where nothing must be', () => {
    const properties: Schema['properties'] = {
      a: { type: 'string' },
      b: { type: 'string', 'x-resource': 'file' },
      c: { type: 'string' },
    };

    expect(inOrder({ properties, required: ['c'] })).to.deep.equal({ first: ['b', 'c'], rest: ['a'] });
    expect(inOrder({ properties: { a: { type: 'string' } } })).to.deep.equal({ first: ['a'], rest: [] });
  });

  it('offers the tags that the documents of the chosen collections have, and asks for them last', async () => {
    const have: Readonly<Record<string, readonly string[]>> = {
      a: ['unit 1', 'exam'],
      b: ['exam', 'course'],
    };
    const tags = (id: string) =>
      have[id]
        ? Promise.resolve(have[id].map((tag) => ({ tag, documents: 1 })))
        : Promise.reject(new Error('gone'));
    const sources = createResourceSources({
      ...{ knowledge: { tags }, builder: {}, assistants: {}, selfId: undefined },
    } as unknown as Parameters<typeof createResourceSources>[0]);
    const { signal } = new AbortController();
    const beside = { collections: ['a', 'b', 'gone'] };

    const offered = await sources.tag.page('', undefined, signal, beside);
    const searched = await sources.tag.page('UNI', undefined, signal, beside);

    expect(offered.data.map(({ id }) => id)).to.deep.equal(['course', 'exam', 'unit 1']);
    expect(searched.data).to.deep.equal([{ id: 'unit 1', name: 'unit 1' }]);
    const list = (kind: string) => ({ type: 'array', items: { type: 'string', 'x-resource': kind } });
    expect(inOrder({ properties: { tags: list('tag'), collections: list('collection') } })).to.deep.equal({
      first: ['collections'],
      rest: ['tags'],
    });
  });

  it('reads names as words, and shows what counts while nothing is set', () => {
    expect(inWords('top_k')).to.equal('Top k');
    expect(inWords('__')).to.equal('__');
    expect(shownOf({ default: 3 }, undefined)).to.equal(3);
    expect(shownOf({ default: 3 }, 0)).to.equal(0);
    expect(foldersOf('a/b/c.md')).to.deep.equal(['a', 'a/b']);
  });
});
